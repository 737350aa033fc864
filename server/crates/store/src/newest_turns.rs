//! The end of a conversation alone, for who only goes on from there.

use agent::{CoverEvents, Unseen};
use protocol::{ConversationId, ConversationSummary, Event, Seq, UserId};

use crate::{
    Error, Store,
    conversations::{FoundConversation, find},
    pages::turns_until,
};

/// The newest turns of a conversation, whole and oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestTurns {
    pub summary: ConversationSummary,
    /// The newest event.
    pub head: Seq,
    pub events: Vec<Event>,
}

impl NewestTurns {
    /// True if there are no turns before these.
    pub fn from_start(&self) -> bool {
        self.events.first().is_none_or(|first| first.seq <= Seq(1))
    }
}

impl CoverEvents for NewestTurns {
    fn cover(&mut self) {
        self.events.cover();
    }
}

impl Store {
    /// The newest turns of a user's conversation, without what a page has beside them. It is less than a
    /// third of the work of a page.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such conversation of this user.
    pub async fn newest_turns(
        &self,
        owner: UserId,
        id: ConversationId,
        turns: usize,
    ) -> Result<Unseen<NewestTurns>, Error> {
        // One transaction, so that all of it is from the same moment.
        let mut snapshot = self.readers().begin().await?;
        let FoundConversation { key, summary, .. } = find(&mut *snapshot, owner, id).await?;
        let events = turns_until(&mut snapshot, key, Seq(u64::MAX), turns).await?;
        snapshot.commit().await?;
        Ok(Unseen::new(NewestTurns {
            head: events.last().map_or(Seq(0), |event| event.seq),
            summary,
            events,
        }))
    }
}
