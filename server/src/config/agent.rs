//! `[agent]`: limits of a turn.

use super::{reader::Reader, value::Whole};

/// Messages that the model sees.
pub(crate) type HistoryLimit = Whole<2, 1000>;
/// Steps of a turn.
pub(crate) type MaxSteps = Whole<1, 100>;
/// Seconds to decide on a RED call.
pub(crate) type ConfirmationSeconds = Whole<1, 86_400>;

/// Limits of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentSettings {
    /// Messages of the user and final answers that the model sees.
    pub history_limit: u32,
    /// Steps of a turn.
    pub max_steps: u32,
    /// Calls of one answer.
    pub max_calls: u32,
    /// Questions that may be open in one conversation.
    pub max_cards: u32,
    /// Time to decide on a RED call.
    pub confirmation_seconds: u32,
}

pub(super) fn read(r: &mut Reader<'_>) -> AgentSettings {
    r.section("agent", "");
    let history_limit = r
        .key::<HistoryLimit>(
            "agent.history_limit",
            "the most of your messages and final answers that the model sees; when there are more, the \
             older half is dropped at once",
        )
        .env("CHAT_HISTORY_LIMIT")
        .or(Whole(20));
    let max_steps = r
        .key::<MaxSteps>("agent.max_steps", "model calls per turn")
        .env("CHAT_MAX_LOOP")
        .or(Whole(10));
    let max_calls = r
        .key(
            "agent.max_calls",
            "tool calls per answer; further ones are blocked",
        )
        .or(Whole::<1, 1000>(50));
    let max_cards = r
        .key(
            "agent.max_cards",
            "open cards per conversation; further calls are blocked",
        )
        .or(Whole::<1, 200>(20));
    let confirmation_seconds = r
        .key::<ConfirmationSeconds>("agent.confirmation_seconds", "time to decide on a RED call")
        .env("JARVIS_CONFIRMATION_SECONDS")
        .or(Whole(600));
    AgentSettings {
        history_limit: history_limit.0,
        max_steps: max_steps.0,
        max_calls: max_calls.0,
        max_cards: max_cards.0,
        confirmation_seconds: confirmation_seconds.0,
    }
}
