//! Pages, and what they share.

#[cfg(feature = "ssr")]
pub(crate) const DESCRIPTION: &str = "An operator's console for your systems.";

pub(crate) fn page_title(title: &str) -> String {
    format!("{title} · Jarvis")
}

pub(crate) const ABOUT: &str = "About ";
pub(crate) const FILES: &str = "Files";
pub(crate) const NOT_SHOWN_HERE: &str = ", not shown here";

pub(crate) const OPENING_THE_CONVERSATION: &str = "Opening the conversation…";
pub(crate) const THE_CONVERSATION_COULD_NOT_BE_OPENED: &str =
    "The conversation could not be opened";
pub(crate) const NEW_CONVERSATION: &str = "New conversation";
pub(crate) const CONVERSATION_NOT_FOUND: &str = "Conversation not found";
pub(crate) const IT_MAY_HAVE_BEEN_DELETED: &str =
    "It may have been deleted, or it belongs to someone else.";

pub(crate) const LOADING_THE_FEED: &str = "Loading the feed…";
pub(crate) const THE_FEED_CANNOT_BE_SHOWN: &str = "The feed cannot be shown";
pub(crate) const FEED: &str = "Feed";

pub(crate) const PAGE_NOT_FOUND: &str = "Page not found";
pub(crate) const THE_ADDRESS_MAY_BE_MISTYPED: &str =
    "The address may be mistyped, or the page may have moved.";
