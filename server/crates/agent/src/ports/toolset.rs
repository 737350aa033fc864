//! The tools, context and prompt of one domain.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use protocol::{CallId, ErrorBody, Tier, ToolOutput};
use serde_json::Value;

/// What happens to a call of a tool that a crash cut off between intent and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Reads only: run again.
    Pure,
    /// Running twice is the same as running once: run again with the same key.
    Idempotent,
    /// The toolset can find out what happened.
    Reconcilable,
    /// Nobody can know: the outcome stays unknown.
    Unsafe,
}

/// One tool, as the model and the gate see it.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// `^[a-zA-Z0-9_-]{1,64}$`, unique among all toolsets.
    pub name: &'static str,
    /// For the model: when to use it, units, examples.
    pub description: &'static str,
    /// Closed JSON Schema: `type: object`, `additionalProperties: false`.
    pub input_schema: Value,
    pub tier: Tier,
    pub recovery: Recovery,
    /// How long a call may take.
    pub timeout: Duration,
}

/// One call that the gate has let through. The input fits the tool's schema.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// Also the idempotency key of its effect.
    pub id: CallId,
    pub name: String,
    pub input: Value,
}

/// Why a tool brought nothing back. The message is for the model and for a person.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub ErrorBody);

/// A part of the data block that goes with a new user message, such as a summary of the cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextPart {
    /// Where it comes from, such as `cluster`.
    pub source: &'static str,
    /// The data, or why there is none.
    pub data: Result<Value, String>,
}

/// Lets a running tool say how far it is.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(&str) + Send + Sync>);

impl Progress {
    /// Progress that goes to `report`.
    pub fn new(report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(report))
    }

    /// Progress that nobody sees.
    pub fn ignored() -> Self {
        Self::new(|_| {})
    }

    /// Tells one short line, such as `2 of 4 nodes`.
    pub fn report(&self, message: &str) {
        (self.0)(message);
    }
}

/// The tools, context and prompt of one domain.
#[async_trait]
pub trait Toolset: Send + Sync + 'static {
    /// The word for it, such as `homelab`.
    fn name(&self) -> &'static str;

    /// Its part of the system prompt.
    fn system_prompt(&self) -> String;

    /// Its tools, always in the same order.
    fn tools(&self) -> &[ToolSpec];

    /// What a call acts on or reads, in words for the card, such as `node pve`. None for all of
    /// the system.
    fn target(&self, tool: &str, input: &Value) -> Option<String>;

    /// What the model should know with every new message. Each source may fail by itself; the
    /// caller bounds the time.
    async fn context(&self) -> Vec<ContextPart>;

    /// Runs a call. Dropping the future cancels it.
    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError>;
}
