//! Readings of a pack: those of the toolset, on a site that has the types of the pack.

use async_trait::async_trait;
use serde_json::Value;

use super::{PackSite, input};
pub(super) use crate::reading::ErpReading as PackReading;
use crate::{
    error::ErpError,
    reading::{ErpReadingTool, ReadingSite},
    site::ErpSite,
};

/// The tool of a pack's reading.
pub(super) type PackReadingTool<R> = ErpReadingTool<R, PackSite>;

#[async_trait]
impl ReadingSite for PackSite {
    async fn site(&self) -> Result<&ErpSite, ErpError> {
        self.get().await
    }

    fn target(input: &Value) -> Option<String> {
        input::target(input)
    }

    fn objects(input: &Value) -> Vec<String> {
        input::objects(input)
    }
}
