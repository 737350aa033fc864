//! Refusals of steps.

pub(crate) fn not_taken(row: &str, slot: &str, form: &str) -> String {
    format!("{row} does not take {slot}; its form is: {form}")
}

pub(crate) fn missing(row: &str, slot: &str, form: &str) -> String {
    format!("{row} needs {slot}; its form is: {form}")
}

pub(crate) fn value(row: &str, slot: &str, value: &str, form: &str) -> String {
    format!("{value:?} is not possible as {slot} of {row}; its form is: {form}")
}
