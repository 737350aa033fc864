//! Answers of the server to the dispatch: the kill switch, and what people may see and are called.

use agent::ports::{Controls as _, People as _};
use async_trait::async_trait;
use field_dispatch::{LookRights, StartBrake};
use protocol::{Role, UserId};
use store::Store;

/// The database of the server.
pub(super) struct ServerWord(pub(super) Store);

#[async_trait]
impl StartBrake for ServerWord {
    async fn is_pulled(&self) -> bool {
        match self.0.kill_switch().await {
            Ok(switch) => switch.on,
            Err(error) => {
                tracing::error!(%error, "the kill switch cannot be read, so nothing starts");
                true
            }
        }
    }
}

#[async_trait]
impl LookRights for ServerWord {
    async fn may_see_values(&self, person: UserId) -> bool {
        match self.0.role(person).await {
            Ok(role) => role.is_some_and(|role| role >= Role::Operator),
            Err(error) => {
                tracing::error!(%error, "nobody's role can be read, so values stay hidden");
                false
            }
        }
    }

    async fn name(&self, person: UserId) -> Option<String> {
        match self.0.name(person).await {
            Ok(name) => name,
            Err(error) => {
                tracing::warn!(%error, "the name of a person cannot be read");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Timestamp;

    use super::*;

    #[tokio::test]
    async fn operators_see_values_and_strangers_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        let at = Timestamp(1_000_000);
        let admin = store.first_user(UserId::new(at, 1), "Operator", at);
        let admin = admin.await.unwrap();
        let word = ServerWord(store.clone());
        assert!(word.may_see_values(admin.id).await);
        assert!(!word.may_see_values(UserId::new(at, 7)).await);
        assert!(!word.is_pulled().await);
        store.close().await.unwrap();
        assert!(word.is_pulled().await, "one that cannot be read is pulled");
        assert!(!word.may_see_values(UserId::new(at, 8)).await);
    }
}
