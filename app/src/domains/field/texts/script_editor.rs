//! The editor of a proposal's script.

pub(crate) const NEXT_VERSION: &str = "Next version";
pub(crate) const NOTE: &str = "saved with your name; nothing runs";

pub(crate) fn edit(version: u64) -> String {
    format!("Edit version {version}")
}

pub(crate) const FORM: &str = "Form";
pub(crate) const STEPS: &str = "Typed steps";
pub(crate) const FREE_SH: &str = "Free sh";
pub(crate) const TEXT: &str = "Text";
/// About typed steps.
pub(crate) const ABOUT_STEPS: &str = "One step per line, such as “ping example.org count 4”. Write tokens or values; values become tokens.";
/// About free sh.
pub(crate) const ABOUT_SH: &str = "Nobody can check what it does, so its risk is always high and two persons approve each run. Keep secrets out of it.";
pub(crate) const STOPS: &str = "End at the first step that fails";
pub(crate) const REASON: &str = "Reason";
pub(crate) const EXPECTED: &str = "Expected results (optional)";
pub(crate) const SAVE: &str = "Check and save";
pub(crate) const DISCARD: &str = "Discard changes";

pub(crate) fn newer(newest: u64) -> String {
    format!(
        "Version {newest} was saved after you began, so this text can't be saved. Copy what you need, then \
         discard your changes to begin from version {newest}."
    )
}
