//! The axes: the scale of prices, and the time zone.

pub(crate) const AXES: &str = "Axes";

pub(crate) const LOG_SCALE: &str = "Logarithmic scale";

pub(crate) const TIME_ZONE: &str = "Time zone";

pub(crate) const UTC: &str = "UTC";

pub(crate) const THIS_DEVICE: &str = "This device";

/// The zone in which the sessions of a symbol begin and end, by its city.
pub(crate) fn sessions(city: &str) -> String {
    format!("Sessions ({city})")
}

pub(crate) fn moment(day: &str, time: &str, zone: &str) -> String {
    format!("{day} {time} {zone}")
}

/// Label of the button in the corner between the axes.
pub(crate) fn corner(zone: &str, is_log: bool) -> String {
    if is_log {
        format!("log {zone}")
    } else {
        zone.to_owned()
    }
}
