//! The sentences that an answer begins with.

use serde_json::Value;

use super::{Intent, section::Row, table, units};

/// The state of the whole cluster.
pub(super) fn counted(scalars: &Row) -> Option<String> {
    let find = |key: &str| scalars.iter().find(|(name, _)| name == key);
    let quorate = match find("quorate")?.1 {
        Value::Bool(true) => "The cluster is quorate",
        Value::Bool(false) => "The cluster has **no quorum**",
        _ => "Whether the cluster is quorate is **unknown**",
    };
    let nodes = match (find("nodes_online"), find("nodes_total")) {
        (Some((_, online)), Some((_, total))) => {
            format!(", and {online} of {total} nodes are online")
        }
        _ => String::new(),
    };
    Some(format!("{quorate}{nodes}, sir."))
}

/// A list as it is told of.
pub(super) struct Listed<'a> {
    pub(super) noun: &'a str,
    /// The rows that were asked for.
    pub(super) rows: &'a [Row],
    /// All rows, without templates.
    pub(super) all: usize,
    /// Templates are said and not counted.
    pub(super) templates: usize,
    /// The result's own counts, where it lists fewer.
    pub(super) counted: &'a Row,
}

/// Most rows that are told by name.
const NAMED: usize = 4;

/// The content of a list, by name where few were asked for, else counted by state.
pub(super) fn list_lead(list: &Listed<'_>, intent: &Intent, period: Option<&str>) -> String {
    let Listed {
        noun, rows, all, ..
    } = *list;
    if intent.failures && noun == "tasks" {
        return failures(rows, period.unwrap_or_default());
    }
    let named = intent.stranger.is_some() || !intent.vmids.is_empty();
    if let ([only], true) = (rows, named)
        && let Some((key, value)) = only.iter().find(|(key, _)| key == "state")
    {
        let (name, state) = (table::name_of(only), units::value(key, value));
        return format!("{name} is {state}.");
    }
    let fits = |state: &str| {
        let mut states = rows
            .iter()
            .map(|row| row.iter().find(|(key, _)| key == "state"));
        states.all(|found| found.is_some_and(|(_, value)| value == state))
    };
    if let Some(state) = intent.state.as_deref()
        && all > 0
        && fits(state)
    {
        let of_all = format!("of the {all} {noun}");
        let names: Vec<String> = rows.iter().map(|row| table::name_of(row)).collect();
        return match names.as_slice() {
            [] => format!("None {of_all} is {state}, sir."),
            [only] => format!("{only} is {state}: 1 {of_all}."),
            names if names.len() > NAMED => format!("{} {of_all} are {state}.", names.len()),
            names => format!("{} are {state}: {} {of_all}.", and(names), names.len()),
        };
    }
    if rows.is_empty() {
        return match (all, list.templates) {
            (0, 0) => format!("No {noun} are reported, sir."),
            (0, _) => format!("No {noun} are reported but {}, sir.", templates(list)),
            _ => format!("None of the {all} {noun} fits, sir."),
        };
    }
    let total = find(list.counted, "total").unwrap_or(0);
    if rows.len() == all && total > all {
        let parts: Vec<String> = ["failed", "running"]
            .iter()
            .filter_map(|state| Some(format!("{} {state}", find(list.counted, state)?)))
            .collect();
        let parts = match parts.is_empty() {
            true => String::new(),
            false => format!(": {}", parts.join(", ")),
        };
        return format!("{total} {noun}{parts}. The first {all} are listed.");
    }
    let mut states: Vec<(String, usize)> = Vec::new();
    for row in rows {
        let state = row.iter().find(|(key, _)| {
            matches!(
                key.as_str(),
                "state" | "status" | "outcome" | "result" | "exit_status"
            )
        });
        let Some((key, value)) = state else { continue };
        let state = units::value(key, value);
        match states.iter_mut().find(|(name, _)| *name == state) {
            Some((_, count)) => *count += 1,
            None => states.push((state, 1)),
        }
    }
    let of_all = if rows.len() == all {
        String::new()
    } else {
        format!(" of {all}")
    };
    let parts: Vec<String> = states
        .iter()
        .take(4)
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let noun = if rows.len() == 1 && of_all.is_empty() {
        singular(noun)
    } else {
        noun.to_owned()
    };
    let templates = match (list.templates, rows.len() == all) {
        (0, _) | (_, false) => String::new(),
        _ => format!("; and {}", templates(list)),
    };
    if parts.is_empty() {
        format!("{}{of_all} {noun}{templates}.", rows.len())
    } else {
        format!(
            "{}{of_all} {noun}: {}{templates}.",
            rows.len(),
            parts.join(", ")
        )
    }
}

fn templates(list: &Listed<'_>) -> String {
    match list.templates {
        1 => "1 template".to_owned(),
        count => format!("{count} templates"),
    }
}

fn find(counted: &Row, name: &str) -> Option<usize> {
    let key = format!("counts.{name}");
    let (_, value) = counted.iter().find(|(known, _)| *known == key)?;
    usize::try_from(value.as_u64()?).ok()
}

/// `a, b and c`.
fn and(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.join(", "),
    }
}

/// The tasks that failed, by name.
fn failures(rows: &[Row], period: &str) -> String {
    let mut names: Vec<String> = rows
        .iter()
        .take(NAMED)
        .map(|row| table::name_of(row))
        .collect();
    names.dedup();
    match rows.len() {
        0 => format!("No task failed{period}, sir."),
        1 => format!("1 task failed{period}, sir: {}.", names.join(", ")),
        count if count > names.len() => format!(
            "{count} tasks failed{period}, sir, among them {}.",
            and(&names)
        ),
        count => format!("{count} tasks failed{period}, sir: {}.", and(&names)),
    }
}

fn singular(noun: &str) -> String {
    noun.strip_suffix('s').unwrap_or(noun).to_owned()
}

/// The leads of all parts, in which the operator is addressed once at least.
pub(super) fn joined(leads: &[&str]) -> String {
    let Some((first, rest)) = leads.split_first() else {
        return "This is what I have found, sir.".to_owned();
    };
    let addressed = leads.iter().any(|lead| lead.contains("sir"));
    let mut text = if addressed {
        (*first).to_owned()
    } else {
        format!("{}, sir.", first.trim_end_matches('.'))
    };
    for lead in rest {
        text.push(' ');
        text.push_str(lead);
    }
    text
}

/// Nothing goes by the name that was asked for.
pub(super) fn not_found(intent: &Intent) -> String {
    let name = intent.stranger.clone();
    let name = name.or_else(|| intent.vmids.first().map(u64::to_string));
    format!(
        "I find nothing called {} in what the cluster reports, sir. A slip in the name, perhaps?",
        units::code(&name.unwrap_or_default())
    )
}
