//! A conversation of another person, read under a link.

use protocol::{ConversationPage, ErrorBody};
use transcript::Transcript;

use super::Conversation;
use crate::names::Names;

impl Conversation {
    /// As the server gave it; `token` is what opens it.
    pub(crate) fn from_shared(
        page: &ConversationPage,
        names: Names,
        token: String,
    ) -> Result<Self, ErrorBody> {
        Self::read(page, names, Some(token.into()))
    }

    /// What opens it, if it is read under a link.
    pub(crate) fn token(&self) -> Option<String> {
        self.0.token.as_deref().map(str::to_owned)
    }
}

/// Ends what is under way in a conversation that is only read: out of a file, or under a link.
pub(super) fn end_all(fold: &mut Transcript, linked: bool) {
    match linked {
        true => fold.look_on(),
        false => fold.close(),
    }
}
