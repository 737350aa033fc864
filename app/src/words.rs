//! Names and sentences for the codes of the protocol.

use markdown::{Block, Inline, PLOT};
use protocol::{BlockedReason, Effort, OriginSource, Resolution, Tier, TurnOutcome};
use transcript::{ToolRow, ToolState};

use crate::{panel, texts::words as texts};

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
        None => words.push_str(texts::TOOL),
    }
    words
}

pub(crate) fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => texts::GREEN,
        Tier::Yellow => texts::YELLOW,
        Tier::Red => texts::RED,
        Tier::Black => texts::BLACK,
    }
}

/// Returns the classes of a tier's mark.
pub(crate) fn tier_class(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "tier tier--green",
        Tier::Yellow => "tier tier--yellow",
        Tier::Red => "tier tier--red",
        Tier::Black => "tier tier--black",
    }
}

/// Describes a tier in a few words.
pub(crate) fn tier_meaning(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => texts::RUNS_AT_ONCE,
        Tier::Yellow => texts::RUNS_AT_ONCE_AND_IS_RECORDED_PROMINENTLY,
        Tier::Red => texts::WAITS_FOR_APPROVAL,
        Tier::Black => texts::NEVER_RUNS,
    }
}

/// Returns the name of a level of effort for people.
pub(crate) fn effort_name(effort: Effort) -> &'static str {
    match effort {
        Effort::Low => texts::LOW,
        Effort::Medium => texts::MEDIUM,
        Effort::High => texts::HIGH,
        Effort::ExtraHigh => texts::EXTRA_HIGH,
        Effort::Max => texts::MAX,
        Effort::Unknown => texts::UNKNOWN,
    }
}

pub(crate) fn blocked_reason(reason: BlockedReason) -> &'static str {
    match reason {
        BlockedReason::UnknownTool => texts::NO_SUCH_TOOL,
        BlockedReason::InvalidInput => texts::INVALID_INPUT,
        BlockedReason::Mode => texts::NOT_AVAILABLE_IN_THIS_MODE,
        BlockedReason::Tier => texts::TIER_NOT_ALLOWED,
        BlockedReason::NotAllowed => texts::NOT_PART_OF_THIS_CONVERSATION,
        BlockedReason::Protected => texts::PROTECTED,
        BlockedReason::KillSwitch => texts::KILL_SWITCH_IS_ON,
        BlockedReason::Role => texts::NOT_ALLOWED_FOR_YOUR_ROLE,
        BlockedReason::NotVerified => texts::NOT_OFFERED_FOR_APPROVAL,
        BlockedReason::NotExecuted => texts::NOT_EXECUTED,
        BlockedReason::StepLimit => texts::STEP_LIMIT_REACHED,
        BlockedReason::CallLimit => texts::TOO_MANY_CALLS_AT_ONCE,
        BlockedReason::Truncated => texts::ANSWER_CUT_OFF,
        BlockedReason::Unknown => texts::BLOCKED,
    }
}

/// Describes the source of a value.
pub(crate) fn origin(source: &OriginSource) -> String {
    match source {
        OriginSource::User => texts::YOUR_WORDS.to_owned(),
        OriginSource::Configuration => texts::THE_CONFIGURATION.to_owned(),
        OriginSource::Tool { name } => texts::result_of(&kit::format::exposed(name)),
        OriginSource::Context => texts::SUMMARY_OF_THE_SYSTEMS.to_owned(),
        OriginSource::File => texts::A_FILE_OR_QUOTED_TEXT.to_owned(),
        OriginSource::Plan => texts::THE_PLAN.to_owned(),
        OriginSource::Refusal { name } => texts::refusal_of(&kit::format::exposed(name)),
        OriginSource::Mapped { from } => texts::your_words_as(&kit::format::exposed(from)),
        OriginSource::Excluded => texts::YOUR_WORDS_AS_SOMETHING_TO_LEAVE_ALONE.to_owned(),
        OriginSource::Person => texts::SET_BY_A_PERSON.to_owned(),
        OriginSource::Model => texts::THE_MODEL_ALONE.to_owned(),
        OriginSource::Unknown => texts::AN_UNKNOWN_SOURCE.to_owned(),
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
        Resolution::Done => texts::IT_TOOK_EFFECT,
        Resolution::NotDone => texts::IT_DID_NOT_TAKE_EFFECT,
        Resolution::Unknown => texts::STILL_UNKNOWN,
    }
}

/// Returns the state of a call in one or two words.
pub(crate) fn tool_state(state: &ToolState) -> &'static str {
    match state {
        ToolState::Writing => texts::PREPARING,
        ToolState::Proposed => texts::PROPOSED,
        ToolState::Queued => texts::QUEUED,
        ToolState::Waiting => texts::WAITING_FOR_YOU,
        ToolState::Approved => texts::APPROVED,
        ToolState::Denied => texts::DENIED,
        ToolState::Expired => texts::EXPIRED,
        ToolState::Withdrawn => texts::WITHDRAWN,
        ToolState::Running => texts::RUNNING,
        ToolState::Succeeded(_) => texts::DONE,
        ToolState::Failed(_) => texts::FAILED,
        ToolState::Blocked { .. } => texts::BLOCKED,
        ToolState::Cancelled => texts::CANCELLED,
        ToolState::OutcomeUnknown { .. } => texts::OUTCOME_UNKNOWN,
        ToolState::Abandoned => texts::NEVER_RAN,
    }
}

/// Describes the outcome of a call in one sentence.
pub(crate) fn finished_call(tool: &ToolRow) -> String {
    let name = tool_name(&tool.name);
    match &tool.state {
        ToolState::Succeeded(output) => format!("{name}: {}", output.summary),
        ToolState::Failed(error) => texts::failed(&name, &error.message),
        ToolState::Blocked { message, .. } => texts::was_blocked(&name, message),
        state => format!("{name}: {}", tool_state(state)),
    }
}

pub(crate) fn turn_outcome(outcome: &TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Answered => texts::ANSWERED,
        TurnOutcome::Done => texts::DONE,
        TurnOutcome::Truncated => texts::ANSWER_CUT_OFF_AT_ITS_LIMIT,
        TurnOutcome::Refused => texts::THE_MODEL_DECLINED_TO_ANSWER,
        TurnOutcome::Stopped => texts::STOPPED,
        TurnOutcome::Limited { .. } => texts::ENDED_AT_A_LIMIT,
        TurnOutcome::Failed { .. } => texts::FAILED,
        TurnOutcome::Unknown => texts::ENDED,
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
                out.push_str(texts::GRAPH)
            }
            Block::CodeBlock { .. } => out.push_str(texts::CODE_BLOCK),
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
