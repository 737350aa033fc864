//! What a title is made of.

use super::state::Conversation;
use crate::title::text_of;

impl Conversation {
    /// Whether its title is still that of the rule, and its first answer has just come.
    pub(crate) fn wants_title(&self) -> bool {
        !self.titled && self.answered == 1 && !self.is_action()
    }

    /// Whether somebody gave it a title, or a model was asked for one.
    pub(crate) fn is_titled(&self) -> bool {
        self.titled
    }

    /// What the person said first, and what was answered.
    pub(crate) fn first_words(&self) -> Option<(String, String)> {
        let first = self.turns.front()?;
        let question = text_of(first.opening.iter().map(|block| &*block.raw));
        let answers = self.turns.iter().flat_map(|turn| &turn.steps);
        let mut answers = answers.filter_map(|step| step.answer.as_ref());
        let answer = answers
            .next_back()
            .map(|answer| text_of(answer.content.iter().map(|block| &*block.raw)));
        Some((question, answer?))
    }
}
