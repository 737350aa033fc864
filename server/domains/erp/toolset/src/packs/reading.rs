//! Readings of a pack: what is around each of them is the same.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{PackSite, input};
use crate::site::ErpSite;

/// A kind of reading.
#[async_trait]
pub(super) trait PackReading: Send + Sync + 'static {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const TIMEOUT: Duration;
    const EXAMPLES: &'static [ToolExample];
    type Input: DeserializeOwned + JsonSchema + Send;

    /// Answers a call, on a site that has the types of the pack.
    async fn read(site: &ErpSite, input: Self::Input) -> Result<ToolOutput, ErrorBody>;
}

/// The tool of a kind of reading.
pub(super) struct PackReadingTool<R> {
    site: Arc<PackSite>,
    kind: PhantomData<fn() -> R>,
}

impl<R: PackReading> PackReadingTool<R> {
    pub(super) fn new(site: &Arc<PackSite>) -> Self {
        Self {
            site: Arc::clone(site),
            kind: PhantomData,
        }
    }
}

#[async_trait]
impl<R: PackReading> ReadingTool for PackReadingTool<R> {
    const NAME: &'static str = R::NAME;
    const DESCRIPTION: &'static str = R::DESCRIPTION;
    const TIMEOUT: Duration = R::TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = R::EXAMPLES;
    type Input = R::Input;

    fn target(&self, input: &Value) -> Option<String> {
        input::target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        input::objects(input)
    }

    async fn read(&self, input: R::Input, _: Progress) -> Result<ToolOutput, ErrorBody> {
        R::read(self.site.get().await?, input).await
    }
}
