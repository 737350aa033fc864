//! Words in remedies, and refusals of remedies.

pub(crate) const NO_CHANGE: &str = "the change would leave everything as it is";
pub(crate) const MAKE_COMMENT: &str = "Makes the change";

pub(crate) fn undo_comment(seconds: u32) -> String {
    format!("Undoes the change after {seconds} s, unless somebody keeps it")
}

pub(crate) fn value(slot: &str) -> String {
    format!("the value of {slot} is not possible")
}

pub(crate) fn keep(least: u32, most: u32) -> String {
    format!("a change is undone after {least} to {most} s")
}
