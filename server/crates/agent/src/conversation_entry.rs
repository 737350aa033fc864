//! The place of one conversation in memory: its hub, and its actor while it has one.

use protocol::ConversationId;
use tokio::sync::{Mutex, OnceCell, mpsc};

use crate::{driver::ActorMessage, hub::Hub, ports::StoredConversation};

/// The place of one conversation. It lives as long as an actor works on it or a subscriber watches
/// it; there is never more than one.
pub(crate) struct ConversationEntry {
    pub(crate) id: ConversationId,
    pub(crate) hub: Hub,
    pub(crate) stored: OnceCell<StoredConversation>,
    /// The names of its toolsets, once they are needed.
    pub(crate) toolsets: OnceCell<Vec<String>>,
    /// True if it is the journal of a relayed call, once that is needed.
    pub(crate) relayed: OnceCell<bool>,
    /// The sender to the actor. Locked while one is made and while one leaves, so that there is
    /// never more than one and no message is lost.
    pub(crate) actor: Mutex<Option<mpsc::Sender<Box<ActorMessage>>>>,
}

impl ConversationEntry {
    pub(crate) fn new(id: ConversationId) -> Self {
        Self {
            id,
            hub: Hub::new(id),
            stored: OnceCell::new(),
            toolsets: OnceCell::new(),
            relayed: OnceCell::new(),
            actor: Mutex::new(None),
        }
    }
}
