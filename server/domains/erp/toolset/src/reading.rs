//! Readings of the ERP, of the toolset and of its packs: the same around each of them.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{error::ErpError, site::ErpSite};

/// A kind of reading.
#[async_trait]
pub(crate) trait ErpReading: Send + Sync + 'static {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const TIMEOUT: Duration;
    const EXAMPLES: &'static [ToolExample];
    const SUGGESTED: bool = false;
    type Input: DeserializeOwned + JsonSchema + Send;

    /// Answers a call.
    async fn read(site: &ErpSite, input: Self::Input) -> Result<ToolOutput, ErrorBody>;
}

/// The site of readings, and the names that their inputs have for things.
#[async_trait]
pub(crate) trait ReadingSite: Send + Sync + 'static {
    /// The site, if it has what its readings need.
    async fn site(&self) -> Result<&ErpSite, ErpError>;

    /// The thing that a call is about, in words for a card.
    fn target(input: &Value) -> Option<String>;

    /// The things that a call touches, as a policy names them.
    fn objects(input: &Value) -> Vec<String>;
}

/// The tool of a kind of reading.
pub(crate) struct ErpReadingTool<R, S> {
    site: Arc<S>,
    kind: PhantomData<fn() -> R>,
}

impl<R: ErpReading, S: ReadingSite> ErpReadingTool<R, S> {
    pub(crate) fn new(site: &Arc<S>) -> Self {
        Self {
            site: Arc::clone(site),
            kind: PhantomData,
        }
    }
}

#[async_trait]
impl<R: ErpReading, S: ReadingSite> ReadingTool for ErpReadingTool<R, S> {
    const NAME: &'static str = R::NAME;
    const DESCRIPTION: &'static str = R::DESCRIPTION;
    const TIMEOUT: Duration = R::TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = R::EXAMPLES;
    const SUGGESTED: bool = R::SUGGESTED;
    type Input = R::Input;

    fn target(&self, input: &Value) -> Option<String> {
        S::target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        S::objects(input)
    }

    async fn read(&self, input: R::Input, _: Progress) -> Result<ToolOutput, ErrorBody> {
        R::read(self.site.site().await?, input).await
    }
}
