//! `[budget]`: how much a conversation and a day may use.

use agent::Budgets;
use protocol::{BudgetLimit, Cost};

use super::{reader::Reader, value::Whole};

/// Millionths of a dollar in a cent.
pub(crate) const CENT: u64 = 10_000;
/// The most that can be set, in cents and in tokens.
pub(crate) const MOST_CENTS: u32 = 100_000_000;
pub(crate) const MOST_TOKENS: u32 = u32::MAX;

pub(super) fn read(r: &mut Reader<'_>) -> Budgets {
    let mut cents = |key, variable| {
        let found = r.optional::<Whole<1, MOST_CENTS>>(key, Some(variable));
        found.map(|cents| Cost(u64::from(cents.0) * CENT))
    };
    let conversation_cost = cents(
        "budget.conversation_cents",
        "JARVIS_BUDGET_CONVERSATION_CENTS",
    );
    let day_cost = cents("budget.day_cents", "JARVIS_BUDGET_DAY_CENTS");
    let mut tokens = |key, variable| {
        let found = r.optional::<Whole<1, MOST_TOKENS>>(key, Some(variable));
        found.map(|tokens| u64::from(tokens.0))
    };
    Budgets {
        conversation: BudgetLimit {
            cost: conversation_cost,
            tokens: tokens(
                "budget.conversation_tokens",
                "JARVIS_BUDGET_CONVERSATION_TOKENS",
            ),
        },
        day: BudgetLimit {
            cost: day_cost,
            tokens: tokens("budget.day_tokens", "JARVIS_BUDGET_DAY_TOKENS"),
        },
    }
}
