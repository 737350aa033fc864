//! Conversations whose model is directed by a script, and whose cards are decided as they come.

use protocol::{CallId, Command, Confirmation, ConversationId, Decision, EventBody, Seq};

use crate::socket::Socket;

impl Socket {
    /// Sends a message, decides the cards of its turn as they come, and waits for the end of the turn. A
    /// card that has changed meanwhile is decided once more.
    pub(super) async fn directed(
        &mut self,
        conversation: ConversationId,
        message: Command,
        decides: &mut (dyn FnMut(&Confirmation) -> Decision + Send),
    ) {
        let (mut read, ended) = (self.view.events.len(), self.view.finished() + 1);
        let is_first = matches!(message, Command::Start { .. });
        self.command(message).await.unwrap();
        if is_first {
            self.subscribe(conversation, Seq(0)).await.unwrap();
        }
        loop {
            self.see(|view| view.finished() >= ended || view.events.len() > read)
                .await;
            let cards = self.cards(read);
            read = self.view.events.len();
            for card in cards {
                let decision = decides(&card.1);
                // One that is no longer open was asked again, or withdrawn.
                self.decide(conversation, &card, decision).await.ok();
            }
            if self.view.finished() >= ended {
                return;
            }
        }
    }

    /// The cards among the events from a place on.
    fn cards(&self, from: usize) -> Vec<(CallId, Confirmation)> {
        let events = self.view.events.iter().skip(from);
        let cards = events.filter_map(|event| match &event.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => Some((*call, (**confirmation).clone())),
            _ => None,
        });
        cards.collect()
    }
}

/// A message of a conversation that goes on.
pub(super) fn next(conversation: ConversationId, text: impl Into<String>) -> Command {
    Command::Send {
        conversation,
        text: text.into(),
        withdraw: false,
        references: Vec::new(),
    }
}

pub(super) fn denied() -> Decision {
    Decision::Deny { comment: None }
}

/// Xorshift: the same numbers from the same seed, which is not zero.
pub(super) struct SeededNumbers(pub(super) u64);

impl SeededNumbers {
    /// A number below another.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    /// One of several.
    pub(super) fn one_of<T: Copy>(&mut self, several: &[T]) -> T {
        several[self.below(several.len())]
    }
}
