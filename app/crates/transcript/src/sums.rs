//! The model in use, and the sums of tokens and cost.

use protocol::{Cost, Effort, ModelChoice, Usage};

use crate::fold::{RowChange, Transcript};

impl Transcript {
    /// Returns the model from the next turn on; none before the conversation has begun.
    pub fn choice(&self) -> Option<&ModelChoice> {
        self.choice.as_ref()
    }

    /// Returns the tokens that this model can read and write in one call, if the journal has them.
    pub fn window(&self) -> Option<u64> {
        self.window
    }

    /// Returns the tokens of the latest model call: about as many as the next one reads.
    pub fn last_usage(&self) -> Usage {
        self.last
    }

    /// Returns the tokens of the whole conversation.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Returns the cost of the whole conversation; unknown if that of any answer is.
    pub fn cost(&self) -> Option<Cost> {
        self.cost
    }

    /// Sets its title.
    pub(crate) fn entitle(&mut self, title: &str, changes: &mut Vec<RowChange>) {
        title.clone_into(&mut self.title);
        changes.push(RowChange::Title);
    }

    pub(crate) fn choose(
        &mut self,
        model: &str,
        effort: Option<Effort>,
        window: Option<u64>,
        changes: &mut Vec<RowChange>,
    ) {
        self.choice = Some(ModelChoice {
            model: model.to_owned(),
            effort,
        });
        self.window = window;
        changes.push(RowChange::Choice);
    }

    /// Counts one more model call.
    pub(crate) fn took(&mut self, usage: Usage, cost: Option<Cost>, changes: &mut Vec<RowChange>) {
        // A call that broke off at once does not show how much it would have read.
        if usage.total_input() > 0 {
            self.last = usage;
        }
        self.count(usage, cost, changes);
    }

    /// Adds to the sums.
    pub(crate) fn count(&mut self, usage: Usage, cost: Option<Cost>, changes: &mut Vec<RowChange>) {
        self.usage += usage;
        self.cost = match (self.cost, cost) {
            (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
            _ => None,
        };
        changes.push(RowChange::Totals);
    }
}
