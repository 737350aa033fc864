//! How the state of a tool call looks.

use leptos::prelude::*;
use transcript::ToolState;

use crate::ui::{Icon, icon};

/// The part of a class name that says the state.
pub(super) fn class(state: &ToolState) -> &'static str {
    match state {
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
        ToolState::OutcomeUnknown { .. } => "tool-card tool-card--unknown",
    }
}

pub(super) fn picture(state: &ToolState) -> AnyView {
    let outline = match state {
        ToolState::Writing
        | ToolState::Proposed
        | ToolState::Queued
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
        ToolState::OutcomeUnknown { .. } => Icon::QUESTION,
    };
    icon(outline)
}
