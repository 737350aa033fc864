//! The record of keys that people enter for systems, each for themselves. The keys are in the
//! tables of the domains.

use agent::ports::Durability;
use protocol::Timestamp;

use crate::{
    Error, Store,
    database::commit,
    setter::Setter,
    system::{self, SystemEvent},
    user_rows::User,
};

/// A change of a user's own key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnKeyChange {
    /// It opens this account of the system.
    Set {
        account: String,
    },
    Removed,
}

impl Store {
    /// Records a change of a user's own key of a system, before it is made: a change without its
    /// record would be worse than a record whose change failed.
    pub async fn note_own_key(
        &self,
        owner: &User,
        system: &str,
        change: &OwnKeyChange,
        by: &Setter<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let how = by.on_record(&mut transaction).await?;
        let (system, name) = (system.to_owned(), by.name.to_owned());
        let event = match change {
            OwnKeyChange::Set { account } => SystemEvent::OwnKeySet {
                user: owner.id,
                system,
                account: account.clone(),
                by: name,
                how,
            },
            OwnKeyChange::Removed => SystemEvent::OwnKeyRemoved {
                user: owner.id,
                system,
                by: name,
                how,
            },
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "an own key".to_owned()).await
    }
}
