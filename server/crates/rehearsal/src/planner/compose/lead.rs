//! The sentences that an answer begins with.

use serde_json::Value;

use super::{Intent, section::Row, units};

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

/// What a list holds, counted by state.
pub(super) fn list_lead(noun: &str, rows: &[Row], all: usize) -> String {
    if rows.is_empty() {
        return if all == 0 {
            format!("No {noun} are reported, sir.")
        } else {
            format!("None of the {all} {noun} fits, sir.")
        };
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
    if parts.is_empty() {
        format!("{}{of_all} {noun}.", rows.len())
    } else {
        format!("{}{of_all} {noun}: {}.", rows.len(), parts.join(", "))
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
