//! Classes and icons for the state of a tool call.

use kit::{Icon, icon};
use leptos::prelude::*;
use protocol::Resolution;
use transcript::{ToolRow, ToolState};

/// Returns the classes of a card in this state.
pub(super) fn class(tool: &ToolRow) -> &'static str {
    match &tool.state {
        ToolState::Writing | ToolState::Proposed | ToolState::Queued | ToolState::Approved => {
            "tool-card tool-card--proposed"
        }
        ToolState::Waiting => "tool-card tool-card--waiting",
        ToolState::Running => "tool-card tool-card--running",
        ToolState::Succeeded(_) => "tool-card tool-card--succeeded",
        ToolState::Failed(_) => "tool-card tool-card--failed",
        ToolState::Blocked { .. } => "tool-card tool-card--blocked",
        ToolState::Cancelled
        | ToolState::Abandoned
        | ToolState::Denied
        | ToolState::Expired
        | ToolState::Withdrawn => "tool-card tool-card--cancelled",
        ToolState::OutcomeUnknown { .. } => match known(tool) {
            Some(Resolution::Done) => "tool-card tool-card--succeeded",
            Some(Resolution::NotDone) => "tool-card tool-card--cancelled",
            _ => "tool-card tool-card--unknown",
        },
    }
}

/// Returns the outcome of a call, if it was unknown and is known by now.
fn known(tool: &ToolRow) -> Option<Resolution> {
    let resolution = tool.resolved.as_ref()?.resolution;
    (resolution != Resolution::Unknown).then_some(resolution)
}

pub(super) fn picture(tool: &ToolRow) -> AnyView {
    let outline = match &tool.state {
        ToolState::Queued => Icon::CLOCK,
        ToolState::Writing
        | ToolState::Proposed
        | ToolState::Waiting
        | ToolState::Approved
        | ToolState::Running => {
            return view! { <span class="spinner" aria-hidden="true"></span> }.into_any();
        }
        ToolState::Succeeded(_) => Icon::CHECK,
        ToolState::Failed(_) => Icon::WARNING,
        ToolState::Blocked { .. } => Icon::BLOCKED,
        ToolState::Cancelled
        | ToolState::Abandoned
        | ToolState::Denied
        | ToolState::Expired
        | ToolState::Withdrawn => Icon::CLOSE,
        ToolState::OutcomeUnknown { .. } => match known(tool) {
            Some(Resolution::Done) => Icon::CHECK,
            Some(Resolution::NotDone) => Icon::CLOSE,
            _ => Icon::QUESTION,
        },
    };
    icon(outline)
}
