//! The answer in one sentence by name, where the words ask for one thing among several.

use serde_json::Value;

use super::{Intent, section::Row, table, units};
use crate::planner::{
    facts,
    intent::Topic,
    view::{Done, View},
    words::words,
};

/// A name, its figure in words, and the number that it is compared by.
type Entry = (String, String, f64);

/// The first sentence; none where the results are told as they come.
pub(super) fn of(view: &View<'_>, intent: &Intent) -> Option<String> {
    if intent.why {
        return why(view, intent);
    }
    let said = words(&view.question);
    let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
    let most = any(&["most", "highest", "largest", "biggest", "max", "maximum"]);
    if intent.wants(Topic::Temperature) {
        return warmest(view, any(&["coolest", "coldest"]));
    }
    if any(&["fullest", "filling", "fills"]) || any(&["full"]) && intent.wants(Topic::Storage) {
        return highest(view, "get_storage", full)
            .map(|(name, figure, _)| format!("The fullest storage is {name} at {figure}, sir."));
    }
    if intent.wants(Topic::Backups) && any(&["last", "newest", "latest"]) {
        return newest_backup(view);
    }
    let measure = if any(&["memory", "ram"]) && most {
        Some(("memory", memory as fn(&Row) -> Option<(String, f64)>))
    } else if any(&["cpu", "processor", "load"]) && most || any(&["busiest"]) {
        Some(("CPU", cpu as fn(&Row) -> Option<(String, f64)>))
    } else {
        None
    };
    let (what, figure) = measure?;
    let tools = [
        "get_vms",
        "get_containers",
        "get_node_status",
        "get_cluster_status",
    ];
    let entries = tools.iter().filter_map(|tool| highest(view, tool, figure));
    entries
        .max_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(name, figure, _)| format!("{name} uses the most {what}, sir: {figure}."))
}

fn newest_backup(view: &View<'_>) -> Option<String> {
    let done = view.done.iter().filter(|done| done.name == "get_backups");
    let rows = done.flat_map(|done| done.data["backups"].as_array().into_iter().flatten());
    let newest = rows
        .filter_map(|row| {
            let at = row["newest_at"]
                .as_str()
                .or_else(|| row["created_at"].as_str())?;
            Some((at, row))
        })
        .max_by_key(|(at, _)| *at);
    newest.map(|(at, row)| {
        format!(
            "The newest backup is of {}, made at {}, sir.",
            table::name_of(&table::cells(row)),
            units::value("newest_at", &at.into())
        )
    })
}

fn warmest(view: &View<'_>, coolest: bool) -> Option<String> {
    let read: Vec<&Done> = view
        .done
        .iter()
        .filter(|done| !done.is_error && done.data.get("temperature_celsius").is_some())
        .collect();
    let mut known: Vec<(&str, f64)> = read
        .iter()
        .filter_map(|done| {
            let celsius = done.data["temperature_celsius"].as_f64()?;
            Some((done.input["node"].as_str()?, celsius))
        })
        .collect();
    known.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown = |celsius: f64| units::value("celsius", &celsius.into());
    match known[..] {
        [] => None,
        [(node, celsius)] if read.len() == 1 => {
            let nodes = facts::nodes(view);
            let role = nodes.into_iter().find(|known| known.name == node);
            let role = role.and_then(|node| node.role);
            let role = role.map_or(String::new(), |role| format!(" ({})", units::safe(&role)));
            Some(format!(
                "{}{role} is at {}, sir.",
                units::safe(node),
                shown(celsius)
            ))
        }
        _ => {
            let (word, found) = match coolest {
                true => ("coolest", known.last()),
                false => ("warmest", known.first()),
            };
            let (node, celsius) = found?;
            Some(format!(
                "The {word} node is {} at {}, sir.",
                units::safe(node),
                shown(*celsius)
            ))
        }
    }
}

/// The row of a tool's results with the highest figure.
fn highest(
    view: &View<'_>,
    tool: &str,
    figure: impl Fn(&Row) -> Option<(String, f64)>,
) -> Option<Entry> {
    let done = view
        .done
        .iter()
        .filter(|done| done.name == tool && !done.is_error);
    done.flat_map(rows)
        .filter_map(|(name, row)| {
            let (shown, number) = figure(&row)?;
            Some((name, shown, number))
        })
        .max_by(|a, b| a.2.total_cmp(&b.2))
}

/// The rows of a result, or the one thing that it is about, by name.
fn rows(done: &Done) -> Vec<(String, Row)> {
    let list = ["guests", "storages", "nodes"]
        .iter()
        .find_map(|key| done.data[*key].as_array());
    match list {
        Some(items) => items
            .iter()
            .map(|item| {
                let row = table::cells(item);
                (named(item, &row), row)
            })
            .collect(),
        None => vec![(named(&done.data, &[]), table::cells(&done.data))],
    }
}

fn named(item: &Value, row: &[(String, Value)]) -> String {
    let text = |key: &str| item[key].as_str().map(units::safe);
    let alone = match item["nodes"].as_array().map(Vec::as_slice) {
        Some([only]) if item["shared"] != true => only.as_str(),
        _ => None,
    };
    match (text("storage"), alone) {
        (Some(storage), Some(node)) => format!("{storage} on {}", units::safe(node)),
        (Some(storage), None) => storage,
        _ => text("name")
            .or_else(|| text("node"))
            .unwrap_or_else(|| table::name_of(row)),
    }
}

fn number(row: &Row, leaf: &str) -> Option<f64> {
    let mut cells = row.iter();
    let (_, value) = cells.find(|(key, _)| key.rsplit('.').next() == Some(leaf))?;
    value.as_f64()
}

fn full(row: &Row) -> Option<(String, f64)> {
    let percent = number(row, "used_percent")?;
    Some((::units::percent(percent), percent))
}

fn cpu(row: &Row) -> Option<(String, f64)> {
    let percent = number(row, "cpu_percent")?;
    Some((::units::percent(percent), percent))
}

fn memory(row: &Row) -> Option<(String, f64)> {
    let used = number(row, "memory_used_bytes")?;
    let amount = |number: f64| number.max(0.0).round() as u64;
    let total = number(row, "memory_total_bytes").map(amount);
    Some((::units::used_of(amount(used), total), used))
}

/// The state of a guest, and the newest task that may explain it.
fn why(view: &View<'_>, intent: &Intent) -> Option<String> {
    let vmid = *intent.vmids.first()?;
    let lists = view.done.iter().rev().chain(view.earlier.iter().rev());
    let guest = lists
        .flat_map(|done| done.data["guests"].as_array().into_iter().flatten())
        .find(|guest| guest["vmid"] == vmid)?;
    let name = guest["name"]
        .as_str()
        .map_or_else(|| format!("guest {vmid}"), units::safe);
    let state = units::value("state", &guest["state"]);
    let read = view
        .done
        .iter()
        .find(|done| done.name == "get_recent_tasks")?;
    let about = vmid.to_string();
    let tasks = read.data["tasks"].as_array().into_iter().flatten();
    let task = tasks
        .filter(|task| task["about"] == about.as_str())
        .find(|task| {
            let kind = task["type"].as_str().unwrap_or_default();
            [
                "start", "stop", "shutdown", "reboot", "reset", "suspend", "migrate",
            ]
            .iter()
            .any(|sign| kind.ends_with(sign))
        });
    let Some(task) = task else {
        return Some(format!(
            "{name} is {state}, sir; why, none of the tasks that the cluster remembers says."
        ));
    };
    let text = |key: &str| units::value(key, &task[key]);
    let by = task["user"]
        .as_str()
        .map_or(String::new(), |user| format!(" by {}", units::safe(user)));
    let end = match task["error"].as_str() {
        Some(error) => format!("failed: {}", units::safe(error)),
        None => format!("ended {}", text("outcome")),
    };
    Some(format!(
        "{name} is {state}, sir; the newest task that may tell why, {}{by} at {}, {end}.",
        text("type"),
        text("started_at")
    ))
}
