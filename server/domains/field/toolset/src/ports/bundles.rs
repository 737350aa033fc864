//! Bundles of diagnostics, and the order to collect one.

use async_trait::async_trait;
use protocol::{CallId, Timestamp, UserId};
use serde_json::Value;

use super::FieldFault;

/// Store of bundles.
#[async_trait]
pub trait FieldBundles: Send + Sync + 'static {
    /// The newest bundles of a device, newest first. Incomplete ones too.
    async fn bundles(&self, device: &str, limit: u32) -> Result<Vec<BundleSummary>, FieldFault>;

    /// A bundle.
    async fn bundle(&self, id: &str) -> Result<Option<BundleSummary>, FieldFault>;

    /// The covered text of a section that [`SectionSummary::left_out`] does not speak of.
    ///
    /// # Errors
    /// There is no such bundle or section.
    async fn section(&self, bundle: &str, name: &str) -> Result<String, FieldFault>;

    /// The lines that say what the tokens of a site mean. The same for the same values.
    async fn legend(&self, site: &str) -> Result<String, FieldFault>;

    /// Asks a device for diagnostics, once for each call: the same call again is the same collection.
    async fn collect(&self, order: &CollectOrder) -> Result<Collection, FieldFault>;

    /// The collection that a call asked for. None: it asked for none, and never will.
    async fn collection_of(&self, call: CallId) -> Result<Option<Collection>, FieldFault>;

    /// The same, as soon as its revision is another one than this. Dropping it costs nothing.
    async fn collection_after(&self, call: CallId, revision: u64)
    -> Result<Collection, FieldFault>;

    /// Takes a collection back that has not begun. One that is over stays as it is.
    async fn stop_collecting(&self, call: CallId) -> Result<(), FieldFault>;
}

/// A bundle without its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleSummary {
    /// `bun_` and 26 characters.
    pub id: String,
    pub site: String,
    /// None if a program or a person brought it.
    pub device: Option<String>,
    /// By the clock of the device; none if it does not say.
    pub taken: Option<Timestamp>,
    pub received: Timestamp,
    /// False while sections may still come.
    pub is_complete: bool,
    pub sections: Vec<SectionSummary>,
    /// Secrets that the device and the server removed.
    pub secrets: u64,
    pub is_simulated: bool,
}

/// A section: the output of one collector.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionSummary {
    pub name: String,
    /// Of the covered text.
    pub bytes: u64,
    pub lines: u64,
    /// Values in it by class, such as `{"ipv4": 14}`.
    pub counts: Value,
    /// The reason why it has no text here, such as that it is binary.
    pub left_out: Option<String>,
}

/// The order of a call to collect diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectOrder {
    pub call: CallId,
    pub device: String,
    pub person: UserId,
    /// Until then the device may take it.
    pub until: Timestamp,
}

/// A collection that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    pub call: CallId,
    pub device: String,
    /// One more with each change.
    pub revision: u64,
    pub state: CollectionState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectionState {
    /// The device has not taken it yet.
    Asked,
    /// The device has it; sections may be there already.
    Taken,
    /// The bundle is complete.
    Complete { bundle: String },
    /// The device did not come for it in time, or it was taken back: nothing was collected.
    NotDelivered,
    /// The device took it and sent no whole bundle. With its reason, covered.
    Failed { reason: String },
}

impl CollectionState {
    pub const fn is_over(&self) -> bool {
        !matches!(self, Self::Asked | Self::Taken)
    }
}
