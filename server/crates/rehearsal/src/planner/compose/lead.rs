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
pub(super) fn list_lead(noun: &str, rows: &[Row], all: usize, intent: &Intent) -> String {
    if rows.is_empty() {
        let named = intent
            .vmids
            .first()
            .map(u64::to_string)
            .or_else(|| intent.stranger.clone());
        return match (all, named) {
            (0, _) => format!("No {noun} are reported, sir."),
            (_, Some(name)) => format!("Among the {noun} none goes by {}.", units::code(&name)),
            (_, None) => format!("None of the {noun} fits, sir."),
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
