//! The model that answers a conversation, and what the conversation has used.
//!
//! A turn keeps the choice with which it began or was resumed. Another model is sent none of the
//! thinking of the one before: the vendor binds thinking to its model.

use protocol::{EventBody, ModelChoice, Spent};

use super::state::Conversation;
use crate::ports::NewRecord;

impl Conversation {
    /// The model and effort from the next turn on.
    pub(crate) fn choice(&self) -> &ModelChoice {
        &self.choice
    }

    /// The model and effort of the running turn; between turns, of the next one.
    pub(crate) fn answering(&self) -> &ModelChoice {
        self.running().map_or(&self.choice, |turn| &turn.choice)
    }

    /// Usage and cost since the conversation began, and true if the person was told that most of
    /// its budget is used.
    pub(crate) fn spent(&self) -> (&Spent, bool) {
        (&self.spent, self.told)
    }

    /// The records of a choice of model and effort; none if it changes nothing.
    pub(crate) fn choose(&self, choice: ModelChoice, window: Option<u64>) -> Vec<NewRecord> {
        if choice == self.choice {
            Vec::new()
        } else {
            vec![chosen(choice, window)]
        }
    }

    /// Puts the running turn under the newest choice; `before` is the one until now. Thinking
    /// belongs to the model that thought it: another one is not sent any of it.
    pub(super) fn take_choice(&mut self, before: Option<ModelChoice>) {
        let choice = self.choice.clone();
        if before.is_some_and(|before| before.model != choice.model) {
            for turn in &mut self.turns {
                turn.stripped = turn.steps.len();
            }
        }
        if let Some(turn) = self.turns.back_mut() {
            turn.choice = choice;
        }
    }
}

/// The record of a choice of model and effort.
pub(crate) fn chosen(choice: ModelChoice, window: Option<u64>) -> NewRecord {
    let ModelChoice { model, effort } = choice;
    NewRecord::event(EventBody::ModelChosen {
        model,
        effort,
        window,
    })
}
