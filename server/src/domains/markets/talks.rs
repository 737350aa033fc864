//! The conversations about charts, out of the journal.

use async_trait::async_trait;
use markets::{StoreError, TalkSubject, TalkSubjects};
use protocol::UserId;
use store::ConversationSubject;

use crate::server_word::ServerWord;

/// The most conversations that a page lists.
const MOST: u32 = 100;

pub(super) struct JournalTalks(pub(super) ServerWord);

#[async_trait]
impl TalkSubjects for JournalTalks {
    async fn of(&self, person: UserId) -> Result<Vec<TalkSubject>, StoreError> {
        let found = self.0.conversations_of(person, "markets", MOST).await;
        let found = found.map_err(|error| StoreError::Failed(error.to_string()))?;
        let talk = |it: ConversationSubject| TalkSubject {
            conversation: it.id,
            title: it.title,
            references: it.references,
        };
        Ok(found.into_iter().map(talk).collect())
    }
}
