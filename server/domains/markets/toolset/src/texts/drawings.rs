//! Sentences of the markets for people: drawings on a chart.

use std::fmt::Display;

use markets_wire::{Cause, State};

pub(crate) const REASON_IS_TOO_SHORT: &str = "say in at least 3 characters why";

pub(crate) const THERE_ARE_MORE_THAN_10: &str = "there are more than 10";

pub(crate) const WIDER_THAN_4_PIXELS: &str = "it is above 4 pixels";

pub(crate) fn more_than(most: usize) -> String {
    format!("there are more than {most}")
}

pub(crate) const ONLY_PEOPLE_LOCK_AND_HIDE: &str = "only people lock and hide drawings";

pub(crate) const DRAWING_STAYS_WHAT_IT_IS: &str = "a drawing stays what it is";

pub(crate) const PRICE_IS_ABOVE_ZERO: &str = "a price is above zero";

pub(crate) const LINE_OF_ONE_POINT: &str = "a line needs two points, and these are one";

pub(crate) const UPRIGHT_LINE_CANNOT_BE_EXTENDED: &str =
    "a line straight up cannot be extended; it needs two times";

pub(crate) const CORNERS_MUST_DIFFER_IN_TIME: &str = "the corners must differ in time and in price";

pub(crate) const IT_IS_CENTRE: &str = "it is the centre";

pub(crate) const PRICE_OF_THE_FIRST_ANCHOR: &str = "it is the price of the first anchor";

pub(crate) const LEVELS_ARE_OUT_OF_RANGE: &str =
    "there must be 1 to 20 levels, each between -10 and 10";

pub(crate) fn is_longer_than(most: usize) -> String {
    format!("it is longer than {most} characters")
}

pub(crate) const IT_HAS_CONTROL_CHARACTERS: &str = "it has control characters";

pub(crate) const TURN_WAS_TAKEN_BACK: &str = "the turn was taken back";

/// Tells the model who sees a drawing that is not for everybody.
pub(crate) const THIS_PERSON_ALONE: &str = "this person alone";

pub(crate) fn no_such_drawing(id: &str) -> String {
    format!("There is no drawing {id:?}.")
}

pub(crate) fn is_on_chart_already(shape: &str, id: &str, version: u64) -> String {
    format!(
        "The very same {shape} is on the chart already: {id} at version {version}. Update it \
         instead of drawing it again."
    )
}

pub(crate) const NOTHING_TO_CHANGE_IN: &str = "Nothing to change in";

pub(crate) fn change(drawing: &str) -> String {
    format!("Change {drawing}.")
}

pub(crate) fn remove(drawing: &str) -> String {
    format!("Remove {drawing}.")
}

pub(crate) fn nothing_of_turn(group: &str) -> String {
    format!("Nothing on the chart is of the turn {group:?}.")
}

pub(crate) fn touched(done: &str, drawing: &str, touches: u64, distance_pips: f64) -> String {
    let touches = match touches {
        1 => "1 touch".to_owned(),
        touches => format!("{touches} touches"),
    };
    let distance = distance_pips.abs();
    format!("{done}: {drawing}; {touches}, {distance:.1} pips from the price")
}

pub(crate) const GIVE_EITHER_CHANGES_OR_EVENT: &str = "Give either changes or an event.";

pub(crate) fn drawing_is_on(id: &str, symbol: &impl Display) -> String {
    format!("The drawing {id} is on {symbol}.")
}

pub(crate) fn drawing_was_removed(id: &str) -> String {
    format!("The drawing {id} was removed.")
}

pub(crate) fn refused(other: &impl Display) -> String {
    format!("Refused: {other}.")
}

pub(crate) fn removed(drawing: &str) -> String {
    format!("Removed: {drawing}")
}

pub(crate) fn taken_back_drawings(count: usize) -> String {
    format!("Taken back: {count} drawings")
}

pub(crate) fn changed_drawings_stay(count: usize) -> String {
    format!("; {count} stay, for they have changed since")
}

pub(crate) const TO_NEWEST_BAR: &str = "to the newest bar";

pub(crate) const REALTIME_IS_TRUE_OR_LEFT_OUT: &str = "realtime is true or left out.";

pub(crate) const GIVE_EITHER_TIME_OR_REALTIME: &str = "Give either a time or realtime.";

pub(crate) fn moved_chart_of(symbol: &impl Display, place: &str) -> String {
    format!("Moved the chart of {symbol} {place}")
}

pub(crate) const INPUT_IS_NO_OBJECT: &str = "The input is no object.";

pub(crate) fn event_price(error: &impl Display) -> String {
    format!("event.price: {error}.")
}

pub(crate) const EVENT_FILL_HAS_PRICE: &str = "event: a fill has a price and no cause.";

pub(crate) const EVENT_CLOSE_HAS_PRICE_AND_CAUSE: &str = "event: a close has a price and a cause.";

pub(crate) const EVENT_PRICE_AND_CAUSE: &str =
    "event: only a fill and a close have a price, and only a close a cause.";

pub(crate) fn draw(drawing: &str) -> String {
    format!("Draw {drawing}.")
}

pub(crate) fn take_back_what_turn_drew(group: &str) -> String {
    format!("Take back what the turn {group} drew.")
}

pub(crate) const RUNNING_TWICE_IS_SAFE: &str = "Running it twice is the same as running it once.";

pub(crate) fn price_reached_entry(price: &str) -> String {
    format!("the price reached the entry: filled at {price}")
}

pub(crate) fn price_reached_target(price: &str) -> String {
    format!("the price reached the target: closed at {price}")
}

pub(crate) fn price_reached_stop(price: &str) -> String {
    format!("the price reached the stop: closed at {price}")
}

pub(crate) const PRICE_MOVED_IT: &str = "the price moved it along";

pub(crate) fn notice_of_fill(position: &str, price: &str) -> String {
    format!("The {position} was filled at {price}.")
}

pub(crate) fn notice_of_target(position: &str, price: &str) -> String {
    format!("The {position} reached its target: closed at {price}.")
}

pub(crate) fn notice_of_stop(position: &str, price: &str) -> String {
    format!("The {position} reached its stop: closed at {price}.")
}

pub(crate) const LONG_POSITION: &str = "long position";

pub(crate) const SHORT_POSITION: &str = "short position";

pub(crate) const OLDER_CHANGES_ARE_NOT_KEPT: &str = "older changes are no longer kept";

/// Stands in the trail for the changes of a drawing that an earlier release did not keep.
pub(crate) fn older_changes_are_not_kept(count: u64) -> String {
    match count {
        1 => "1 older change is no longer kept".to_owned(),
        count => format!("{count} older changes are no longer kept"),
    }
}

pub(crate) const POSITIONS: &str = "the positions on the charts";

pub(crate) fn positions_read(count: usize) -> String {
    match count {
        1 => "1 position".to_owned(),
        count => format!("{count} positions"),
    }
}

pub(crate) const RESULT_OF_POSITION: &str = "pips: from the opening to the close, or to the price now, without \
     costs; r: the same as multiple of the distance from the opening to the stop at that time";

pub(crate) const NO_RISK: &str = "the stop was at the price of the opening";

pub(crate) const STOP_AT_ENTRY_IS_UNKNOWN: &str = "the stop at the opening is no longer kept";

/// The field of a position's state.
pub(crate) const STATE: &str = "state";

/// The name of a field, from its path in a record.
pub(crate) fn field(path: &str) -> String {
    let name = path.strip_prefix("shape.").or(path.strip_prefix("life."));
    name.unwrap_or(path).replace(['.', '_'], " ")
}

/// The moment of what a field names.
pub(crate) fn moment_of(field: &str) -> String {
    format!("{field} at")
}

/// The word for the state of a position, as the chart's page has it.
pub(crate) fn state(state: State) -> &'static str {
    match state {
        State::Signal => "idea",
        State::Pending => "waiting",
        other => other.name(),
    }
}

/// The word for why a position was closed.
pub(crate) fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Tp => "target",
        Cause::Sl => "stop",
        Cause::Manual => "by hand",
        Cause::Expiry => "expiry",
    }
}

pub(crate) fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Words of a person or of the assistant.
pub(crate) fn quoted(text: &str) -> String {
    format!("“{text}”")
}

/// The result of a closed position; `r` is a multiple of its risk.
pub(crate) fn closed_at(price: &str, pips: f64, r: Option<f64>) -> String {
    let r = r.map_or(String::new(), |r| format!(", {r:+.2} R"));
    format!("closed at {price}: {pips:+.1} pips{r}")
}
