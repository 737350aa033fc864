//! Names and sentences for the codes of the protocol.

use markdown::{Block, Inline, PLOT};
use protocol::{BlockedReason, OriginSource, Resolution, Tier, TurnOutcome};
use transcript::{ToolRow, ToolState};

use crate::panel;

/// Returns a tool's name for people: `get_node_status` is `Node status`.
pub(crate) fn tool_name(name: &str) -> String {
    let mut named = panel::all().iter().flat_map(|panel| panel.tools);
    if let Some((_, title)) = named.find(|(tool, _)| *tool == name) {
        return (*title).to_owned();
    }
    let mut words = name
        .strip_prefix("get_")
        .unwrap_or(name)
        .replace(['_', '-'], " ");
    // Names of tools are ASCII, and the tables for all other letters are large.
    match words.get_mut(..1) {
        Some(first) => first.make_ascii_uppercase(),
        None => words.push_str("Tool"),
    }
    words
}

pub(crate) fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "Green",
        Tier::Yellow => "Yellow",
        Tier::Red => "Red",
        Tier::Black => "Black",
    }
}

/// Describes a tier in a few words.
pub(crate) fn tier_meaning(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "runs at once",
        Tier::Yellow => "runs at once and is recorded prominently",
        Tier::Red => "waits for approval",
        Tier::Black => "never runs",
    }
}

pub(crate) fn blocked_reason(reason: BlockedReason) -> &'static str {
    match reason {
        BlockedReason::UnknownTool => "No such tool",
        BlockedReason::InvalidInput => "Invalid input",
        BlockedReason::Mode => "Not available in this mode",
        BlockedReason::Tier => "Tier not allowed",
        BlockedReason::NotAllowed => "Not part of this conversation",
        BlockedReason::Protected => "Protected",
        BlockedReason::KillSwitch => "Kill switch is on",
        BlockedReason::Role => "Not allowed for your role",
        BlockedReason::NotVerified => "Could not be verified",
        BlockedReason::NotExecuted => "Not executed",
        BlockedReason::StepLimit => "Step limit reached",
        BlockedReason::CallLimit => "Too many calls at once",
        BlockedReason::Truncated => "Answer cut off",
        BlockedReason::Unknown => "Blocked",
    }
}

/// Describes the source of a value.
pub(crate) fn origin(source: &OriginSource) -> String {
    match source {
        OriginSource::User => "your words".to_owned(),
        OriginSource::Configuration => "the configuration".to_owned(),
        OriginSource::Tool { name } => format!("result of {}", kit::format::exposed(name)),
        OriginSource::Context => "summary of the systems".to_owned(),
        OriginSource::File => "a file or quoted text".to_owned(),
        OriginSource::Plan => "the plan".to_owned(),
        OriginSource::Refusal { name } => {
            format!("refusal of {}", kit::format::exposed(name))
        }
        OriginSource::Mapped { from } => {
            format!("your words, as {}", kit::format::exposed(from))
        }
        OriginSource::Excluded => "your words, as something to leave alone".to_owned(),
        OriginSource::Person => "set by a person".to_owned(),
        OriginSource::Model => "the model alone".to_owned(),
        OriginSource::Unknown => "an unknown source".to_owned(),
    }
}

/// Returns whether a value comes from a source that is trusted.
pub(crate) fn is_trusted(source: &OriginSource) -> bool {
    matches!(
        source,
        OriginSource::User
            | OriginSource::Configuration
            | OriginSource::Mapped { .. }
            | OriginSource::Person
    )
}

pub(crate) fn resolution(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Done => "It took effect",
        Resolution::NotDone => "It did not take effect",
        Resolution::Unknown => "Still unknown",
    }
}

/// Returns the state of a call in one or two words.
pub(crate) fn tool_state(state: &ToolState) -> &'static str {
    match state {
        ToolState::Writing => "Preparing",
        ToolState::Proposed => "Proposed",
        ToolState::Queued => "Queued",
        ToolState::Waiting => "Waiting for you",
        ToolState::Approved => "Approved",
        ToolState::Denied => "Denied",
        ToolState::Expired => "Expired",
        ToolState::Withdrawn => "Withdrawn",
        ToolState::Running => "Running",
        ToolState::Succeeded(_) => "Done",
        ToolState::Failed(_) => "Failed",
        ToolState::Blocked { .. } => "Blocked",
        ToolState::Cancelled => "Cancelled",
        ToolState::OutcomeUnknown { .. } => "Outcome unknown",
        ToolState::Abandoned => "Never ran",
    }
}

/// Describes the outcome of a call in one sentence.
pub(crate) fn finished_call(tool: &ToolRow) -> String {
    let name = tool_name(&tool.name);
    match &tool.state {
        ToolState::Succeeded(output) => format!("{name}: {}", output.summary),
        ToolState::Failed(error) => format!("{name} failed: {}", error.message),
        ToolState::Blocked { message, .. } => format!("{name} was blocked: {message}"),
        state => format!("{name}: {}", tool_state(state)),
    }
}

pub(crate) fn turn_outcome(outcome: &TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Answered => "Answered",
        TurnOutcome::Done => "Done",
        TurnOutcome::Truncated => "Answer cut off at its limit",
        TurnOutcome::Refused => "The model declined to answer",
        TurnOutcome::Stopped => "Stopped",
        TurnOutcome::Limited { .. } => "Ended at a limit",
        TurnOutcome::Failed { .. } => "Failed",
        TurnOutcome::Unknown => "Ended",
    }
}

/// Returns blocks as text to be read aloud.
pub(crate) fn plain(blocks: &[Block]) -> String {
    let mut out = String::new();
    add_blocks(&mut out, blocks);
    out
}

fn add_blocks(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        match block {
            Block::Heading { content, .. } | Block::Paragraph(content) => add(out, content),
            Block::CodeBlock { lang, .. } if lang.as_deref() == Some(PLOT) => {
                out.push_str("Graph.")
            }
            Block::CodeBlock { .. } => out.push_str("Code block."),
            Block::Quote(blocks) => add_blocks(out, blocks),
            Block::List(list) => {
                for item in &list.items {
                    add_blocks(out, &item.blocks);
                }
            }
            Block::Table(table) => {
                for row in &table.rows {
                    for cell in row {
                        add(out, cell);
                        out.push_str(", ");
                    }
                }
            }
            Block::Rule => {}
        }
    }
}

fn add(out: &mut String, inlines: &[Inline]) {
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Emph(children)
            | Inline::Strong(children)
            | Inline::Strike(children)
            | Inline::Link { children, .. } => add(out, children),
            Inline::SoftBreak | Inline::HardBreak => out.push(' '),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_have_names_for_people() {
        panel::install(crate::domains::PANELS);
        for (tool, name) in [
            ("get_cluster_status", "Cluster status"),
            ("get_vms", "Virtual machines"),
            ("restart_vm", "Restart VM"),
            ("", "Tool"),
        ] {
            assert_eq!(tool_name(tool), name);
        }
    }

    #[test]
    fn text_is_read_without_marks() {
        let blocks = markdown::parse("# Nodes\n\nAll **four** are `up`.\n\n- one\n- two\n");
        assert_eq!(plain(&blocks), "Nodes All four are up. one two");
    }
}
