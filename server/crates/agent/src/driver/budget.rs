//! Checks of the budgets before each call of the model.

use protocol::{BudgetScope, ErrorBody, EventBody, TurnId, TurnOutcome};

use super::{ConversationActor, EndedActor};
use crate::{
    budget::{BudgetStanding, day_of, standing},
    error,
    machine::step_limit,
    ports::{Durability, NewRecord},
};

impl ConversationActor {
    /// Ends the turn if a budget or the calls of the model that a run allows are used up, before the
    /// model is asked again: everything done so far is in the journal. Warns once when most of a budget is used. Returns true if the turn
    /// goes on.
    pub(super) async fn can_go_on(&mut self, turn: TurnId) -> Result<bool, EndedActor> {
        let most = self.shared.live().config.run.max_turns;
        let used = self.conversation.steps_of_run();
        if let Some(most) = most.filter(|most| used >= *most as usize) {
            return self.end_turn(turn, step_limit(most)).await.map(|()| false);
        }
        let mut records = Vec::new();
        for (scope, standing, told) in self.budgets().await {
            match standing {
                Ok(BudgetStanding::Fine) => {}
                Ok(BudgetStanding::Near(_)) if told => {}
                Ok(BudgetStanding::Near(message)) => {
                    let near = EventBody::BudgetNear {
                        turn,
                        scope,
                        message,
                    };
                    records.push(NewRecord::event(near));
                }
                Ok(BudgetStanding::Reached(error)) => {
                    let outcome = TurnOutcome::Limited { error };
                    return self.end_turn(turn, outcome).await.map(|()| false);
                }
                Err(error) => {
                    let outcome = TurnOutcome::Failed { error };
                    return self.end_turn(turn, outcome).await.map(|()| false);
                }
            }
        }
        if !records.is_empty() {
            self.commit(records, Durability::Process).await?;
        }
        Ok(true)
    }

    /// The reason why nothing that costs may begin; none if it may.
    pub(super) async fn cannot_begin(&mut self) -> Option<ErrorBody> {
        for (_, standing, _) in self.budgets().await {
            match standing {
                Ok(BudgetStanding::Fine | BudgetStanding::Near(_)) => {}
                Ok(BudgetStanding::Reached(error)) | Err(error) => return Some(error),
            }
        }
        None
    }

    async fn end_turn(&mut self, turn: TurnId, outcome: TurnOutcome) -> Result<(), EndedActor> {
        let record = self.conversation.turn_finished(turn, outcome, None);
        self.commit(vec![record], Durability::Process).await
    }

    /// The state of each budget, and true if its warning was given. A budget that cannot be read
    /// lets nothing pass.
    async fn budgets(&mut self) -> Vec<(BudgetScope, Result<BudgetStanding, ErrorBody>, bool)> {
        let budgets = self.shared.live().config.budgets;
        let mut found = Vec::new();
        if budgets.conversation.is_set() {
            let scope = BudgetScope::Conversation;
            let (spent, told) = self.conversation.spent();
            let standing = standing(scope, &budgets.conversation, spent);
            found.push((scope, Ok(standing), told));
        }
        if budgets.day.is_set() {
            let day = day_of(self.shared.env.now());
            let spent = self.shared.journal.spent_on(self.stored.owner, day).await;
            let scope = BudgetScope::Day;
            found.push(match spent {
                Ok(today) => {
                    let standing = standing(scope, &budgets.day, &today.spent);
                    (scope, Ok(standing), today.told)
                }
                Err(journal) => {
                    tracing::error!(conversation = %self.entry.id, error = %journal, "what was used today cannot be read");
                    (scope, Err(error::of_journal(&journal)), false)
                }
            });
        }
        found
    }
}
