//! Members of requests that have a shape of their own.

use serde::Serialize;

/// The device's clock, compared with the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockMessage {
    pub wall_ms: u64,
    /// The server's time less the device's; None before the first answer.
    pub skew_ms: Option<i64>,
    /// `behind`, `ahead` or `unset`.
    pub fault: Option<&'static str>,
}

/// A job of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JournalMessage {
    pub job: String,
    pub epoch: u32,
    pub claim: String,
    pub report: JournalReport,
}

/// The end of a job as the journal knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalReport {
    DidNotRun,
    Unknown(&'static str),
    End(ReportMessage),
}

/// The end of a job. None is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportMessage {
    pub how: ReportEnding,
    pub wall_ms: Option<u64>,
    pub cpu_ms: Option<u64>,
    pub peak_bytes: Option<u64>,
    pub tasks: Option<u32>,
    pub output_bytes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportEnding {
    Exit(i32),
    Timeout,
    Output,
    Cancelled,
    /// Its sandbox died: nobody knows how far it came.
    Lost,
}

/// Bytes and digests of a stream: of what was kept, and of all that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StreamMessage {
    pub kept: u64,
    pub sha256: String,
    pub all: u64,
    pub all_sha256: String,
}

/// A line of the stream `step`: the step begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepBeginning {
    /// From 1.
    pub step: usize,
    pub run: &'static str,
    pub at_ms: u64,
}

/// A line of the stream `step`: the step has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepRecord {
    /// From 1.
    pub step: usize,
    pub run: &'static str,
    pub at_ms: u64,
    pub ms: u64,
    pub end: StepEnding,
    pub out: StepRange,
    pub err: StepRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepEnding {
    Exit(i32),
    Timeout,
    Cancelled,
}

/// Bytes of a step in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StepRange {
    pub from: u64,
    pub bytes: u64,
}

/// A section of a bundle, ahead of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionMessage {
    pub name: &'static str,
    #[serde(rename = "type")]
    pub media_type: &'static str,
    pub bytes: usize,
    pub sha256: String,
    pub exit: i32,
}
