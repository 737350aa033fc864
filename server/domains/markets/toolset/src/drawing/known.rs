//! Since when a drawing says what it does, in the market's time: a replay of the past shows it from then on.

use super::{Change, Drawing};
use crate::Time;

/// Beginnings of the fields of a record that say nothing about the market.
const SILENT: [&str; 7] = [
    "style",
    "tags",
    "importance",
    "visible_on",
    "locked",
    "hidden",
    "removed",
];

fn tells(change: &Change<Time>) -> bool {
    let is_silent = |field: &str| SILENT.iter().any(|name| field.starts_with(name));
    change.changes.iter().any(|it| !is_silent(&it.field))
}

/// Notes the market's time of a new drawing, or of the newest change of one if that tells something.
pub(crate) fn mark_known(drawing: &mut Drawing, market: Time) {
    if drawing.changes.last().is_none_or(tells) {
        drawing.known_at = Some(market);
    }
}

/// The market's time since which a drawing says what it does. Records of earlier releases have the server's
/// only, which a simulated market does not share.
pub(crate) fn known_since(drawing: &Drawing) -> Time {
    let newest = || drawing.changes.iter().rfind(|change| tells(change));
    let recorded = || newest().map_or(drawing.created_at, |change| change.time);
    drawing.known_at.unwrap_or_else(recorded)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn drawing(changes: &Value) -> Drawing {
        let json = json!({
            "id": "call_01", "owner": "everyone", "symbol": "EURUSD", "version": 3,
            "actor": "model", "reason": "a high", "created_at": "2017-03-10T13:00:00Z",
            "content": { "shape": { "kind": "horizontal_line", "price": 1.085 } },
            "life": null, "changes": changes,
        });
        serde_json::from_value(json).unwrap()
    }

    fn change(day: u8, field: &str) -> Value {
        json!({ "time": format!("2017-03-{day}T13:00:00Z"), "actor": "user", "reason": "edited",
            "changes": [{ "field": field, "from": 1, "to": 2 }] })
    }

    #[test]
    fn a_move_is_newer_than_the_drawing_and_a_colour_is_not() {
        let (moved, painted) = (change(11, "shape.price"), change(12, "style.colour"));
        for (changes, since) in [
            (json!([]), "2017-03-10T13:00:00Z"),
            (json!([painted]), "2017-03-10T13:00:00Z"),
            (json!([moved, painted]), "2017-03-11T13:00:00Z"),
        ] {
            let mut marked = drawing(&changes);
            assert_eq!(known_since(&marked).to_string(), since);
            mark_known(&mut marked, Time(7));
            let is_marked = changes.as_array().unwrap().is_empty();
            assert_eq!(marked.known_at, is_marked.then_some(Time(7)));
        }
        let mut marked = drawing(&json!([moved]));
        mark_known(&mut marked, Time(7));
        assert_eq!(known_since(&marked), Time(7));
    }
}
