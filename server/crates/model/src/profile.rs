//! The differences between the vendor's own API and local servers that imitate it, as data.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The rules that the other side keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileKind {
    /// The vendor's own API: a break of the protocol is an error.
    #[default]
    Strict,
    /// Local servers and proxies that speak the same API with deviations.
    Lenient,
    Ollama,
    LlamaCpp,
    Vllm,
    LmStudio,
    LiteLlm,
}

impl ProfileKind {
    pub(crate) fn rules(self) -> &'static Profile {
        match self {
            Self::Strict => &STRICT,
            Self::Lenient => &LENIENT,
            Self::Ollama => &OLLAMA,
            Self::LlamaCpp => &LLAMA_CPP,
            Self::Vllm => &VLLM,
            Self::LmStudio => &LM_STUDIO,
            Self::LiteLlm => &LITE_LLM,
        }
    }

    /// True if figures of usage that the server leaves out are estimated.
    pub fn estimates_usage(self) -> bool {
        self.rules().estimates_usage
    }
}

/// The place at which a server states the context length that it runs a model with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowSource {
    /// `GET /api/ps` has it for a loaded model, `POST /api/show` the most that the model can.
    Ollama,
    /// `GET /props`.
    LlamaCpp,
    /// `GET /v1/models`.
    Vllm,
    /// `GET /api/v0/models`.
    LmStudio,
    /// `GET /model/info`.
    LiteLlm,
}

/// A way in which servers are known to break the stream's protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deviation {
    ContentBeforeMessageStart,
    RepeatedMessageStart,
    BlockOutOfOrder,
    DeltaWithoutBlock,
    DeltaOfOtherKind,
    BlockLeftOpen,
    /// The stream ended after a stop reason, without `message_stop`.
    NoMessageStop,
    /// Complete tool calls, but no reason to stop.
    ToolUseWithoutReason,
}

impl Deviation {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::ContentBeforeMessageStart => "content came before message_start",
            Self::RepeatedMessageStart => "message_start came twice",
            Self::BlockOutOfOrder => "a content block began out of order",
            Self::DeltaWithoutBlock => "a delta came for a block that is not open",
            Self::DeltaOfOtherKind => "a delta does not fit its block",
            Self::BlockLeftOpen => "a content block was left open",
            Self::NoMessageStop => "the stream ended without message_stop",
            Self::ToolUseWithoutReason => "tool calls came without a stop reason",
        }
    }
}

/// The rules of one kind of server.
#[derive(Debug)]
pub(crate) struct Profile {
    /// The `anthropic-version` header.
    pub(crate) version: &'static str,
    /// Send cache breakpoints.
    pub(crate) cache_control: bool,
    /// Send `thinking` and `output_config` to models that are known to take them.
    pub(crate) optional_fields: bool,
    /// Send back thinking that has no signature.
    pub(crate) unsigned_thinking: bool,
    /// Say in words that a result is an error: the server drops `is_error`.
    pub(crate) errors_in_words: bool,
    /// Send what follows tool results as a message of its own: the server would put it before them.
    pub(crate) results_apart: bool,
    /// The server's statement of its context length. None if the vendor refuses what is too long;
    /// other servers cut it without a word, so that requests are kept below it here.
    pub(crate) window: Option<WindowSource>,
    /// Estimate the usage that an answer leaves out.
    pub(crate) estimates_usage: bool,
    /// Longest silence before the first byte of an answer.
    pub(crate) first_byte_timeout: Duration,
    /// The deviations that are logged and repaired; any other is a protocol error.
    pub(crate) tolerates: &'static [Deviation],
}

/// Every deviation: local servers break the protocol in ways that change with each release.
const ALL_DEVIATIONS: &[Deviation] = &[
    Deviation::ContentBeforeMessageStart,
    Deviation::RepeatedMessageStart,
    Deviation::BlockOutOfOrder,
    Deviation::DeltaWithoutBlock,
    Deviation::DeltaOfOtherKind,
    Deviation::BlockLeftOpen,
    Deviation::NoMessageStop,
    Deviation::ToolUseWithoutReason,
];

const STRICT: Profile = Profile {
    version: "2026-10-21",
    cache_control: true,
    optional_fields: true,
    unsigned_thinking: false,
    errors_in_words: false,
    results_apart: false,
    window: None,
    estimates_usage: false,
    first_byte_timeout: Duration::from_secs(120),
    tolerates: &[],
};

const LENIENT: Profile = Profile {
    version: "2023-06-01",
    cache_control: false,
    optional_fields: false,
    unsigned_thinking: true,
    errors_in_words: false,
    results_apart: false,
    window: None,
    estimates_usage: false,
    // Local models read a long prompt for minutes before their first byte.
    first_byte_timeout: Duration::from_secs(900),
    tolerates: ALL_DEVIATIONS,
};

/// Only older versions put text before the results of the same message.
const OLLAMA: Profile = Profile {
    errors_in_words: true,
    results_apart: true,
    window: Some(WindowSource::Ollama),
    estimates_usage: true,
    ..LENIENT
};

const LLAMA_CPP: Profile = Profile {
    errors_in_words: true,
    results_apart: true,
    window: Some(WindowSource::LlamaCpp),
    estimates_usage: true,
    ..LENIENT
};

/// It keeps results before text, and adds an empty message of the user to results that come alone.
const VLLM: Profile = Profile {
    errors_in_words: true,
    window: Some(WindowSource::Vllm),
    estimates_usage: true,
    ..LENIENT
};

const LM_STUDIO: Profile = Profile {
    errors_in_words: true,
    results_apart: true,
    window: Some(WindowSource::LmStudio),
    estimates_usage: true,
    ..LENIENT
};

/// Behind it may be the vendor, which refuses thinking without a signature.
const LITE_LLM: Profile = Profile {
    unsigned_thinking: false,
    errors_in_words: true,
    results_apart: true,
    window: Some(WindowSource::LiteLlm),
    estimates_usage: true,
    first_byte_timeout: Duration::from_secs(300),
    ..LENIENT
};
