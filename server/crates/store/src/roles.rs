//! The roles of users, in memory.

use std::collections::HashMap;

use protocol::{Role, UserId};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The roles of all users who are not disabled; none until they were read. The gate asks for one
/// with every call, so they are cached. Whoever writes users locks this for writing meanwhile.
#[derive(Default)]
pub(crate) struct Roles(RwLock<Option<HashMap<UserId, Role>>>);

impl Roles {
    pub(crate) async fn read(&self) -> RwLockReadGuard<'_, Option<HashMap<UserId, Role>>> {
        self.0.read().await
    }

    /// Locked by a writer of users, after whom the roles are read again.
    pub(crate) async fn write(&self) -> RwLockWriteGuard<'_, Option<HashMap<UserId, Role>>> {
        self.0.write().await
    }
}
