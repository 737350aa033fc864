//! Texts about comments.

/// The author of comments with the site's key; the ERP keeps its own user beside it.
pub(crate) const AUTHOR: &str = "Jarvis";
/// The most characters of an author.
const LONGEST_AUTHOR: usize = 140;

/// The author of comments with a person's own key. The user's id, because everybody chooses their full
/// name themselves.
pub(crate) fn author_for(user: &str) -> String {
    let author = format!("{AUTHOR} for {user}");
    author.chars().take(LONGEST_AUTHOR).collect()
}
pub(crate) const IS_EMPTY: &str = "The comment is empty.";
pub(crate) const SENDS_MAIL: &str = "A person or address that a comment names may get mail.";
pub(crate) const TITLE: &str = "Comment";
pub(crate) const READ_BY_ALL: &str = "Read by everybody";
pub(crate) const READ_BY_ALL_DETAIL: &str =
    "Everybody who may read the document reads it; it cannot be taken back from here.";

pub(crate) fn add(target: &str) -> String {
    format!("Add a comment to {target}.")
}

pub(crate) fn added(target: &str) -> String {
    format!("Comment added to {target}")
}

pub(crate) const NOT_THERE: &str = "There is no such comment.";
pub(crate) const MAY_STILL_COME: &str =
    "There is no such comment yet, and the ERP may still be working on it.";

/// Nothing was sent.
pub(crate) const NOT_NOTED: &str =
    "The comment was not sent, because what was about to be sent could not be stored first.";
pub(crate) const MAY_BE_ANOTHERS: &str =
    "such a comment is there, but another call that was cut off at that time asked for the same";

pub(crate) fn not_added(reason: &str) -> String {
    format!("The comment was not added: {reason}.")
}

pub(crate) fn maybe_added(reason: &str) -> String {
    format!("It is unknown whether the comment was added: {reason}.")
}

pub(crate) const IS_MISSING: &str = "The comment of this call is not there, and is not added now.";
