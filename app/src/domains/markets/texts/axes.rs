//! The axes: the scale of prices, and the time zone.

pub(crate) const AXES: &str = "Axes";

pub(crate) const LOG_SCALE: &str = "Logarithmic scale";

/// What stands in the corner between the axes.
pub(crate) fn corner(is_log: bool) -> &'static str {
    if is_log { "log UTC" } else { "UTC" }
}
