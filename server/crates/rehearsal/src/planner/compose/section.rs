//! One result as a part of the answer: a lead, what is wrong, and a table or a list.

use serde_json::Value;

use super::{
    Intent,
    facts::facts,
    history,
    lead::{Listed, counted, list_lead},
    output,
    period::Period,
    table, trouble, units,
};
use crate::planner::{
    intent::Topic,
    view::{Done, View},
    words::words,
};

/// One result in words.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) title: String,
    /// A sentence.
    pub(super) lead: Option<String>,
    pub(super) troubles: Vec<String>,
    /// Markdown.
    pub(super) body: String,
    /// It was searched for a guest by name and does not have it.
    pub(super) missed: bool,
    /// Something in it is not known.
    pub(super) unknown: bool,
}

/// Values by their keys, nested ones as `outer.inner`.
pub(super) type Row = Vec<(String, Value)>;

pub(super) fn of(done: &Done, view: &View<'_>, intent: &Intent) -> Section {
    let mut section = Section {
        title: title(done),
        ..Section::default()
    };
    if let Some(known) = open_outcome(done) {
        let what = units::code(&done.name);
        section.troubles.push(format!(
            "whether {what} took effect is **unknown**: {known}"
        ));
        section.unknown = true;
        return section;
    }
    if done.is_error {
        let what = units::code(&done.name);
        let target = target(done)
            .map(|t| format!(" for {t}"))
            .unwrap_or_default();
        section
            .troubles
            .push(format!("{what}{target} failed: {}", failure(done)));
        section.lead = Some("I could not read everything, sir.".to_owned());
        return section;
    }
    if let Some((lead, body)) = output::of(done) {
        section.lead = Some(lead);
        section.body = body;
        return section;
    }
    if done.data.is_null() {
        section.body = quoted(&done.text);
        section.lead = Some(format!(
            "{} reports as follows, sir.",
            units::code(&done.name)
        ));
        return section;
    }
    if let Some(reason) = units::unknown(&done.data) {
        section.troubles.push(format!(
            "{}: **unknown** ({})",
            section.title,
            units::safe(reason)
        ));
        return section;
    }
    let said = words(&view.question);
    if let Some((lead, body)) = history::of(done, &said) {
        section.lead = Some(lead);
        section.body = body;
        return section;
    }
    let period = Period::read(&said, view);
    let mut scalars: Row = Vec::new();
    let mut lists: Vec<(String, Vec<Row>)> = Vec::new();
    gather("", &done.data, &mut scalars, &mut lists);
    let who = target(done).unwrap_or_else(|| "the cluster".to_owned());
    section.troubles.extend(trouble::of_row(&who, &scalars));
    for reason in reasons(&scalars) {
        section.troubles.push(reason);
    }
    section.lead = counted(&scalars);
    let mut listed = false;
    for (key, rows) in lists {
        if key == "cut" {
            continue;
        }
        // A template is no guest that could run: it is said and not counted.
        let of_all = rows.len();
        let all = rows.iter().filter(|row| !is_template(row)).count();
        let cutoff = period.as_ref().map(|period| period.cutoff.as_str());
        let mut rows: Vec<Row> = rows
            .into_iter()
            .filter(|row| wanted(row, intent) && is_since(row, cutoff))
            .collect();
        let named = !intent.vmids.is_empty() || intent.stranger.is_some();
        section.missed |= named && all > 0 && rows.is_empty() && done.name != "get_recent_tasks";
        for row in &rows {
            section
                .troubles
                .extend(trouble::of_row(&table::name_of(row), row));
        }
        if key == "guests_without_backup" {
            section.troubles.extend(bare(&rows));
            continue;
        }
        let noun = noun(&done.name, &key, &rows);
        let templates = of_all - all;
        if templates > 0 && !named {
            rows.retain(|row| !is_template(row));
        }
        let list = Listed {
            noun: &noun,
            rows: &rows,
            all,
            templates,
            counted: &scalars,
        };
        let told = period.as_ref().map(|period| period.words.as_str());
        let lead = list_lead(&list, intent, told);
        // Nodes that the first sentence has counted are not counted again.
        section.lead = Some(match section.lead.take() {
            Some(before) if key == "nodes" => before,
            Some(before) => format!("{before} {lead}"),
            None => lead,
        });
        if !brief(&done.name, intent) {
            section.body.push_str(&listing(&rows, &said, intent.limit));
            section.body.push('\n');
            if rows.len() > 1 {
                for reason in unknowns(&rows) {
                    section.body.push_str(&format!("\n- Unknown: {reason}\n"));
                }
            }
        }
        section.unknown |= rows
            .iter()
            .flatten()
            .any(|(_, value)| units::unknown(value).is_some());
        listed = true;
    }
    if listed {
        scalars.retain(|(key, _)| !is_count(key));
    }
    section.unknown |= scalars
        .iter()
        .any(|(_, value)| units::unknown(value).is_some());
    if brief(&done.name, intent) {
        return section;
    }
    let facts = facts(&scalars);
    if !facts.is_empty() {
        section.body = format!("{facts}\n{}", section.body);
    }
    for cut in cuts(&done.data) {
        section.body.push_str(&format!("\n_{cut}_\n"));
    }
    if let Some(cut) = &done.cut {
        section
            .body
            .push_str(&format!("\n_{}_\n", units::safe(cut)));
    }
    if section.lead.is_none() {
        section.lead = target(done).map(|target| {
            let state = scalars
                .iter()
                .find(|(key, _)| key == "state" || key == "status");
            match state {
                Some((key, value)) => {
                    let target = target.replacen("node", "Node", 1);
                    format!("{target} is {}, sir.", units::value(key, value))
                }
                None => format!("These are the figures of {target}, sir."),
            }
        });
    }
    section
}

/// A result without any search for trouble, for what an order brought.
pub(super) fn plain(done: &Done) -> String {
    if let Some((_, body)) = output::of(done) {
        return body;
    }
    if done.data.is_null() {
        return quoted(&done.text);
    }
    let mut scalars = Vec::new();
    let mut lists = Vec::new();
    gather("", &done.data, &mut scalars, &mut lists);
    let mut text = facts(&scalars);
    for (_, rows) in lists {
        text.push_str(&format!("\n{}\n", listing(&rows, &[], None)));
    }
    text.trim_end().to_owned()
}

/// What is known of a call whose outcome is not.
pub(super) fn open_outcome(done: &Done) -> Option<String> {
    (done.data["outcome"] == "unknown").then(|| {
        let known = done.data["known"].as_str();
        known.map_or_else(|| "No further details.".to_owned(), units::safe)
    })
}

/// Why a call failed, in the tool's words.
pub(in crate::planner) fn failure(done: &Done) -> String {
    let text = |key: &str| done.data[key].as_str();
    match (text("message"), text("help")) {
        (Some(message), Some(help)) => {
            format!("{} ({})", units::safe(message), units::safe(help))
        }
        (Some(message), None) => units::safe(message),
        // What the gate and what a person said.
        _ if let Some(said) = ["blocked", "denied", "expired", "withdrawn", "unavailable"]
            .iter()
            .find_map(|key| text(key)) =>
        {
            units::safe(said)
        }
        _ if done.text.trim().is_empty() => "no reason was given".to_owned(),
        _ => units::safe(done.text.trim()),
    }
}

/// Splits data into single values and lists of objects.
fn gather(prefix: &str, data: &Value, scalars: &mut Row, lists: &mut Vec<(String, Vec<Row>)>) {
    let join = |key: &str| {
        if prefix.is_empty() {
            key.to_owned()
        } else {
            format!("{prefix}.{key}")
        }
    };
    match data {
        Value::Array(items) if items.is_empty() => lists.push((prefix.to_owned(), Vec::new())),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let rows = items
                .iter()
                .filter(|item| item.is_object())
                .map(table::cells);
            lists.push((prefix.to_owned(), rows.collect()));
        }
        Value::Object(fields) if units::unknown(data).is_none() => {
            let records = fields.len() > 1 && fields.values().all(Value::is_object);
            let known = fields.values().all(|value| units::unknown(value).is_none());
            let nested = fields
                .values()
                .flat_map(|value| value.as_object().into_iter().flatten())
                .any(|(_, value)| value.is_array() || value.is_object());
            if records && known && !nested {
                // An object of objects is a list by name.
                let rows = fields.iter().map(|(key, value)| {
                    let mut row = vec![("name".to_owned(), Value::String(key.clone()))];
                    row.extend(
                        table::cells(value)
                            .into_iter()
                            .filter(|(key, _)| key != "name"),
                    );
                    row
                });
                lists.push((prefix.to_owned(), rows.collect()));
            } else {
                for (key, value) in fields {
                    gather(&join(key), value, scalars, lists);
                }
            }
        }
        _ => scalars.push((prefix.to_owned(), data.clone())),
    }
}

/// Reasons that a result gives for not being whole.
fn reasons(scalars: &Row) -> Vec<String> {
    scalars
        .iter()
        .filter(|(key, _)| {
            matches!(
                key.as_str(),
                "incomplete" | "errors" | "warnings" | "unavailable" | "notes"
            )
        })
        .flat_map(|(key, value)| match value {
            Value::Array(items) => items.iter().map(|item| (key, item)).collect(),
            other => vec![(key, other)],
        })
        .filter_map(|(key, value)| Some((key, value.as_str()?)))
        .map(|(key, text)| format!("{}: {}", units::label(key), units::safe(text)))
        .collect()
}

/// Guests that have no backup.
fn bare(rows: &[Row]) -> Option<String> {
    let names: Vec<String> = rows.iter().map(|row| table::name_of(row)).collect();
    match names.len() {
        0 => None,
        1 => Some(format!("{} has **no backup**", names[0])),
        count => Some(format!(
            "{count} guests have **no backup**: {}",
            names.join(", ")
        )),
    }
}

/// Why values in some rows are not known, each reason once.
fn unknowns(rows: &[Row]) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    for reason in rows
        .iter()
        .flatten()
        .filter_map(|(_, value)| units::unknown(value))
    {
        let reason = units::safe(reason);
        if !reasons.contains(&reason) && reasons.len() < 4 {
            reasons.push(reason);
        }
    }
    reasons
}

/// What a result says about rows that it left out.
fn cuts(data: &Value) -> Vec<String> {
    let cuts: Vec<&Value> = match &data["cut"] {
        Value::Array(items) => items.iter().collect(),
        Value::Object(_) => vec![&data["cut"]],
        _ => Vec::new(),
    };
    cuts.into_iter()
        .filter_map(|cut| Some((cut["shown"].as_u64()?, cut["of"].as_u64()?)))
        .map(|(shown, of)| format!("The result holds {shown} of {of}."))
        .collect()
}

/// One row as a list of facts, more as a table.
fn listing(rows: &[Row], said: &[String], limit: Option<u64>) -> String {
    match rows {
        [] => String::new(),
        [only] => facts(only),
        _ => table::of(rows, said, limit),
    }
}

/// Whether a row is one of those that were asked for.
fn wanted(row: &Row, intent: &Intent) -> bool {
    let text = |key: &str| {
        let value = row.iter().find(|(name, _)| name == key);
        value.and_then(|(_, value)| value.as_str())
    };
    let vmid = row.iter().find(|(key, _)| key == "vmid");
    if let (Some((_, vmid)), false) = (vmid, intent.vmids.is_empty()) {
        let number = vmid.as_u64();
        return number.is_some_and(|vmid| intent.vmids.contains(&vmid));
    }
    if let Some(name) = &intent.stranger
        && vmid.is_some()
    {
        return text("name").is_some_and(|n| n.eq_ignore_ascii_case(name));
    }
    if let Some(state) = &intent.state
        && vmid.is_some()
        && let Some(own) = text("state").or_else(|| text("status"))
    {
        return own == state;
    }
    if intent.why
        && let Some(about) = text("about")
    {
        return intent.vmids.iter().any(|vmid| about == vmid.to_string());
    }
    if intent.failures
        && row.iter().any(|(key, _)| {
            matches!(
                key.as_str(),
                "outcome" | "result" | "status" | "exit_status"
            )
        })
    {
        return row.iter().any(|(key, value)| trouble::is_bad(key, value));
    }
    true
}

fn is_template(row: &Row) -> bool {
    row.iter()
        .any(|(key, value)| key == "state" && value == "template")
}

/// True for a row that began after a moment. A row without a time is of any time.
fn is_since(row: &Row, cutoff: Option<&str>) -> bool {
    let started = row.iter().find(|(key, _)| key == "started_at");
    match (cutoff, started.and_then(|(_, value)| value.as_str())) {
        (Some(cutoff), Some(started)) => started >= cutoff,
        _ => true,
    }
}

/// Whether the counts say enough: in an overview nobody wants every guest and task by name.
fn brief(tool: &str, intent: &Intent) -> bool {
    intent.wants(Topic::Overview)
        && matches!(
            tool,
            "get_vms" | "get_containers" | "get_recent_tasks" | "get_backups"
        )
}

/// Counts of what stands in the list, told in the lead.
fn is_count(key: &str) -> bool {
    key.contains("counts.")
        || matches!(
            key,
            "quorate" | "nodes_total" | "nodes_online" | "total" | "count"
        )
}

fn quoted(text: &str) -> String {
    let text: String = text.chars().take(2_000).collect();
    text.lines()
        .map(|line| format!("> {}\n", units::safe(line)))
        .collect()
}

/// What the call was about, by its arguments.
fn target(done: &Done) -> Option<String> {
    if let Some(node) = done.input["node"].as_str() {
        return Some(format!("node {}", units::safe(node)));
    }
    let vmid = done.input["vmid"].as_u64()?;
    Some(format!("guest {vmid}"))
}

fn noun(tool: &str, key: &str, rows: &[Row]) -> String {
    let key = key.rsplit('.').next().unwrap_or(key);
    match (tool, key) {
        ("get_vms", _) => "virtual machines".to_owned(),
        ("get_backups", "backups") if rows.iter().flatten().any(|(key, _)| key == "count") => {
            "guests with backups".to_owned()
        }
        ("get_containers", _) => "containers".to_owned(),
        (_, "") => "entries".to_owned(),
        (_, key) => key.replace('_', " "),
    }
}

fn title(done: &Done) -> String {
    let name = match done.name.as_str() {
        "get_cluster_status" => "Cluster".to_owned(),
        "get_node_status" => "Status".to_owned(),
        "get_vms" => "Virtual machines".to_owned(),
        "get_containers" => "Containers".to_owned(),
        "get_storage" => "Storage".to_owned(),
        "get_node_temperature" => "Temperature".to_owned(),
        "get_recent_tasks" => "Recent tasks".to_owned(),
        "get_backups" => "Backups".to_owned(),
        "get_cluster_resources" => "Resources".to_owned(),
        other => units::label(other.strip_prefix("get_").unwrap_or(other)),
    };
    match target(done) {
        Some(target) => format!("{name}: {target}"),
        None => name,
    }
}
