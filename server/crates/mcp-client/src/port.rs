//! The connection to a server as the toolset sees it, and what its answers become.

use agent::ports::{Progress, ToolError};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode};
use serde_json::{Map, Value, json};

use crate::texts;

/// The most of a server's words about an error, in characters.
const MAX_ERROR: usize = 200;

/// The answer of a server to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerResult {
    /// True if the server says that the call failed.
    pub is_error: bool,
    pub content: Value,
}

/// The reason why a server gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerFault {
    /// The call did not reach it.
    NotSent,
    /// The call was sent, and no answer came that can be read.
    Lost,
}

/// A connection to a server. It reads no more of an answer than its bounds allow.
#[async_trait]
pub trait ToolServer: Send + Sync + 'static {
    /// Calls a tool by the server's own name. Dropping the future cancels the call.
    ///
    /// # Errors
    /// It was not sent, or there is no answer that can be read.
    async fn call(
        &self,
        tool: &str,
        arguments: Value,
        progress: &Progress,
    ) -> Result<ServerResult, ServerFault>;

    /// Reads something that the server has besides tools. Dropping the future gives it up.
    ///
    /// # Errors
    /// As for [`Self::call`].
    async fn read(&self, _request: ReadRequest) -> Result<ServerResult, ServerFault> {
        Err(ServerFault::NotSent)
    }
}

/// A request for something that a server has besides tools.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadRequest {
    /// The list of resources, and of the templates of their addresses.
    Resources,
    Resource {
        uri: String,
    },
    /// The list of prompts with their arguments.
    Prompts,
    Prompt {
        name: String,
        /// Texts by their names.
        arguments: Map<String, Value>,
    },
}

/// The content, or a sentence if it is too long: half of a structure says something else.
pub(crate) fn bounded_content(content: Value, most: usize) -> Value {
    if content.to_string().len() > most {
        return json!({ "left_out": texts::too_long(most) });
    }
    content
}

/// The error of a server in its own words, cut.
pub(crate) fn told_error(server: &str, content: &Value) -> ToolError {
    let told: String = content.to_string().chars().take(MAX_ERROR).collect();
    let message = texts::reported(server, &told);
    ToolError(ErrorBody::new(ErrorCode::ToolFailed, message))
}
