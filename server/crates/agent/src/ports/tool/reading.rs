//! Tools that only read: a name, an input, an answer.

use std::time::Duration;

use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput, UserId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Assessment, Impact, Preview, Progress, Reconciled, Recovery, Staging, Tool, ToolCall,
    ToolError, ToolExample, ToolSpec,
};
use crate::texts;

/// A tool that reads and changes nothing: GREEN, and run again after a crash. Its input is a type,
/// from which its schema comes.
#[async_trait]
pub trait ReadingTool: Send + Sync + 'static {
    /// See [`ToolSpec::name`].
    const NAME: &'static str;
    /// See [`ToolSpec::description`].
    const DESCRIPTION: &'static str;
    /// Timeout of a call.
    const TIMEOUT: Duration;
    /// See [`ToolSpec::examples`].
    const EXAMPLES: &'static [ToolExample];
    /// See [`ToolSpec::suggested`].
    const SUGGESTED: bool = false;
    /// The input.
    type Input: DeserializeOwned + JsonSchema + Send;

    /// The thing that a call reads; see [`Tool::target`].
    fn target(&self, _input: &Value) -> Option<String> {
        None
    }

    /// The things that a policy may protect; see [`Tool::objects`].
    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    /// The need of an open page; see [`Tool::staging`].
    fn staging(&self) -> Staging {
        Staging::None
    }

    /// Answers a call.
    ///
    /// # Errors
    /// The reason why nothing is brought back.
    async fn read(&self, input: Self::Input, progress: Progress) -> Result<ToolOutput, ErrorBody>;

    /// Answers a call by a person, or for one. Only a tool that reads what not everybody sees asks who
    /// it is.
    ///
    /// # Errors
    /// As for [`Self::read`].
    async fn read_for(
        &self,
        _person: UserId,
        input: Self::Input,
        progress: Progress,
    ) -> Result<ToolOutput, ErrorBody> {
        self.read(input, progress).await
    }
}

#[async_trait]
impl<T: ReadingTool> Tool for T {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Green,
            recovery: Recovery::Pure,
            timeout: T::TIMEOUT,
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
        ReadingTool::target(self, input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        ReadingTool::objects(self, input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(Tier::Green, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let target = ReadingTool::target(self, &call.input);
        Ok(Preview::of_reading(&call.name, target))
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::gate::IT_ONLY_READS.to_owned())
    }

    fn staging(&self) -> Staging {
        ReadingTool::staging(self)
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input = read_input(call.input).map_err(ToolError)?;
        let person = call.origin.person;
        let answer = ReadingTool::read_for(self, person, input, progress).await;
        answer.map_err(ToolError)
    }
}

/// The input of a call as the type that its schema came from.
///
/// # Errors
/// It does not fit.
pub fn read_input<T: DeserializeOwned>(input: Value) -> Result<T, ErrorBody> {
    serde_json::from_value(input).map_err(|error| {
        ErrorBody::new(
            ErrorCode::ToolInputInvalid,
            texts::gate::input_does_not_fit(&error),
        )
    })
}
