//! Port to the names of people, for records of who drew and changed what.

use async_trait::async_trait;
use protocol::UserId;

/// Names of people.
#[async_trait]
pub trait PersonNames: Send + Sync {
    /// The name of a person now; `None` if it is not known.
    async fn name(&self, person: UserId) -> Option<String>;
}
