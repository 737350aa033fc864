//! A conversation of another person, read through a link.

use protocol::{ConversationPage, ErrorBody};
use transcript::Transcript;

use super::Conversation;
use crate::names::Names;

impl Conversation {
    /// Creates a conversation from the server's page; `token` is that of its link.
    pub(crate) fn from_shared(
        page: &ConversationPage,
        names: Names,
        token: String,
    ) -> Result<Self, ErrorBody> {
        Self::read(page, names, Some(token.into()))
    }

    /// Returns the token of the share link, if it is read through one.
    pub(crate) fn token(&self) -> Option<String> {
        self.0.token.as_deref().map(str::to_owned)
    }
}

/// Ends everything in progress in a conversation that is read-only: imported, or shared by another
/// person.
pub(super) fn end_all(fold: &mut Transcript, linked: bool) {
    if linked { fold.look_on() } else { fold.close() }
}
