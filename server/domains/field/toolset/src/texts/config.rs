//! Refusals of settings.

pub(crate) fn between(least: u32, most: u32) -> String {
    format!("is {least} to {most}")
}
