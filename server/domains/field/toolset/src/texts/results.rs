//! Results of steps.

pub(crate) const STILL_RUNNING: &str = "the step is still running";
pub(crate) const NO_END: &str = "nobody knows how the step ended";
pub(crate) const NO_STEPS: &str = "free sh has no typed results";
pub(crate) const ERROR_OUTPUT: &str = "\n[output of errors]\n";

pub(crate) fn left_out(characters: usize) -> String {
    format!("\n[{characters} characters left out]\n")
}
