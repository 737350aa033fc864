//! What was used, and how much may be.

use serde::{Deserialize, Serialize};

use crate::{Cost, Timestamp, Usage};

/// What was used: all tokens, and the cost of those whose price is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spent {
    pub usage: Usage,
    /// Of the calls whose price is known.
    pub cost: Cost,
    /// Tokens of the calls whose price is unknown.
    pub unpriced: u64,
}

impl Spent {
    /// Adds one call of a model.
    pub fn add(&mut self, usage: Usage, cost: Option<Cost>) {
        self.usage += usage;
        match cost {
            Some(cost) => self.cost += cost,
            None => self.unpriced += usage.total(),
        }
    }
}

/// How much may be used; none is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BudgetLimit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// All tokens, read and written, cached ones included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

impl BudgetLimit {
    /// Whether there is any limit.
    pub fn is_set(&self) -> bool {
        self.cost.is_some() || self.tokens.is_some()
    }
}

/// What a budget is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetScope {
    /// One conversation, from its start.
    Conversation,
    /// All of a person's conversations on one day, in UTC.
    Day,
    #[serde(other)]
    Unknown,
}

/// What a person has used in a conversation and today, and what may be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    pub conversation: Spent,
    pub conversation_limit: BudgetLimit,
    /// All of the person's conversations, those that were deleted included.
    pub day: Spent,
    pub day_limit: BudgetLimit,
    /// When the day began: midnight in UTC.
    pub since: Timestamp,
    /// What the conversation's model can read and write in one call, in tokens, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}
