//! Answers of the server to the dispatch: the kill switch, and what people may do and are called.

use async_trait::async_trait;
use field_dispatch::{LookRights, RunApprovers, StartBrake};
use protocol::UserId;

use crate::server_word::ServerWord;

#[async_trait]
impl StartBrake for ServerWord {
    async fn is_pulled(&self) -> bool {
        self.is_stopped().await
    }
}

#[async_trait]
impl RunApprovers for ServerWord {
    async fn may_approve(&self, name: &str) -> bool {
        self.is_operator_of_name(name).await
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
    use protocol::{Role, Timestamp};
    use store::{Store, User};

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

    #[tokio::test]
    async fn an_approver_is_an_operator_who_is_still_there() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        let at = Timestamp(1_000_000);
        let admin = store.first_user(UserId::new(at, 1), "Operator", at);
        admin.await.unwrap();
        let ben = User {
            id: UserId::new(at, 2),
            name: "Ben".to_owned(),
            role: Role::Operator,
        };
        store.add_user(&ben, "Operator", at).await.unwrap();
        let word = ServerWord::new(&store);
        assert!(word.may_approve("Operator").await && word.may_approve("Ben").await);
        assert!(!word.may_approve("Nobody").await);
        let viewer = store.set_role(ben.id, Role::Viewer, "Operator", at);
        viewer.await.unwrap();
        assert!(!word.may_approve("Ben").await, "a viewer approves nothing");
        let again = store.set_role(ben.id, Role::Operator, "Operator", at);
        again.await.unwrap();
        assert!(word.may_approve("Ben").await);
        let disabled = store.set_disabled(ben.id, true, "Operator", at);
        disabled.await.unwrap();
        assert!(!word.may_approve("Ben").await, "disabled");
        store.close().await.unwrap();
        assert!(!word.may_approve("Operator").await, "it cannot be read");
    }
}
