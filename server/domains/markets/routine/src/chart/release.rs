//! A release that a figure is placed at.

use rehearsal::routine::{Call, View};
use serde_json::{Value, json};

use super::{Subject, call};

const TOOL: &str = "get_news_events";
/// Hours that releases are looked for in, back from now.
const HOURS: u64 = 720;

/// The call that reads releases, where it has not been made.
pub(super) fn call_for(view: &View<'_>, subject: &Subject) -> Option<Call> {
    let tool = view.tool(TOOL)?;
    let input = json!({ "symbol": subject.symbol, "hours_back": HOURS, "hours_ahead": 0 });
    let is_read = view.done.iter().any(|done| done.name == TOOL);
    (!is_read).then(|| call(tool, &input))
}

/// The name and the time of the newest release of this name, or of any.
pub(super) fn newest(view: &View<'_>, name: Option<&str>) -> Option<(String, String)> {
    let mut done = view.done.iter().rev();
    let read = done.find(|done| done.name == TOOL && !done.is_error)?;
    let name = name.map(str::to_lowercase);
    let events = read.data["events"].as_array()?.iter();
    let released = events.filter_map(|event| {
        let text = |field: &str| event[field].as_str().map(str::to_owned);
        Some((text("name")?, text("scheduled_at")?, event))
    });
    let fits = |(own, _, event): &(String, String, &Value)| {
        let is_named = name
            .as_ref()
            .is_none_or(|name| own.to_lowercase().contains(name.as_str()));
        // Without a name, one that mattered.
        is_named && (name.is_some() || event["impact"] != "low")
    };
    let newest = released.filter(fits).max_by(|a, b| a.1.cmp(&b.1))?;
    Some((newest.0, newest.1))
}
