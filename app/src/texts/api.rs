//! Errors of requests, and refusals by the channel.

pub(crate) const CANT_REACH_THE_SERVER: &str = "Can't reach the server.";
pub(crate) const CHECK_YOUR_CONNECTION_AND_TRY_AGAIN: &str = "Check your connection and try again.";
pub(crate) const THIS_PAGE_AND_THE_SERVER_ARE_INCOMPATIBLE: &str =
    "This page and the server are incompatible.";
pub(crate) const RELOAD_THE_PAGE_AND_TRY_AGAIN: &str = "Reload the page and try again.";
pub(crate) const THE_SERVER_COULD_NOT_READ_THE_REQUEST: &str =
    "The server could not read the request.";
pub(crate) const PAGE_MAY_BE_OUTDATED: &str = "Reload the page: it may be older than the server.";
#[cfg(feature = "ssr")]
pub(crate) const YOU_ARE_NOT_SIGNED_IN: &str = "You are not signed in.";
#[cfg(feature = "ssr")]
pub(crate) const SIGN_IN_AGAIN: &str = "Sign in again.";
#[cfg(feature = "ssr")]
pub(crate) const THE_SERVER_ISNT_FULLY_SET_UP: &str = "The server isn't fully set up.";

#[cfg(feature = "ssr")]
pub(crate) const NOT_A_CONVERSATION: &str = "This is a call of your own, not a conversation.";

pub(crate) const YOUR_ROLE_IS_READ_ONLY: &str = "Your role is read-only; actions need an operator.";
pub(crate) const ONLY_AN_ADMIN_CAN_LIFT_IT: &str = "Only an admin can lift it.";

pub(crate) const THIS_CONVERSATION_WAS_DELETED: &str = "This conversation was deleted.";

pub(crate) const HISTORY_HAS_A_GAP: &str = "The history of this conversation has a gap.";

pub(crate) fn waiting_for_your_decision(asked: &str) -> String {
    format!("Waiting for your decision: {asked}")
}
