//! Versions of a message.

pub(crate) const YOUR_MESSAGE: &str = "Your message";
pub(crate) const CHECKING_WHAT_ALREADY_RAN: &str = "Checking what already ran…";
pub(crate) const SENDING: &str = "Sending…";
pub(crate) const RUN_AGAIN: &str = "Run again";
pub(crate) const RUN_AGAIN_WITHOUT_UNDOING: &str = "Run again without undoing";
pub(crate) const EDIT_THE_MESSAGE: &str = "Edit the message";
pub(crate) const RUN_THE_MESSAGE_AGAIN: &str = "Run the message again";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CURRENT_VERSION_IS_KEPT: &str =
    "This starts another version; the current one is kept.";
pub(crate) const DONE: &str = "done";
pub(crate) const FAILED: &str = "failed";
pub(crate) const RUNNING: &str = "running";
pub(crate) const OUTCOME_UNKNOWN: &str = "outcome unknown";
pub(crate) const DID_NOT_TAKE_EFFECT: &str = "did not take effect";
pub(crate) const ACTIONS_THAT_ALREADY_RAN: &str = "Actions that already ran";
pub(crate) const TURN_IS_RUNNING: &str =
    "A turn is running. Wait until it ends, or stop it first. ";
pub(crate) const STOP_IT: &str = "Stop it";

pub(crate) fn message_is_too_long(limit: &str) -> String {
    format!("This message is too long: the limit is {limit}.")
}

pub(crate) fn actions_already_ran(count: usize) -> String {
    match count {
        1 => {
            "1 action already ran after this message. Editing the message won't undo it.".to_owned()
        }
        count => format!(
            "{count} actions already ran after this message. Editing the message won't undo them."
        ),
    }
}

/// Follows the name of a tool.
pub(crate) fn on(target: &str) -> String {
    format!(" on {target}")
}

pub(crate) const PREVIOUS_VERSION: &str = "Previous version";
pub(crate) const NEXT_VERSION: &str = "Next version";
pub(crate) const TOOK_EFFECT: &str = "took effect";

pub(crate) fn version_of_this_message(at: usize, count: usize) -> String {
    format!("Version {at} of {count} of this message")
}

/// Returns `2 of 3`.
pub(crate) fn place_of(at: usize, count: usize) -> String {
    format!("{at} of {count}")
}

pub(crate) fn actions_ran_in_other_branches(count: usize) -> String {
    match count {
        1 => "1 action ran in another branch. It isn't undone here.".to_owned(),
        count => format!("{count} actions ran in other branches. They aren't undone here."),
    }
}

pub(crate) fn and_older(more: u32) -> String {
    format!("and {more} older")
}
