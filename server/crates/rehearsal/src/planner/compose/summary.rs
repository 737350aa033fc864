//! A result that begins with its own summary, which is said as it is: whoever made the result knows
//! best which figures of it count.

use serde_json::Value;

use super::{
    facts::facts,
    naming::Naming,
    section::{FlatRow, ResultSection, gather},
    table, units,
};
use crate::planner::{plan::Desk, view::Done};

/// The summary of a result, as one line.
pub(super) fn text(done: &Done) -> Option<&str> {
    let text = done.data["summary"].as_str()?.trim();
    (!done.is_error && !text.is_empty()).then_some(text)
}

/// True if a result tells its summary.
pub(super) fn is_told(desk: Desk<'_>) -> bool {
    desk.view.done.iter().any(|done| text(done).is_some())
}

/// The summary as a sentence, and everything else below it.
pub(super) fn fill(done: &Done, text: &str, desk: Desk<'_>, section: &mut ResultSection) {
    let text = units::safe(text);
    let text = units::capitalised(text.trim_end_matches('.'));
    section.lead = Some(format!("{text}, sir."));
    let mut scalars: FlatRow = Vec::new();
    let mut lists: Vec<(String, Vec<FlatRow>)> = Vec::new();
    gather("", &without_summary(&done.data), &mut scalars, &mut lists);
    for (key, rows) in lists.iter().filter(|(_, rows)| !rows.is_empty()) {
        let naming = Naming {
            key,
            places: desk.toolbox.places.as_slice(),
        };
        let table = table::of(rows, naming, &desk.ask.said, desk.ask.count);
        section.body.push_str(&format!("{}\n\n", table.trim_end()));
    }
    section.body.push_str(&facts(&scalars));
    section.unknown = scalars
        .iter()
        .any(|(_, value)| units::unknown(value).is_some());
}

fn without_summary(data: &Value) -> Value {
    let mut data = data.clone();
    if let Some(fields) = data.as_object_mut() {
        fields.remove("summary");
    }
    data
}
