//! Faults on demand.

use serde::{Deserialize, Serialize};

/// Form of the retry hint of a 429.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryAfter {
    /// Header `retry-after-ms`.
    Milliseconds(u64),
    /// Header `retry-after` in seconds.
    Seconds(u64),
    /// Header `retry-after` with the HTTP date this many seconds ahead.
    DateIn(u64),
    /// Header `retry-after` with exactly this text.
    Raw(String),
}

/// Form of a tool call's input on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputForm {
    /// No delta at all.
    Empty,
    /// One delta with an empty string.
    EmptyDelta,
    /// Text that is not JSON.
    Invalid,
    /// JSON that is not an object.
    NotObject,
    /// The whole input in one delta.
    OnePiece,
    /// The whole input in the start event, no delta.
    InStart,
}

/// One fault of one answer. Faults before the answer replace it, and only the first of them counts.
/// Faults in the stream can be combined; `after` counts the content deltas sent correctly before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// 429.
    RateLimit {
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// 429 with the code of a spend limit and no retry hint.
    SpendCap {
        #[serde(default)]
        code: Option<String>,
    },
    /// 529.
    Overloaded,
    /// Any status with a proper error body, and optionally the header `x-should-retry`.
    Status {
        status: u16,
        #[serde(default)]
        message: Option<String>,
        #[serde(default)]
        should_retry: Option<bool>,
    },
    /// A proxy's HTML page instead of JSON.
    Html { status: u16 },
    /// An error status without a body.
    EmptyBody { status: u16 },
    /// The status line and headers are late.
    SlowHeaders { ms: u64 },

    /// The headers are immediate, but the first byte of the body is late.
    SlowFirstByte { ms: u64 },
    /// Nothing more is sent, not even pings, and the connection stays open.
    Stall { after: u32 },
    /// An `error` event, then the end of the stream.
    ErrorEvent {
        after: u32,
        /// The error type; `overloaded_error` by default.
        #[serde(default)]
        kind: Option<String>,
    },
    /// The stream ends cleanly without `message_stop`; without `after` only that is missing.
    NoMessageStop {
        #[serde(default)]
        after: Option<u32>,
    },
    /// The stream ends within a frame.
    CutFrame { after: u32 },
    /// The stream ends within a character.
    CutUtf8 { after: u32 },
    /// The connection is reset.
    Reset { after: u32 },
    /// Sends every byte separately.
    OneByte,
    /// Ends lines with CR LF.
    Crlf,
    /// Begins with a byte order mark.
    Bom,
    /// A ping after every content delta.
    Pings,
    /// The last tool call is cut off within its input, and the answer ends with `max_tokens`.
    CutToolUse,
    /// Sends the input of every tool call in another form.
    ToolInput { form: InputForm },
    /// Adds events, deltas and a block of nonexistent types.
    Unknown,
    /// Changes the stop reason, possibly to null.
    StopReason {
        #[serde(default)]
        reason: Option<String>,
    },
    /// Ends with a refusal and its details after some text.
    Refusal,
    /// Ends with `pause_turn`.
    PauseTurn,
    /// Three `message_delta` events with rising usage.
    SeveralMessageDeltas,
    /// Leaves the usage out of `message_start` and `message_delta`.
    MissingUsage,

    /// Like some local servers: no `event:` lines.
    UnnamedEvents,
    /// Like some local servers: deltas of blocks that never started.
    DeltaWithoutStart,
    /// Like some local servers: blocks that never stop.
    OpenBlocks,
    /// Like some local servers: another `message_start` in the middle.
    RepeatedStart,
    /// Like some local servers: thinking without a signature.
    UnsignedThinking,
}

impl Fault {
    /// Returns whether it replaces the answer.
    pub(crate) fn is_response(&self) -> bool {
        matches!(
            self,
            Self::RateLimit { .. }
                | Self::SpendCap { .. }
                | Self::Overloaded
                | Self::Status { .. }
                | Self::Html { .. }
                | Self::EmptyBody { .. }
        )
    }
}
