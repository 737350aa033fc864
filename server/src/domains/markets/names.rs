//! The names of people, out of the engine's table of them.

use async_trait::async_trait;
use markets::PersonNames;
use protocol::UserId;

use crate::server_word::ServerWord;

pub(super) struct StoredNames(pub(super) ServerWord);

#[async_trait]
impl PersonNames for StoredNames {
    async fn name(&self, person: UserId) -> Option<String> {
        self.0.name_of(person).await
    }
}
