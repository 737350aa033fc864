//! Results of tools, made safe to show, to store and to send: cleaned, capped, marked.

mod cap;
mod clean;

use std::sync::Arc;

use protocol::{ErrorBody, ToolOutcome, ToolOutput};
use serde_json::{json, value::RawValue};

pub use clean::clean_text;
pub(crate) use clean::{clean_value, is_hidden};

use crate::{ports::ToolError, raw_json::json, texts};
use cap::{OutputCut, cap};

/// The longest line about a result or a running tool, in bytes.
const MAX_LINE: usize = 300;

/// The outcome of a call, for the journal, and its content for the model. `source` names its
/// origin, such as `homelab/get_vms`.
pub(crate) fn outcome(
    source: &str,
    result: Result<ToolOutput, ToolError>,
    max_bytes: usize,
) -> (ToolOutcome, Arc<RawValue>) {
    match result {
        // Cleaned before it is capped: an escape is longer than the character that it shows, and
        // the bound is for what is sent.
        Ok(output) => {
            let summary = clean_line(&output.summary);
            let (data, cut) = cap(clean_value(output.data), max_bytes);
            let content = match cut {
                None => json(&json!({ "source": source, "data": &data })),
                Some(OutputCut { bytes }) => json(&json!({
                    "source": source,
                    "cut": texts::result_was_cut(bytes, max_bytes),
                    "data": &data,
                })),
            };
            let output = ToolOutput {
                summary,
                data,
                images: output.images,
            };
            (ToolOutcome::Succeeded { output }, content.into())
        }
        Err(ToolError(error)) => {
            let error = ErrorBody {
                code: error.code,
                message: clean_line(&error.message),
                help: error.help.as_deref().map(clean_line),
                request_id: None,
            };
            let content = json(&json!({ "source": source, "error": &error }));
            (ToolOutcome::Failed { error }, content.into())
        }
    }
}

/// One short line without anything invisible.
pub(crate) fn clean_line(text: &str) -> String {
    let mut line = clean_text(text).replace(['\n', '\t'], " ");
    if line.len() > MAX_LINE {
        line.truncate(line.floor_char_boundary(MAX_LINE));
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests;
