//! `[budget]`: how much a conversation and a day may use.

use agent::Budgets;
use protocol::{BudgetLimit, Cost};

use super::{reader::Reader, source::Setting, value::Whole};

/// Millionths of a dollar in a cent.
pub(crate) const CENT: u64 = 10_000;

/// US cents of a budget.
pub(crate) type BudgetCents = Whole<1, 100_000_000>;
/// BudgetTokens of a budget.
pub(crate) type BudgetTokens = Whole<1, { u32::MAX }>;

pub(super) fn read(r: &mut Reader<'_>) -> Budgets {
    r.section(
        "budget",
        "For each conversation, and for each person per day (UTC). When a budget is used up, a turn \
         stops at its next step; it continues when the budget is raised. Calls whose price is unknown \
         count only their tokens.",
    );
    let cost = |cents: Option<Setting<BudgetCents>>| cents.map(|it| Cost(u64::from(it.0) * CENT));
    let tokens = |tokens: Option<Setting<BudgetTokens>>| tokens.map(|it| u64::from(it.0));
    let conversation_cents = r
        .key("budget.conversation_cents", "US cents")
        .env("JARVIS_BUDGET_CONVERSATION_CENTS")
        .optional("250");
    let conversation_tokens = r
        .key(
            "budget.conversation_tokens",
            "input and output, including cached",
        )
        .env("JARVIS_BUDGET_CONVERSATION_TOKENS")
        .optional("2000000");
    let day_cents = r
        .key("budget.day_cents", "US cents")
        .env("JARVIS_BUDGET_DAY_CENTS")
        .optional("1000");
    let day_tokens = r
        .key("budget.day_tokens", "input and output, including cached")
        .env("JARVIS_BUDGET_DAY_TOKENS")
        .optional("10000000");
    Budgets {
        conversation: BudgetLimit {
            cost: cost(conversation_cents),
            tokens: tokens(conversation_tokens),
        },
        day: BudgetLimit {
            cost: cost(day_cents),
            tokens: tokens(day_tokens),
        },
    }
}
