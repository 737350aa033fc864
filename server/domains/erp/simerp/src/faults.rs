//! Faults of requests, switched on by a test: each fits a method and a part of the path, and counts down.

use std::time::Duration;

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimErpFault {
    /// The connection ends before the work is done.
    LostBefore,
    /// The work is done and committed, but the connection ends before the answer.
    LostAfter,
    /// The work is done; the answer breaks off in its middle.
    CutBody,
    /// An answer with this status and an HTML page, as a proxy gives it: 502, 504. Nothing is done.
    Page(u16),
    /// 503 `SessionStopped`: maintenance.
    Maintenance,
    /// 503 `InReadOnlyMode`, for what writes.
    ReadOnly,
    /// 429 with `Retry-After` in seconds.
    TooMany(u32),
    /// 401, as after a rotation of the key.
    KeyRotated,
    /// 500 `QueryDeadlockError`; what was done is rolled back, unless it is committed before its request ends.
    Deadlock,
    /// 417 with this text, which may be hostile.
    Message(String),
    /// The work is done, and the answer has this text as a warning, which may be hostile.
    Warning(String),
    /// Refused with this status and exception, for errors that the company does not raise by itself.
    Refused(u16, &'static str),
    /// The work is done; a proxy sends the answer as gzip, although nobody asked.
    Gzip,
    /// The work is done; the answer comes in small chunks, without its length.
    Chunked,
    /// The answer is late by this.
    Slow(Duration),
    /// Another person saves the document that the request is about just before it is read.
    EditBefore,
    /// The same just after the request was answered.
    EditAfter,
    /// A hook of the site raises the rate of each row by one on saving.
    RateHook,
}

/// A fault, and the requests that it meets.
#[derive(Clone, Debug)]
pub struct SimErpTrigger {
    /// `GET`, `POST`…; any if empty.
    pub method: String,
    /// Part of the decoded path; any if empty.
    pub path: String,
    pub fault: SimErpFault,
    /// Requests that it meets before it is gone.
    pub count: u32,
}

impl SimErpTrigger {
    /// A fault of the next request whose path contains a text.
    pub fn next(path: impl Into<String>, fault: SimErpFault) -> Self {
        Self {
            method: String::new(),
            path: path.into(),
            fault,
            count: 1,
        }
    }

    /// Only for this method.
    #[must_use]
    pub fn of_method(mut self, method: &str) -> Self {
        method.clone_into(&mut self.method);
        self
    }

    /// For this number of requests.
    #[must_use]
    pub fn times(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    pub(crate) fn meets(&self, method: &str, path: &str) -> bool {
        self.count > 0
            && (self.method.is_empty() || self.method == method)
            && path.contains(&self.path)
    }
}
