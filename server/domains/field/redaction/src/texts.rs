//! Sentences and marks of this crate.

/// Stands where a secret was. Nothing leads back to it.
pub const SECRET_REMOVED: &str = "[secret removed]";

/// Stands where text was that could not be read, and may therefore hide a value.
pub const UNREADABLE_REMOVED: &str = "[unreadable text removed]";

/// Stands where a line was that is not UTF-8.
pub const LINE_REMOVED: &str = "[line removed: not UTF-8]";

/// Stands where more than 4 KiB were without a place to cut.
pub const OVERLONG_REMOVED: &str = "[overlong text removed]";

/// Stands where a value was after the vault had reached its limit.
pub const VALUE_REMOVED: &str = "[value removed: too many values at this site]";

pub(crate) fn legend_rest(left_out: usize) -> String {
    format!("… and {left_out} more")
}

pub(crate) fn legend_network(number: u64, family: &str, length: u8, kind: &str) -> String {
    format!("n{number}: {family} /{length}, {kind}")
}

pub(crate) fn legend_interface(interface: &str) -> String {
    format!(", on {interface}")
}

pub(crate) const LEGEND_ASSUMED: &str = ", assumed: no interface or route names it";

pub(crate) fn legend_vendor(token: &str, vendor: &str) -> String {
    format!("{token}: vendor part {vendor}")
}

pub(crate) fn legend_random(token: &str) -> String {
    format!("{token}: locally administered, probably random")
}

pub(crate) fn legend_count(count: usize, class: &str) -> String {
    format!("{class}: {count} known")
}
