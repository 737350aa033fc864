//! Whether the open part of a card already says every value of the input. Only then may the rest be
//! folded away: nobody approves a value that they did not see.

use protocol::{CardSection, Confirmation};
use serde_json::Value;

/// Returns whether each value of the input stands in the sentence, the target or a section.
pub(super) fn is_covered(asked: &Confirmation) -> bool {
    let sections = asked.sections.iter().flat_map(CardSection::texts);
    let mut shown = vec![asked.sentence.to_lowercase(), asked.target.to_lowercase()];
    shown.extend(sections.map(str::to_lowercase));
    let says = |text: &str| {
        let text = text.to_lowercase();
        !text.is_empty() && shown.iter().any(|shown| has_word(shown, &text))
    };
    covers(&asked.input, &says)
}

fn covers(input: &Value, says: &dyn Fn(&str) -> bool) -> bool {
    match input {
        Value::Object(fields) => fields.values().all(|value| covers(value, says)),
        Value::Array(items) => items.iter().all(|value| covers(value, says)),
        // A word alone says nothing about a switch, nor does its absence.
        Value::Bool(_) | Value::Null => false,
        Value::Number(number) => says(&number.to_string()),
        // A text of several lines stands in a section line by line.
        Value::String(text) => {
            text.lines().count() > 0 && text.lines().all(|line| line.is_empty() || says(line))
        }
    }
}

/// Returns whether a text is in another as a whole: `10` is not in `VM 101`.
fn has_word(shown: &str, text: &str) -> bool {
    shown.match_indices(text).any(|(at, found)| {
        let before = shown[..at].chars().next_back();
        let after = shown[at + found.len()..].chars().next();
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_part(before) && !is_part(after)
    })
}

#[cfg(test)]
mod tests {
    use protocol::{Assurance, Fact, Tier, Timestamp};
    use serde_json::json;

    use super::*;

    fn card(input: Value) -> Confirmation {
        Confirmation {
            revision: 1,
            digest: String::new(),
            sentence: "Shut down VM 101 (nextcloud) on node pve.".to_owned(),
            target: "VM 101 (nextcloud) on node pve".to_owned(),
            tier: Tier::Red,
            input,
            original: None,
            facts: vec![Fact {
                label: "Tags".to_owned(),
                value: "folded".to_owned(),
            }],
            origins: Vec::new(),
            risks: Vec::new(),
            risk: None,
            sections: vec![CardSection::text("Script", "bash", "set -e\n\nreboot now")],
            reason: None,
            irreversible: None,
            choices: Vec::new(),
            editable: Vec::new(),
            assurance: Assurance::Press,
            grantable: false,
            grant_limit: None,
            expires: Timestamp(0),
            changed: None,
            second: None,
        }
    }

    #[test]
    fn what_stands_nowhere_is_not_folded() {
        for (input, covered) in [
            (json!({}), true),
            (json!({ "node": "pve", "vmid": 101 }), true),
            (json!({ "node": "PVE", "vmid": "101" }), true),
            (json!({ "script": "set -e\n\nreboot now" }), true),
            (json!({ "script": "set -e\nreboot later" }), false),
            // Part of a longer number or name.
            (json!({ "vmid": 10 }), false),
            (json!({ "node": "pv" }), false),
            // A switch, an empty text, a text that only the folded part has.
            (json!({ "node": "pve", "hard": true }), false),
            (json!({ "node": "" }), false),
            (json!({ "node": null }), false),
            (json!({ "tag": "folded" }), false),
            (json!({ "list": ["pve", "evil"] }), false),
        ] {
            assert_eq!(is_covered(&card(input.clone())), covered, "{input}");
        }
    }
}
