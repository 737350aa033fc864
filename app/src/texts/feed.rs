//! The feed.

pub(crate) const WHEN: &str = "When";
pub(crate) const ENDED: &str = "Ended";
pub(crate) const TARGET: &str = "Target";
pub(crate) const PERSON: &str = "Person";
pub(crate) const SOURCE: &str = "Source";
pub(crate) const TOOL: &str = "Tool";
pub(crate) const SHOW_ONLY_THIS_EVENT: &str = "Show only this event";
pub(crate) const COPY_THE_LINK: &str = "Copy the link";
pub(crate) const ONLY_THIS: &str = "only this";
pub(crate) const RAN_FOR: &str = "ran for";
pub(crate) const UNTIL: &str = "until";
pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";
pub(crate) const OPEN_THE_CONVERSATION: &str = "Open the conversation";

pub(crate) fn ended_after(moment: &str, took: &str) -> String {
    format!("{moment} (after {took})")
}

pub(crate) fn show_only_events_with(label: &str, value: &str) -> String {
    format!("Show only events with the {label} {value}")
}

pub(crate) fn open_the(kind: &str) -> String {
    format!("Open the {kind}")
}

pub(crate) const CLEAR_FILTERS: &str = "Clear filters";
pub(crate) const EVENTS: &str = "Events";
pub(crate) const SEARCH_THE_FEED: &str = "Search the feed";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const KIND: &str = "Kind";
pub(crate) const TIER: &str = "Tier";
pub(crate) const NAME_OF_TARGET: &str = "Name of a target";
pub(crate) const FROM: &str = "From";
pub(crate) const TO: &str = "To";
pub(crate) const EXPORT_THE_RESULTS: &str = "Export the results";
pub(crate) const CSV: &str = "CSV";
pub(crate) const JSON_LINES: &str = "JSON Lines";

/// `count`: how many of them are set.
pub(crate) fn more_filters(count: usize) -> String {
    match count {
        0 => "More filters".to_owned(),
        count => format!("More filters ({count})"),
    }
}

pub(crate) const TASK: &str = "Task";
pub(crate) const LOG: &str = "Log";
pub(crate) const NOTICE: &str = "Notice";
pub(crate) const TOOL_CALL: &str = "Tool call";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const GRANT: &str = "Grant";
pub(crate) const KILL_SWITCH: &str = "Kill switch";
pub(crate) const SIGN_IN: &str = "Sign-in";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const OTHER: &str = "Other";
pub(crate) const WARNING: &str = "Warning: ";
pub(crate) const FAILURE: &str = "Failure: ";
pub(crate) const UNKNOWN: &str = "Unknown: ";

pub(crate) const TODAY: &str = "Today";
pub(crate) const YESTERDAY: &str = "Yesterday";

pub(crate) fn day_in_utc(iso_date: &str) -> String {
    format!("{iso_date} UTC")
}

pub(crate) const FEED: &str = "Feed";
pub(crate) const EVENT_NOT_FOUND: &str =
    "Event not found. It may be older than the feed's retention period.";
pub(crate) const EVENTS_NEWEST_FIRST: &str = "Events, newest first";
pub(crate) const GO_TO_THE_NEWEST: &str = "Go to the newest";
pub(crate) const NO_EVENTS_YET: &str = "No events yet.";
pub(crate) const NO_MATCHING_EVENTS: &str =
    "No matching events. Clear the filters or search for fewer words.";
pub(crate) const NO_OLDER_EVENTS: &str = "No older events.";
pub(crate) const SHOW_OLDER: &str = "Show older";

pub(crate) fn kept_for_days(days: u32) -> String {
    match days {
        1 => "Kept for 1 day".to_owned(),
        days => format!("Kept for {days} days"),
    }
}

pub(crate) fn new_events(count: usize) -> String {
    format!("{count} new")
}
