//! Results of calls as text.

use protocol::{BlockedReason, ToolOutcome, Verdict};
use serde_json::{Value, json};

use crate::texts;

/// The result of a call, for a stream and for a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResultText {
    pub(crate) content: String,
    /// Set if the call failed. An unknown outcome is no failure.
    pub(crate) error: Option<String>,
    /// The outcome as a word.
    pub(crate) word: &'static str,
    /// One line for people, if the tool gave one.
    pub(crate) summary: Option<String>,
    /// The id of the request behind a failure, as far as its event has it.
    pub(crate) request: Option<String>,
}

impl ResultText {
    pub(crate) fn of(outcome: &ToolOutcome) -> Self {
        let plain = |word, content: String| Self {
            content,
            error: None,
            word,
            summary: None,
            request: None,
        };
        match outcome {
            ToolOutcome::Succeeded { output } => Self {
                summary: Some(output.summary.clone()),
                ..plain("succeeded", data(&output.data, &output.summary))
            },
            ToolOutcome::Failed { error } => Self {
                error: Some(error.message.clone()),
                request: error.request_id.clone(),
                ..plain("failed", error.message.clone())
            },
            ToolOutcome::Cancelled => plain("cancelled", texts::STOPPED_BEFORE.to_owned()),
            ToolOutcome::OutcomeUnknown { known } => {
                let mut content = texts::OUTCOME_UNKNOWN.to_owned();
                if let Some(known) = known {
                    content = format!("{content} {known}");
                }
                plain("unknown", content)
            }
            ToolOutcome::Unknown => plain("unreadable", texts::RESULT_NOT_READABLE.to_owned()),
        }
    }

    pub(crate) fn blocked(message: &str) -> Self {
        Self {
            content: message.to_owned(),
            error: Some(message.to_owned()),
            word: "blocked",
            summary: None,
            request: None,
        }
    }

    /// The result of a call that a decision ended; none for one that goes on.
    pub(crate) fn decided(verdict: &Verdict) -> Option<Self> {
        let plain = |content: String| Self {
            content,
            error: None,
            word: verdict_word(verdict),
            summary: None,
            request: None,
        };
        match verdict {
            Verdict::Approved => None,
            Verdict::Denied { comment: None } => Some(plain(texts::DENIED.to_owned())),
            Verdict::Denied {
                comment: Some(comment),
            } => Some(plain(texts::denied_with(comment))),
            Verdict::Expired => Some(plain(texts::EXPIRED.to_owned())),
            Verdict::Withdrawn => Some(plain(texts::WITHDRAWN.to_owned())),
            Verdict::Unknown => Some(plain(texts::RESULT_NOT_READABLE.to_owned())),
        }
    }

    /// The metadata of a result in a stream.
    pub(crate) fn metadata(&self, reason: Option<BlockedReason>) -> Value {
        let mut jarvis = json!({ "outcome": self.word });
        if let Some(summary) = &self.summary {
            jarvis["summary"] = json!(summary);
        }
        if let Some(reason) = reason {
            jarvis["reason"] = json!(reason);
        }
        if let Some(request) = &self.request {
            jarvis["request_id"] = json!(request);
        }
        json!({ "jarvis": jarvis })
    }
}

/// Returns the state of a card after a decision.
pub(crate) fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Approved => "approved",
        Verdict::Denied { .. } => "denied",
        Verdict::Expired => "expired",
        Verdict::Withdrawn => "withdrawn",
        Verdict::Unknown => "decided",
    }
}

/// Returns the data of a result as text: JSON, or the words themselves.
fn data(data: &Value, summary: &str) -> String {
    match data {
        Value::Null => summary.to_owned(),
        Value::String(text) => text.clone(),
        data => data.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use protocol::{ErrorBody, ErrorCode};

    use super::*;

    #[test]
    fn a_failed_call_names_the_request_behind_it() {
        let mut error = ErrorBody::new(ErrorCode::ToolFailed, "No.");
        error.request_id = Some("req-1".to_owned());
        let failed = ResultText::of(&ToolOutcome::Failed { error });
        let expect = json!({ "jarvis": { "outcome": "failed", "request_id": "req-1" } });
        assert_eq!(failed.metadata(None), expect);
        let cancelled = ResultText::of(&ToolOutcome::Cancelled);
        let expect = json!({ "jarvis": { "outcome": "cancelled" } });
        assert_eq!(cancelled.metadata(None), expect);
    }
}
