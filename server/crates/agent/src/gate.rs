//! The gate: the one place that decides whether a tool call runs.
//!
//! Everything that could go wrong while it decides ends in [`Verdict::Block`].

use protocol::{BlockedReason, Mode, Tier};
use serde_json::Value;

use crate::{output::clean_line, tools::Tool};

/// What the gate knows of a call.
pub(crate) struct Question<'a> {
    /// As the model wrote it.
    pub(crate) name: &'a str,
    /// The tool of exactly this name, if there is one.
    pub(crate) tool: Option<&'a Tool>,
    /// As the model wrote it.
    pub(crate) input: &'a Value,
    pub(crate) mode: Mode,
    /// The tools that the conversation began with.
    pub(crate) allowed: &'a [String],
}

/// What the gate decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The call runs at once.
    Run,
    /// The call never runs.
    Block {
        reason: BlockedReason,
        /// One sentence for a person and for the model.
        message: String,
    },
}

/// Decides on a call.
pub(crate) fn decide(question: &Question<'_>) -> Verdict {
    match question.mode {
        Mode::Default => {}
        Mode::Plan => {
            return block(
                BlockedReason::Mode,
                "This conversation is in plan mode: nothing runs.",
            );
        }
        Mode::Unknown => {
            return block(
                BlockedReason::Mode,
                "The conversation's mode is unknown to this server: nothing runs.",
            );
        }
    }
    let Some(tool) = question.tool else {
        let name = clean_line(question.name);
        return block(
            BlockedReason::UnknownTool,
            format!("There is no tool named {name:?}."),
        );
    };
    if !question.allowed.iter().any(|name| name == tool.spec.name) {
        return block(
            BlockedReason::NotAllowed,
            "This tool is not part of this conversation.",
        );
    }
    if tool.spec.tier == Tier::Black {
        return block(
            BlockedReason::Tier,
            "This tool is BLACK: it never runs from here, whoever asks. It has to be done by hand.",
        );
    }
    if let Some(message) = misfit(tool, question.input) {
        return block(BlockedReason::InvalidInput, message);
    }
    match tool.spec.tier {
        Tier::Green => Verdict::Run,
        Tier::Yellow => block(
            BlockedReason::Tier,
            "This tool is YELLOW: it acts on the system, and this server runs only GREEN tools.",
        ),
        Tier::Red => block(
            BlockedReason::Tier,
            "This tool is RED: it needs a confirmation, which this server cannot ask for yet.",
        ),
        Tier::Black => block(BlockedReason::Tier, "This tool is BLACK: it never runs."),
    }
}

/// How an input misses its schema, if it does.
fn misfit(tool: &Tool, input: &Value) -> Option<String> {
    let problems: Vec<_> = tool
        .validator
        .iter_errors(input)
        .take(3)
        .map(|error| {
            let path = error.instance_path().to_string();
            if path.is_empty() {
                error.to_string()
            } else {
                format!("{path}: {error}")
            }
        })
        .collect();
    if problems.is_empty() {
        return None;
    }
    Some(clean_line(&format!(
        "The input does not fit: {}.",
        problems.join("; ")
    )))
}

fn block(reason: BlockedReason, message: impl Into<String>) -> Verdict {
    Verdict::Block {
        reason,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests;
