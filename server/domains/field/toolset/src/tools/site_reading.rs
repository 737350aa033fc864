//! Tools that only read, within the site of their conversation.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use agent::ports::{
    Assessment, CallOrigin, Impact, Preview, Progress, Reconciled, Recovery, Tool, ToolCall,
    ToolError, ToolExample, ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{parts::FieldParts, texts};

/// A tool that reads: a name, an input, an answer.
#[async_trait]
pub(super) trait SiteReading: Send + Sync + 'static {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const EXAMPLES: &'static [ToolExample];
    const SUGGESTED: bool = false;
    type Input: DeserializeOwned + JsonSchema + Send;

    /// Answers a call. Before it reads anything of a site it enters that site.
    async fn read(
        parts: &FieldParts,
        origin: &CallOrigin,
        input: Self::Input,
    ) -> Result<ToolOutput, ErrorBody>;

    /// The reason why an input is refused although it fits the schema.
    fn refused(_parts: &FieldParts, _input: &Value) -> Option<String> {
        None
    }
}

/// The tool of a reading.
struct SiteReader<T> {
    parts: Arc<FieldParts>,
    reading: PhantomData<fn() -> T>,
}

pub(super) fn tool<T: SiteReading>(parts: Arc<FieldParts>) -> Arc<dyn Tool> {
    Arc::new(SiteReader::<T> {
        parts,
        reading: PhantomData,
    })
}

#[async_trait]
impl<T: SiteReading> Tool for SiteReader<T> {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Green,
            recovery: Recovery::Pure,
            timeout: Duration::from_secs(10),
            impact: Impact::None,
            examples: T::EXAMPLES.to_vec(),
            suggested: T::SUGGESTED,
            ..ToolSpec::new::<T::Input>(T::NAME, T::DESCRIPTION)
        }
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.parts.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.parts.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment {
            refused: T::refused(&self.parts, input),
            ..Assessment::plain(Tier::Green, input)
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        Ok(Preview::of_reading(
            &call.name,
            self.parts.target(&call.input),
        ))
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::NotDone(texts::tools::ONLY_READS.to_owned())
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        let input = read_input(call.input).map_err(ToolError)?;
        let answer = T::read(&self.parts, &call.origin, input).await;
        answer.map_err(ToolError)
    }
}
