//! What can go wrong on demand.

use serde::{Deserialize, Serialize};

/// How a 429 says when to come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryAfter {
    /// Header `retry-after-ms`.
    Milliseconds(u64),
    /// Header `retry-after` with a number of seconds.
    Seconds(u64),
    /// Header `retry-after` with the HTTP date that lies so many seconds ahead.
    DateIn(u64),
    /// Header `retry-after` with this very text.
    Raw(String),
}

/// What becomes of the input of a tool call on the wire.
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

/// One fault of one answer. Those before the answer replace it; of those, the first counts. Those
/// in the stream can be combined; `after` counts content deltas that come through unharmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// 429.
    RateLimit {
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// 429 with the code of a spend limit and no hint when to come back.
    SpendCap {
        #[serde(default)]
        code: Option<String>,
    },
    /// 529.
    Overloaded,
    /// Any status with a proper error body, and perhaps the header `x-should-retry`.
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
    /// The status line and headers come late.
    SlowHeaders { ms: u64 },

    /// The headers come at once, the first byte of the body late.
    SlowFirstByte { ms: u64 },
    /// Nothing more comes, pings neither, and the connection stays open.
    Stall { after: u32 },
    /// An `error` event, then the end.
    ErrorEvent {
        after: u32,
        /// Such as `overloaded_error`, which is the default.
        #[serde(default)]
        kind: Option<String>,
    },
    /// The stream ends properly without `message_stop`; without `after` it lacks nothing else.
    NoMessageStop {
        #[serde(default)]
        after: Option<u32>,
    },
    /// The stream ends inside a frame.
    CutFrame { after: u32 },
    /// The stream ends inside a character.
    CutUtf8 { after: u32 },
    /// The connection breaks.
    Reset { after: u32 },
    /// Every byte alone.
    OneByte,
    /// Lines end with CR LF.
    Crlf,
    /// A byte order mark at the start.
    Bom,
    /// A ping after every content delta.
    Pings,
    /// The last tool call is cut off in its input and the answer ends with `max_tokens`.
    CutToolUse,
    /// The input of every tool call takes another form.
    ToolInput { form: InputForm },
    /// Events, deltas and a block of types that do not exist, among the others.
    Unknown,
    /// Another stop reason; null is possible.
    StopReason {
        #[serde(default)]
        reason: Option<String>,
    },
    /// A refusal with its details after some text.
    Refusal,
    /// `pause_turn`.
    PauseTurn,
    /// Three `message_delta` events with rising usage.
    SeveralMessageDeltas,
    /// `message_delta` without usage, and `message_start` without it too.
    MissingUsage,

    /// As some local servers do: no `event:` lines.
    UnnamedEvents,
    /// As some local servers do: deltas of blocks that never started.
    DeltaWithoutStart,
    /// As some local servers do: blocks that never stop.
    OpenBlocks,
    /// As some local servers do: `message_start` once more in the middle.
    RepeatedStart,
    /// As some local servers do: thinking without a signature.
    UnsignedThinking,
}

impl Fault {
    /// Whether it comes instead of an answer.
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
