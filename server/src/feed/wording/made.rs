//! The details of a finished call: how long it ran, and what it made.

use protocol::{FeedEntry, ToolOutcome};
use serde_json::{Value, json};

/// In the name of each tool of another program, and of none of our own.
const OF_OTHER_PROGRAM: &str = "__";

/// Returns the details of a finished call. What the result of another program's tool says that it
/// made is no fact, so it is left out.
pub(super) fn details(tool: Option<&str>, outcome: &ToolOutcome, elapsed_ms: u64) -> Value {
    let mut details = json!({ "elapsed_ms": elapsed_ms });
    if let (Some(tool), ToolOutcome::Succeeded { output }) = (tool, outcome)
        && !tool.contains(OF_OTHER_PROGRAM)
        && let Some(made) = output.data.get(FeedEntry::MADE).and_then(Value::as_str)
    {
        details[FeedEntry::MADE] = made.into();
    }
    details
}

#[cfg(test)]
mod tests {
    use protocol::ToolOutput;

    use super::*;

    #[test]
    fn only_our_own_tools_say_what_they_made() {
        let done = ToolOutcome::Succeeded {
            output: ToolOutput {
                summary: "done".to_owned(),
                data: json!({ "made": "Customer Kestrel" }),
                images: Vec::new(),
            },
        };
        let made = |tool| details(tool, &done, 5);
        let whole = json!({ "elapsed_ms": 5, "made": "Customer Kestrel" });
        assert_eq!(made(Some("create_doc")), whole);
        for other in [Some("crm__create_doc"), None] {
            assert_eq!(made(other), json!({ "elapsed_ms": 5 }), "{other:?}");
        }
    }
}
