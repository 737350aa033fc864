//! Budgets: tokens and cost used, and their limits.

use serde::{Deserialize, Serialize};

use crate::{Cost, FromJson, Timestamp, Usage};

/// Usage: all tokens, and the cost of those whose price is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, FromJson)]
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

/// The limits of a budget; none is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, FromJson)]
pub struct BudgetLimit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// All tokens, read and written, cached ones included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

impl BudgetLimit {
    /// Returns whether any limit is set.
    pub fn is_set(&self) -> bool {
        self.cost.is_some() || self.tokens.is_some()
    }
}

/// The span that a budget covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum BudgetScope {
    /// One conversation, from its start.
    Conversation,
    /// All of a person's conversations on one day, in UTC.
    Day,
    #[serde(other)]
    Unknown,
}

/// A person's usage in a conversation and today, and the limits of both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Spending {
    /// The version of the conversation that is shown, which the limit is for.
    pub conversation: Spent,
    /// All versions of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Spent>,
    pub conversation_limit: BudgetLimit,
    /// All of the person's conversations, deleted ones included.
    pub day: Spent,
    pub day_limit: BudgetLimit,
    /// Start of the day: midnight in UTC.
    pub since: Timestamp,
    /// Tokens that the conversation's model can read and write in one call, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The most messages and final answers that the model of a new conversation sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_limit: Option<u32>,
    /// True if token counts that the model's server leaves out are estimated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_estimated: bool,
}
