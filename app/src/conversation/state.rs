//! State of a conversation beside its rows, derived from the fold.

use protocol::{CallId, ConversationId, Cost, Mode, ModelChoice, Usage};
use transcript::{RowContent, ToolState, Transcript};

/// The origin of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RowOrigin {
    pub(crate) mode: Mode,
    /// The conversation that this one continues.
    pub(crate) from: Option<ConversationId>,
    /// True for a person's own call.
    pub(crate) own: bool,
    pub(crate) toolsets: Vec<String>,
}

/// The model from the next turn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) choice: ModelChoice,
    /// Tokens that the model can read and write in one call, if known.
    pub(crate) window: Option<u64>,
}

/// Tokens and cost of the whole conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Totals {
    pub(crate) usage: Usage,
    /// Unknown if that of any answer is.
    pub(crate) cost: Option<Cost>,
    /// Tokens of the latest model call.
    pub(crate) last: Usage,
}

pub(super) fn origin(fold: &Transcript) -> RowOrigin {
    RowOrigin {
        mode: fold.mode(),
        from: fold.from(),
        own: fold.by().is_some(),
        toolsets: fold.toolsets().to_vec(),
    }
}

pub(super) fn waiting_calls(fold: &Transcript) -> Vec<CallId> {
    let Some(turn) = fold.turn() else {
        return Vec::new();
    };
    let newest_first = fold.rows().iter().rev();
    let of_turn = newest_first.take_while(|row| row.turn == turn.id);
    let mut calls: Vec<_> = of_turn
        .filter_map(|row| match &row.content {
            RowContent::Tool(tool) if tool.state == ToolState::Waiting => tool.call,
            _ => None,
        })
        .collect();
    calls.reverse();
    calls
}

/// Returns the model, with the window that the page came with if the journal has none.
pub(super) fn chosen(fold: &Transcript, window: Option<u64>) -> Option<Chosen> {
    Some(Chosen {
        choice: fold.choice()?.clone(),
        window: fold.window().or(window),
    })
}

pub(super) fn totals(fold: &Transcript) -> Totals {
    Totals {
        usage: fold.usage(),
        cost: fold.cost(),
        last: fold.last_usage(),
    }
}
