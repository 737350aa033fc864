//! Happenings in a system, for the feed.

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;
use protocol::{CallId, ConversationId, FeedKind, FeedTone, Tier, Timestamp, UserId};
use serde_json::Value;

/// Something that happened, and its state by now. Told again under the same key it changes the
/// entry that is there; telling the same twice changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Happening {
    /// Names it forever, such as `task/UPID:…` or `notice/…`.
    pub key: String,
    /// Time at which it happened or began. An entry keeps the time that it was told first.
    pub at: Timestamp,
    pub kind: FeedKind,
    pub tone: FeedTone,
    /// The event in one line. Empty if it was told before and keeps its line.
    pub line: String,
    /// Its state or outcome, in a few words.
    pub outcome: Option<String>,
    /// Time at which it ended. Telling it without an end does not undo one that was told before.
    pub ended: Option<Timestamp>,
    // Each field below keeps its former value where it is not told again.
    pub tier: Option<Tier>,
    /// In words, such as `node pve`.
    pub target: Option<String>,
    /// The name of the person who did it.
    pub person: Option<String>,
    /// The toolset.
    pub source: Option<String>,
    /// The user whose conversation it is, or whom it is about: they see what others do not.
    pub owner: Option<UserId>,
    pub conversation: Option<ConversationId>,
    pub call: Option<CallId>,
    /// The object that it is about, as boards name it, such as `node/pve`.
    pub subject: Option<String>,
    /// More, as an object; null if there is none. Fields are added to those that are there.
    pub details: Value,
}

impl Happening {
    /// Something of which nothing is known but one line.
    pub fn new(
        key: impl Into<String>,
        at: Timestamp,
        kind: FeedKind,
        line: impl Into<String>,
    ) -> Self {
        Self {
            key: key.into(),
            at,
            kind,
            tone: FeedTone::Plain,
            line: line.into(),
            outcome: None,
            ended: None,
            tier: None,
            target: None,
            person: None,
            source: None,
            owner: None,
            conversation: None,
            call: None,
            subject: None,
            details: Value::Null,
        }
    }
}

/// Follows the happenings in a system.
#[async_trait]
pub trait Happenings: Send + Sync + 'static {
    /// Looks again and again, and tells what it finds; at first also what the system still
    /// remembers. It never returns. It reads, and changes nothing.
    async fn follow(&self, teller: Teller);
}

/// The receiver of a follower's findings.
#[derive(Clone)]
pub struct Teller(Arc<dyn Fn(Vec<Happening>) -> BoxFuture<'static, bool> + Send + Sync>);

impl Teller {
    /// A teller that hands everything to `take`, which returns true once it is stored safely.
    pub fn new(
        take: impl Fn(Vec<Happening>) -> BoxFuture<'static, bool> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(take))
    }

    /// Tells, and waits until it is stored safely. False if it is not, and must be told again.
    pub async fn tell(&self, happenings: Vec<Happening>) -> bool {
        happenings.is_empty() || (self.0)(happenings).await
    }
}
