//! Versions of a message.

use std::fmt::Display;

pub(crate) const LOADING: &str = "Loading…";
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
pub(crate) const ONE_ACTION_ALREADY_RAN_AFTER_THIS_MESSAGE: &str =
    "1 action already ran after this message. Editing the message won't undo it.";
pub(crate) const ACTIONS_THAT_ALREADY_RAN: &str = "Actions that already ran";
pub(crate) const TURN_IS_RUNNING: &str =
    "A turn is running. Wait until it ends, or stop it first. ";
pub(crate) const STOP_IT: &str = "Stop it";

pub(crate) fn message_is_too_long(limit: impl Display) -> String {
    format!("This message is too long: the limit is {limit}.")
}

pub(crate) fn actions_already_ran_after_this_message(count: impl Display) -> String {
    format!("{count} actions already ran after this message. Editing the message won't undo them.")
}

pub(crate) const PREVIOUS_VERSION: &str = "Previous version";
pub(crate) const NEXT_VERSION: &str = "Next version";
pub(crate) const ONE_ACTION_RAN_IN_ANOTHER_BRANCH: &str =
    "1 action ran in another branch. It isn't undone here.";
pub(crate) const TOOK_EFFECT: &str = "took effect";

pub(crate) fn version_of_this_message(at: impl Display, count: impl Display) -> String {
    format!("Version {at} of {count} of this message")
}

pub(crate) fn actions_ran_in_other_branches(count: impl Display) -> String {
    format!("{count} actions ran in other branches. They aren't undone here.")
}

pub(crate) fn and_older(more: impl Display) -> String {
    format!("and {more} older")
}
