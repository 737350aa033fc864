//! Values that a toolset hides from models.

use async_trait::async_trait;
use protocol::{ConversationId, Reference, UserId};

/// The conversation whose model is about to read something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactionScope {
    pub conversation: ConversationId,
    /// The conversation's owner.
    pub person: UserId,
    /// The things that the newest message names. A toolset that needs those of an older one keeps
    /// them itself.
    pub about: Vec<Reference>,
    /// True for a call that a program relays, outside of any conversation: with nothing in `about` its
    /// texts may be about anything.
    pub is_relayed: bool,
}

/// The treatment of tokens that stand in a text before it is covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRule {
    /// They were planted, or are a coincidence, and must not pass for tokens: the text comes from
    /// outside.
    Escape,
    /// They stay: the text was covered before, or comes from somebody who may use tokens. That is the
    /// person, the model, and each toolset that hides values, which covers what it takes in itself.
    Keep,
}

/// A hidden value in a request that was about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakedValue {
    /// The class of the value in a few words, such as `phone number`.
    pub class: String,
    /// The token that stands for it. Never the value: people and the audit chain read it.
    pub token: String,
}

/// The reason why texts cannot be covered or checked now, for the log. It holds no hidden value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotCovered(pub String);

/// Replaces values with tokens in everything that the model of a conversation reads.
///
/// The engine covers each text when the model's form of it is made, before that form is stored, and
/// sends that form ever after. A person's own words stay as they typed them on their page. Texts of
/// the model are covered too, but its signed thinking cannot be.
///
/// A tool of such a toolset gets inputs with tokens. If its [`assess`] restores a value, it gives
/// the value as [`InputValue::text`] and the token in [`InputValue::mapped_from`] or the reverse, so
/// that both the person's words and the texts from outside are known as its source.
///
/// [`assess`]: super::Tool::assess
/// [`InputValue::text`]: super::InputValue::text
/// [`InputValue::mapped_from`]: super::InputValue::mapped_from
#[async_trait]
pub trait Redaction: Send + Sync + 'static {
    /// Covers texts: as many as it gets, in the same order. Covering what is covered changes nothing
    /// under [`TokenRule::Keep`]. A token must be stored before this returns, for it is sent again
    /// after a restart.
    ///
    /// # Errors
    /// The values cannot be read or a token cannot be stored now. Nothing of the texts is used.
    async fn cover(
        &self,
        scope: &RedactionScope,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, NotCovered>;

    /// Takes the text of the server itself in requests of conversations with this toolset:
    /// instructions, definitions of tools, and words of the request's JSON. It comes once, when the
    /// engine is built. No cover replaces these words, so a value that is one of them cannot be told
    /// from it, and would stop every request if it counted as a leak.
    fn fixed_text(&self, _text: &str) {}

    /// Looks for a hidden value in a whole request, just before it is sent: its JSON, and then each
    /// text in it with all JSON undone. A value that became known only after the conversation has
    /// read it in the clear is found here too: the engine then covers the texts of this request
    /// again, and asks a second time. What is found then stops the turn.
    ///
    /// # Errors
    /// The values cannot be read now. The request is not sent.
    async fn leaks(
        &self,
        scope: &RedactionScope,
        request: &[u8],
    ) -> Result<Option<LeakedValue>, NotCovered>;
}
