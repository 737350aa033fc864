//! Replay of the past.

pub(crate) const REPLAY: &str = "Replay";

pub(crate) const LEAVE_REPLAY: &str = "End";

pub(crate) const CLICK_BAR: &str = "Click the bar to start from.";

pub(crate) const START_IN_MIDDLE: &str = "Start in the middle";

pub(crate) const OTHER_BAR: &str = "Other bar";

pub(crate) const ONE_BAR_BACK: &str = "One bar back";

pub(crate) const ONE_BAR_ON: &str = "One bar on";

pub(crate) const PLAY: &str = "Play";

pub(crate) const PAUSE: &str = "Pause";

pub(crate) const SPEED: &str = "Bars per second";

pub(crate) fn times(speed: u32) -> String {
    format!("{speed}×")
}

/// In place of the price of now.
pub(crate) const PRICE_IS_HIDDEN: &str = "Price hidden";

/// In place of rows that lack the market's time. `one`: the word for one of them.
pub(crate) fn hidden(count: usize, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("Hidden during a replay: {count} {one}{plural}.")
}

/// In place of the trail, of which nobody counts all rows.
pub(crate) const TRAIL_IS_HIDDEN: &str = "Hidden during a replay: all changes.";

/// For the assistant, after what it asked for.
pub(crate) fn in_replay(done: &str, until: &str) -> String {
    format!("{done}. The user replays the past: candles after {until} are hidden")
}

pub(crate) const DRAWING_IS_OF_THE_FUTURE: &str =
    "The user replays the past, and the drawing is of a later time than the bar that was reached.";
