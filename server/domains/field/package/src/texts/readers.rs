//! Reasons that an output was not read.

pub(crate) const TOO_LARGE: &str = "the output is too large to be read";
pub(crate) const NOT_JSON: &str = "the output is not JSON";

pub(crate) fn missing(part: &str) -> String {
    format!("the output does not have the expected form: {part} missing")
}
