//! Drawings: their kinds and facts, and what a person does with them.

use markets_wire::{Cause, State};

/// The word for the state of a position.
pub(crate) fn state(state: State, cause: Option<Cause>) -> &'static str {
    match (state, cause) {
        (State::Signal, _) => "idea",
        (State::Pending, _) => "waiting",
        (State::Closed, Some(Cause::Tp)) => "target",
        (State::Closed, Some(Cause::Sl)) => "stop",
        (state, _) => state.name(),
    }
}

/// The result of an open position at a price; `r` is a multiple of its risk.
pub(crate) fn running(price: &str, pips: f64, r: Option<f64>) -> String {
    let r = r.map_or(String::new(), |r| format!(", {r:+.2} R"));
    format!("now {price}: {pips:+.1} pips{r}")
}

pub(crate) const ACCEPT: &str = "Accept";

pub(crate) const REJECT: &str = "Reject";

pub(crate) const FILL: &str = "Fill now";

pub(crate) const CALL_OFF: &str = "Cancel the position";

pub(crate) const CLOSE: &str = "Close now";

pub(crate) const DRAWINGS: &str = "Drawings";

/// The number of drawings, and of those that a replay has not reached.
pub(crate) fn counted(count: usize, later: usize) -> String {
    let counted = match count {
        0 => "No drawings".to_owned(),
        1 => "1 drawing".to_owned(),
        count => format!("{count} drawings"),
    };
    match later {
        0 => counted,
        1 => format!("{counted}; 1 of a later time is hidden in the replay"),
        later => format!("{counted}; {later} of a later time are hidden in the replay"),
    }
}

/// A drawing and its reason, in one line.
pub(crate) fn because(title: &str, reason: &str) -> String {
    format!("{title} – {reason}")
}

pub(crate) const HIDE_ASSISTANTS: &str = "Hide the assistant's";

pub(crate) const HIDE_PEOPLES: &str = "Hide people's";

/// A field of a change, with its value before and after.
pub(crate) fn from_to(field: &str, from: &str, to: &str) -> String {
    format!("{field}: {from} → {to}")
}

/// Stands for a value that there was not, or is not any more.
pub(crate) const NOTHING: &str = "nothing";

pub(crate) const ON_THE_CHART: &str = "Drawings on the chart";

pub(crate) const COLUMNS: [&str; 7] = [
    "Drawing",
    "Prices",
    "Times",
    "By",
    "Reason",
    "Importance",
    "State",
];

pub(crate) const DRAWING: &str = "Drawing";

pub(crate) const LINE: &str = "Line";

pub(crate) const RAY: &str = "Ray";

pub(crate) const ARROW: &str = "Arrow";

pub(crate) const TRENDLINE: &str = "Trendline";

pub(crate) const RECTANGLE: &str = "Rectangle";

pub(crate) const CIRCLE: &str = "Circle";

pub(crate) const FIBONACCI: &str = "Fibonacci";

pub(crate) const LONG: &str = "Long";

pub(crate) const SHORT: &str = "Short";

pub(crate) const MARKER: &str = "Marker";

pub(crate) const DRAW_BY_HAND: &str = "Draw by hand";

/// A choice: otherwise everybody sees it.
pub(crate) const FOR_ME: &str = "Draw for me only";

/// Of a drawing that nobody else sees.
pub(crate) const ONLY_FOR_ME: &str = "only for me";

pub(crate) const CLICK_PRICE: &str = "Click the price.";

pub(crate) const CLICK_BEGINNING: &str = "Click where it begins.";

pub(crate) const CLICK_BOTH_ENDS: &str = "Click both ends.";

pub(crate) const CLICK_TWO_CORNERS: &str = "Click two corners.";

pub(crate) const CLICK_CENTRE: &str = "Click the centre, then the edge.";

pub(crate) const CLICK_SWING: &str = "Click where the swing begins, then where it ends.";

pub(crate) const CLICK_STOP_BELOW: &str = "Click the entry, then the stop below it.";

pub(crate) const CLICK_STOP_ABOVE: &str = "Click the entry, then the stop above it.";

pub(crate) const CLICK_PLACE: &str = "Click the place.";

pub(crate) const MEASURE: &str = "Measure";

pub(crate) const DRAG_TO_MEASURE: &str = "Drag from one place to another.";

pub(crate) fn or_cancel(instruction: &str) -> String {
    format!("{instruction} Esc cancels.")
}

pub(crate) const SAVING: &str = "Saving…";

/// The text of a marker that a person did not write.
pub(crate) const MARKER_TEXT: &str = "Note";

pub(crate) const JARVIS: &str = "Jarvis";

pub(crate) const A_PERSON: &str = "A person";

pub(crate) const THE_PRICE: &str = "The price";

pub(crate) const UNKNOWN: &str = "Unknown";

/// Stands between two times.
pub(crate) const TO: &str = " to ";

pub(crate) fn touched(times: u64, last: Option<&str>, pips: f64) -> String {
    let touched = match times {
        1 => "touched once".to_owned(),
        times => format!("touched {times} times"),
    };
    let last = match last {
        Some(last) => format!(", last on {last}"),
        None => String::new(),
    };
    format!("{touched}{last}, {pips:.1} pips from the price")
}

pub(crate) fn importance(word: &str) -> String {
    format!("{word} importance")
}

pub(crate) const SHOWN: &str = "shown";

pub(crate) const HIDDEN: &str = "hidden";

pub(crate) const LOCKED: &str = "locked";

pub(crate) const NOT_ON_THIS_TIMEFRAME: &str = "not on this timeframe";

pub(crate) fn not_on(timeframe: &str) -> String {
    format!("not on {timeframe}")
}

pub(crate) const REASON: &str = "Reason";

pub(crate) const TEXT: &str = "Text";

pub(crate) const NOTE: &str = "Note";

pub(crate) const TAGS: &str = "Tags";

pub(crate) const TIMES: &str = "On the chart";

pub(crate) const MEASURED: &str = "Measured";

pub(crate) const DRAWN: &str = "Drawn";

pub(crate) fn drawn_by(time: &str, who: &str) -> String {
    format!("{time} by {who}")
}

pub(crate) const SHOW_MESSAGE: &str = "Show the message";

pub(crate) const CHANGES: &str = "Changes";

pub(crate) fn older_changes(count: usize) -> String {
    match count {
        1 => "1 older change".to_owned(),
        count => format!("{count} older changes"),
    }
}

/// Those of which there are too many to keep.
pub(crate) fn dropped_changes(count: u64) -> String {
    match count {
        1 => "1 more change is no longer kept.".to_owned(),
        count => format!("{count} more changes are no longer kept."),
    }
}

pub(crate) const THE_DRAWING: &str = "The drawing";

pub(crate) const SHOW: &str = "Show";

pub(crate) const HIDE: &str = "Hide";

pub(crate) const LOCK: &str = "Lock";

pub(crate) const UNLOCK: &str = "Unlock";

pub(crate) const EDIT: &str = "Edit";

pub(crate) const DELETE: &str = "Delete";

/// With a form that follows.
pub(crate) const EDIT_IN_FORM: &str = "Edit…";

/// With a form that follows.
pub(crate) const DELETE_IN_FORM: &str = "Delete…";

pub(crate) const EDIT_DRAWING: &str = "Edit the drawing";

pub(crate) const DELETE_DRAWING: &str = "Delete the drawing";

pub(crate) const REASON_FOR_DELETING: &str = "Reason for deleting";

pub(crate) const LABEL: &str = "Label";

pub(crate) const COLOUR: &str = "Colour";

pub(crate) const IMPORTANCE: &str = "Importance";

pub(crate) const SAVE: &str = "Save";

pub(crate) const CANCEL: &str = "Cancel";

pub(crate) const ASSISTANTS_TURNS: &str = "The assistant's turns";

/// Their names follow.
pub(crate) fn one_turn(drawings: usize) -> String {
    match drawings {
        1 => "One turn of Jarvis drew or changed 1 drawing: ".to_owned(),
        count => format!("One turn of Jarvis drew or changed {count} drawings: "),
    }
}

/// Follows a list of names.
pub(crate) fn and_more(count: usize) -> String {
    format!(" and {count} more")
}

pub(crate) const UNDO_MY_LAST: &str = "Undo my last change";

pub(crate) const UNDO_KEYS: &str = "Ctrl+Z, redo Ctrl+Y";

/// The name of a drawing follows.
pub(crate) const UNDO_LAST: &str = "Undo my change of";

pub(crate) const UNDO_TURN: &str = "Undo the turn";

/// Reasons of a person's own edits, as the history of a drawing shows them.
pub(crate) mod reasons {
    pub(crate) const DRAWN: &str = "drawn by hand";

    pub(crate) const DRAGGED: &str = "dragged";

    pub(crate) const EDITED: &str = "edited by hand";

    pub(crate) const HIDDEN: &str = "hidden by hand";

    pub(crate) const SHOWN: &str = "shown by hand";

    pub(crate) const LOCKED: &str = "locked by hand";

    pub(crate) const UNLOCKED: &str = "unlocked by hand";

    pub(crate) const REMOVED: &str = "removed by hand";

    pub(crate) const UNDONE: &str = "undone by hand";

    /// Of what was undone and is made again.
    pub(crate) const REDONE: &str = "redone by hand";

    /// Of a drawing that was deleted and is drawn again.
    pub(crate) const RESTORED: &str = "restored by hand";

    /// The reason of drawing it again, with the one that it had.
    pub(crate) fn again<'a>(word: &str, reason: &'a str) -> String {
        // One that came back before has such a word already.
        let without = |reason: &'a str| {
            let mut words = [REDONE, RESTORED].into_iter();
            words.find_map(|word| reason.strip_prefix(word)?.strip_prefix(": "))
        };
        let mut first = reason;
        while let Some(rest) = without(first) {
            first = rest;
        }
        let again = format!("{word}: {first}");
        // The longest reason that the server takes.
        again.chars().take(500).collect()
    }

    pub(crate) const ACCEPTED: &str = "accepted by hand";

    pub(crate) const REJECTED: &str = "rejected by hand";

    pub(crate) const FILLED: &str = "filled by hand";

    pub(crate) const CALLED_OFF: &str = "cancelled by hand";

    pub(crate) const CLOSED: &str = "closed by hand";
}
