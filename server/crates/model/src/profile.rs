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
}

impl ProfileKind {
    pub(crate) fn rules(self) -> &'static Profile {
        match self {
            Self::Strict => &STRICT,
            Self::Lenient => &LENIENT,
        }
    }
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
    /// Longest silence before the first byte of an answer.
    pub(crate) first_byte_timeout: Duration,
    /// The deviations that are logged and repaired; any other is a protocol error.
    pub(crate) tolerates: &'static [Deviation],
}

static STRICT: Profile = Profile {
    version: "2026-10-21",
    cache_control: true,
    optional_fields: true,
    unsigned_thinking: false,
    first_byte_timeout: Duration::from_secs(120),
    tolerates: &[],
};

static LENIENT: Profile = Profile {
    version: "2023-06-01",
    cache_control: false,
    optional_fields: false,
    unsigned_thinking: true,
    // Local models read a long prompt for minutes before their first byte.
    first_byte_timeout: Duration::from_secs(900),
    tolerates: &[
        Deviation::ContentBeforeMessageStart,
        Deviation::RepeatedMessageStart,
        Deviation::BlockOutOfOrder,
        Deviation::DeltaWithoutBlock,
        Deviation::DeltaOfOtherKind,
        Deviation::BlockLeftOpen,
        Deviation::NoMessageStop,
        Deviation::ToolUseWithoutReason,
    ],
};
