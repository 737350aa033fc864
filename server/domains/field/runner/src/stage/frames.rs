//! Records of a stage for the launcher: one line of JSON each.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_queue::report::JobEnding;
use serde::{Deserialize, Serialize};

/// One record. Steps count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum StageFrame {
    Begin {
        step: u32,
        at_ms: u64,
    },
    Data {
        step: u32,
        stream: FrameStream,
        /// In base64: output is bytes.
        bytes: String,
    },
    End {
        step: u32,
        ms: u64,
        end: JobEnding,
    },
    /// All steps have ended, or the first that failed.
    Done {
        how: JobEnding,
        cpu_ms: Option<u64>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameStream {
    Out,
    Err,
}

impl StageFrame {
    pub(super) fn data(step: u32, stream: FrameStream, bytes: &[u8]) -> Self {
        Self::Data {
            step,
            stream,
            bytes: BASE64_STANDARD.encode(bytes),
        }
    }
}
