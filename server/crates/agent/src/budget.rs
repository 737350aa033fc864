//! Budgets of a conversation and of a day, and the words for one that is nearly or fully used.
//!
//! Budgets are checked before each call of the model, never during one. Conversations that run side
//! by side can each go one call beyond the day's budget; a call that a crash cut off is not in the
//! sums. Calls without a known price count by their tokens.

use protocol::{BudgetLimit, BudgetScope, Cost, ErrorBody, ErrorCode, Spent, Timestamp};

use crate::texts;

/// The budgets. Usage beyond a limit is at most that of the steps under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budgets {
    /// By each conversation, from its start.
    pub conversation: BudgetLimit,
    /// By each person on one day, in UTC.
    pub day: BudgetLimit,
}

/// The usage of a user on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DaySpent {
    pub spent: Spent,
    /// Set once the user was told that most of the budget is used.
    pub told: bool,
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The number of a moment's day, from 1970 in UTC.
pub fn day_of(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MS)
}

/// Time at which a day begins.
pub fn day_start(day: i64) -> Timestamp {
    Timestamp(day.saturating_mul(DAY_MS))
}

/// The state of a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BudgetStanding {
    Fine,
    /// At least four fifths are used; the sentence that says so.
    Near(String),
    /// Nothing is left.
    Reached(ErrorBody),
}

/// The state of a budget. A call whose price is unknown counts by its tokens alone.
pub(crate) fn standing(scope: BudgetScope, limit: &BudgetLimit, spent: &Spent) -> BudgetStanding {
    let sides = [
        limit
            .cost
            .map(|limit| (spent.cost.0, limit.0, BudgetUnit::Money)),
        limit
            .tokens
            .map(|limit| (spent.usage.total(), limit, BudgetUnit::Tokens)),
    ];
    let mut sides = sides.into_iter().flatten();
    if let Some((used, limit, unit)) = sides.clone().find(|(used, limit, _)| used >= limit) {
        return BudgetStanding::Reached(reached(scope, unit, used, limit, spent.unpriced));
    }
    let near =
        |(used, limit, _): &(u64, u64, BudgetUnit)| u128::from(*used) * 5 >= u128::from(*limit) * 4;
    match sides.find(near) {
        Some((used, limit, unit)) => BudgetStanding::Near(texts::budget::is_partly_used(
            u128::from(used) * 100 / u128::from(limit.max(1)),
            of(scope),
            &unit.told(used),
            &unit.told(limit),
        )),
        None => BudgetStanding::Fine,
    }
}

#[derive(Debug, Clone, Copy)]
enum BudgetUnit {
    Money,
    Tokens,
}

impl BudgetUnit {
    fn told(self, amount: u64) -> String {
        match self {
            Self::Money => dollars(Cost(amount)),
            Self::Tokens => format!("{} tokens", units::count(amount)),
        }
    }
}

fn of(scope: BudgetScope) -> &'static str {
    match scope {
        BudgetScope::Conversation => texts::budget::SCOPE_CONVERSATION,
        BudgetScope::Day => texts::budget::SCOPE_DAY,
        BudgetScope::Unknown => texts::budget::SCOPE_UNKNOWN,
    }
}

fn reached(
    scope: BudgetScope,
    unit: BudgetUnit,
    used: u64,
    limit: u64,
    unpriced: u64,
) -> ErrorBody {
    let mut message = texts::budget::is_used_up(of(scope), &unit.told(used), &unit.told(limit));
    if unpriced > 0 && matches!(unit, BudgetUnit::Money) {
        message.push_str(&texts::budget::and_unpriced(&units::count(unpriced)));
    }
    let key = match scope {
        BudgetScope::Day => "budget.day",
        _ => "budget.conversation",
    };
    let until = match scope {
        BudgetScope::Day => texts::budget::RESETS_AT_MIDNIGHT,
        _ => "",
    };
    ErrorBody::new(ErrorCode::BudgetReached, message).with_help(texts::budget::help(key, until))
}

/// `$1.02`; four digits after the point below a dollar.
fn dollars(cost: Cost) -> String {
    let micros = cost.0;
    match micros {
        0..1_000_000 => format!("$0.{:04}", micros / 100),
        _ => format!("${}.{:02}", micros / 1_000_000, micros / 10_000 % 100),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::Usage;

    use super::*;

    fn spent(tokens: u64, micros: u64, unpriced: u64) -> Spent {
        Spent {
            usage: Usage {
                input: tokens,
                ..Usage::default()
            },
            cost: Cost(micros),
            unpriced,
        }
    }

    #[test]
    fn what_is_said() {
        let limit = |cost: Option<u64>, tokens| BudgetLimit {
            cost: cost.map(Cost),
            tokens,
        };
        let told = |scope, limit, spent| match standing(scope, &limit, &spent) {
            BudgetStanding::Fine => String::new(),
            BudgetStanding::Near(text) => text,
            BudgetStanding::Reached(error) => error.message,
        };
        let (conversation, day) = (BudgetScope::Conversation, BudgetScope::Day);
        for (scope, limit, spent, expect) in [
            (conversation, limit(None, None), spent(9_999, 9_999, 0), ""),
            (
                conversation,
                limit(Some(1_000_000), None),
                spent(9, 799_999, 0),
                "",
            ),
            (
                conversation,
                limit(Some(1_000_000), None),
                spent(9, 800_000, 0),
                "80 % of the budget of this conversation is used: $0.8000 of $1.00.",
            ),
            (
                conversation,
                limit(Some(1_000_000), None),
                spent(9, 1_023_456, 500),
                "The budget of this conversation is used up: $1.02 of $1.00. Another 500 tokens had \
                 no known price and are not in this sum.",
            ),
            // Usage without a price counts by tokens.
            (
                conversation,
                limit(Some(1), Some(100)),
                spent(50, 0, 50),
                "",
            ),
            (
                day,
                limit(Some(1), Some(1_000)),
                spent(1_000, 0, 1_000),
                "The budget that you have for today (UTC) is used up: 1,000 tokens of 1,000 tokens.",
            ),
        ] {
            assert_eq!(told(scope, limit, spent), expect);
        }
    }

    #[test]
    fn days_begin_at_midnight_in_utc() {
        let at = Timestamp(1_700_000_000_000);
        let day = day_of(at);
        assert!(day_start(day) <= at && at < day_start(day + 1));
        assert_eq!(day_of(day_start(day)), day);
        assert_eq!(day_of(Timestamp(-1)), -1);
    }

    proptest! {
        /// The sums of parts are the sum, in whatever portions they come.
        #[test]
        fn nothing_is_lost_in_a_sum(
            calls in prop::collection::vec((0u64..1 << 40, prop::option::of(0u64..1 << 40)), 0..40),
            cut in 0usize..40,
        ) {
            let sum = |calls: &[(u64, Option<u64>)]| {
                let mut sum = Spent::default();
                for (tokens, cost) in calls {
                    let usage = Usage { output: *tokens, ..Usage::default() };
                    sum.add(usage, cost.map(Cost));
                }
                sum
            };
            let (first, rest) = calls.split_at(cut.min(calls.len()));
            let (whole, first, rest) = (sum(&calls), sum(first), sum(rest));
            prop_assert_eq!(whole.usage.total(), first.usage.total() + rest.usage.total());
            prop_assert_eq!(whole.cost.0, first.cost.0 + rest.cost.0);
            prop_assert_eq!(whole.unpriced, first.unpriced + rest.unpriced);
            let priced: u64 = calls.iter().filter(|(_, cost)| cost.is_some()).map(|(n, _)| n).sum();
            prop_assert_eq!(whole.usage.total(), priced + whole.unpriced);
        }
    }
}
