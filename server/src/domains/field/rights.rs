//! Answers of the server to the dispatch: the kill switch, and what people may see and are called.

use async_trait::async_trait;
use field_dispatch::{LookRights, StartBrake};
use protocol::UserId;

use crate::server_word::ServerWord;

#[async_trait]
impl StartBrake for ServerWord {
    async fn is_pulled(&self) -> bool {
        self.is_stopped().await
    }
}

#[async_trait]
impl LookRights for ServerWord {
    async fn may_see_values(&self, person: UserId) -> bool {
        self.is_operator(person).await
    }

    async fn name(&self, person: UserId) -> Option<String> {
        self.name_of(person).await
    }
}

#[cfg(test)]
mod tests {
    use protocol::Timestamp;
    use store::Store;

    use super::*;

    #[tokio::test]
    async fn operators_see_values_and_strangers_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        let at = Timestamp(1_000_000);
        let admin = store.first_user(UserId::new(at, 1), "Operator", at);
        let admin = admin.await.unwrap();
        let word = ServerWord::new(&store);
        assert!(word.may_see_values(admin.id).await);
        assert!(!word.may_see_values(UserId::new(at, 7)).await);
        assert!(!word.is_pulled().await);
        store.close().await.unwrap();
        assert!(word.is_pulled().await, "one that cannot be read is pulled");
        assert!(!word.may_see_values(UserId::new(at, 8)).await);
    }
}
