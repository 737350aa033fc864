//! The texts from which a title is made.

use super::state::Conversation;
use crate::title::text_of;

impl Conversation {
    /// True if the title is still the first words, and the first answer has just come.
    pub(crate) fn wants_title(&self) -> bool {
        !self.titled && self.answered == 1 && !self.is_action()
    }

    /// True if somebody gave it a title, or a model was asked for one.
    pub(crate) fn is_titled(&self) -> bool {
        self.titled
    }

    /// The person's first message, and the newest answer.
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
