//! Port to the store of alerts.

use async_trait::async_trait;

use super::Alert;
use crate::{StoreError, Time, TrailRow};

/// Store of alerts by identifier. Writes are idempotent, because the confirmation of one may get lost.
#[async_trait]
pub trait AlertStore: Send + Sync {
    /// Inserts an alert unless there is one with its identifier, with its row of the trail. Returns the
    /// alert that is stored.
    async fn insert(&self, alert: &Alert, told: &TrailRow) -> Result<Alert, StoreError>;

    /// Replaces an alert by its next version, with the row of the trail if that tells of it. Returns
    /// false, and writes nothing, if it is not at the preceding version.
    async fn replace(&self, next: &Alert, told: Option<&TrailRow>) -> Result<bool, StoreError>;

    /// An alert in any state.
    async fn get(&self, id: &str) -> Result<Option<Alert>, StoreError>;

    /// The alerts that wait, and those whose state has changed at `since` or later, by identifier.
    async fn list(&self, since: Time) -> Result<Vec<Alert>, StoreError>;
}
