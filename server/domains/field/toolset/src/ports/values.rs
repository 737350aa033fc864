//! Hidden values: covering texts, finding leaks, and looks of people.

use agent::ports::{LeakedValue, TokenRule};
use async_trait::async_trait;
use protocol::{ConversationId, Timestamp, UserId};

use super::FieldFault;

/// The values that are hidden from models.
#[async_trait]
pub trait FieldValues: Send + Sync + 'static {
    /// The site that a conversation is about. The first one that is given for it stays, also after a
    /// restart; without one so far and none given, there is none. Tokens of two sites never
    /// meet in one conversation.
    async fn site_of(
        &self,
        conversation: ConversationId,
        site: Option<&str>,
    ) -> Result<Option<String>, FieldFault>;

    /// Texts with tokens in place of values, in the same order; each token is stored before this
    /// returns. Without a site, the values are those of the installation, for conversations that are
    /// about no site yet. See [`agent::ports::Redaction::cover`].
    async fn cover(
        &self,
        site: Option<&str>,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, FieldFault>;

    /// Text of the server itself in each request. See [`agent::ports::Redaction::fixed_text`].
    fn fixed_text(&self, text: &str);

    /// The first hidden value in the bytes of a request. See [`agent::ports::Redaction::leaks`].
    async fn leaks(
        &self,
        conversation: ConversationId,
        site: Option<&str>,
        request: &[u8],
    ) -> Result<Option<LeakedValue>, FieldFault>;

    /// Gives a person values, and records the look in the same transaction. One that finds nothing is
    /// recorded too. The same look of the same person at the same place may be recorded once.
    ///
    /// # Errors
    /// [`super::FieldFaultCode::NotAllowed`] if the person's role does not let them see values.
    async fn reveal(&self, look: &LookOrder) -> Result<Vec<RevealedValue>, FieldFault>;

    /// The newest looks at values of a site, newest first.
    async fn looks(&self, site: &str, limit: u32) -> Result<Vec<LookNote>, FieldFault>;
}

/// A wish to see values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookOrder {
    pub site: String,
    /// 500 at most.
    pub tokens: Vec<String>,
    pub person: UserId,
    /// Where they stand, such as `card` and a call, or a bundle.
    pub place: String,
}

/// A value for a person. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct RevealedValue {
    pub token: String,
    /// Such as `ipv4`.
    pub class: String,
    pub value: String,
}

impl std::fmt::Debug for RevealedValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RevealedValue({} …)", self.token)
    }
}

/// A look that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookNote {
    pub at: Timestamp,
    pub person: UserId,
    pub place: String,
    /// Number of values that were given out.
    pub shown: u32,
}
