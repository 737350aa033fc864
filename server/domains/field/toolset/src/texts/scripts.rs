//! Refusals of scripts.

pub(crate) const NOT_POSSIBLE: &str = "This is not possible as a script.";
pub(crate) const OTHER_DEVICE: &str = "The proposal is for another device.";
pub(crate) const PROBE_ABOVE_LOW: &str =
    "A probe is possible at low risk only. Propose a script with this step: propose_script.";
pub(crate) const PROBE_RAW: &str =
    "A probe has no packet sockets. Propose a script with this step: propose_script.";

/// A refusal of a step, counted from 1.
pub(crate) fn step(at: usize, why: &str) -> String {
    sentence(&format!("step {at}: {}", why.trim_end_matches('.')))
}

pub(crate) fn value(row: &str, slot: &str, written: &str, form: &str) -> String {
    format!("{written:?} is not possible as {slot} of {row}; its form is: {form}")
}

pub(crate) fn no_such_row(word: &str) -> String {
    format!("{word:?} begins no step of the table")
}

pub(crate) fn no_value(slot: &str) -> String {
    format!("{slot} has no value")
}

pub(crate) fn two_values(slot: &str) -> String {
    format!("{slot} has more than one value")
}

pub(crate) fn refused(line: u32, why: &str, by: &str) -> String {
    format!("Line {line} is refused by {by}: {why}")
}

/// A text with a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut signs = text.chars();
    let first = signs.next().map(|it| it.to_uppercase().to_string());
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), signs.as_str())
}
