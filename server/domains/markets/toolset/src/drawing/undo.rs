//! Undo of the drawings of one turn of the assistant.

use super::{
    Actor, Change, Drawing,
    change::{field, json, note},
    diff::{diff, get, set},
};
use crate::{Time, texts};

/// Result of undoing a turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Undone {
    /// The drawings after it, each replacing its version before.
    pub changed: Vec<Drawing>,
    /// The drawings left alone because somebody has changed them since.
    pub kept: Vec<String>,
}

/// Undoes a turn: drawings made in it are removed, and those changed or removed get their earlier
/// content back. Drawings that somebody else has changed since are kept.
pub fn undo(drawings: &[Drawing], group: &str, at: Time) -> Undone {
    let mut undone = Undone::default();
    for drawing in drawings {
        let of_turn = |change: &Change<Time>| change.group.as_deref() == Some(group);
        let is_made = drawing.group.as_deref() == Some(group);
        let first = drawing.changes.iter().position(of_turn);
        if !is_made && first.is_none() {
            continue;
        }
        let since = if is_made {
            0
        } else {
            first.unwrap_or_default()
        };
        let later = drawing.changes.get(since..).unwrap_or_default();
        // A second undo meets the change of the first, which belongs to no turn.
        if later.iter().any(|change| !of_turn(change)) || (is_made && drawing.dropped > 0) {
            undone.kept.push(drawing.id.clone());
            continue;
        }
        match back(drawing, is_made, later, at) {
            Some(next) => undone.changed.push(next),
            None if is_made && drawing.removed => {}
            None => undone.kept.push(drawing.id.clone()),
        }
    }
    undone
}

fn back(drawing: &Drawing, is_made: bool, later: &[Change<Time>], at: Time) -> Option<Drawing> {
    let mut next = drawing.clone();
    let mut changes = Vec::new();
    if is_made {
        if drawing.removed {
            return None;
        }
        next.removed = true;
        changes.push(field("removed", false, true));
    } else {
        let now = json(&drawing.content).ok()?;
        let mut content = now.clone();
        for change in later
            .iter()
            .rev()
            .flat_map(|change| change.changes.iter().rev())
        {
            match change.field.as_str() {
                "removed" => {
                    next.removed = false;
                    changes.push(field("removed", true, false));
                }
                // The events of a position cannot be undone.
                path if path.starts_with("life.") => return None,
                path if get(&content, path) == &change.to => {
                    set(&mut content, path, change.from.clone());
                }
                _ => return None,
            }
        }
        changes.extend(diff(&now, &content));
        next.content = serde_json::from_value(content).ok()?;
    }
    let change = Change {
        time: at,
        actor: Actor::User,
        person: None,
        reason: texts::drawings::TURN_WAS_TAKEN_BACK.to_owned(),
        changes,
        call: None,
        group: None,
        conversation: None,
        message: None,
    };
    note(&mut next, change);
    Some(next)
}
