//! The values that a sign-in sees in events: the one place that knows it.
//!
//! A card shows real values to the people who may decide. A sign-in that only reads gets the model's
//! tokens in their place, whoever it belongs to, and so does every program in a relayed call: it may be the
//! one that relays for a model. Events leave the journal as [`Unseen`], and a live
//! stream takes a [`Sight`], so that no way out can forget it. A person's own words stay as typed.

use protocol::{Assurance, Confirmation, ConversationPage, Event, EventBody, HistoryPage};

/// The sight that a sign-in has of one conversation; see [`Engine::sight`].
///
/// [`Engine::sight`]: crate::Engine::sight
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Everything: it may act, or nothing is hidden there.
    Values,
    /// Tokens in place of hidden values.
    Tokens,
}

/// Events on their way to somebody, whose sight decides on what is in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Unseen<T>(T);

impl<T: CoverEvents> Unseen<T> {
    pub fn new(events: T) -> Self {
        Self(events)
    }

    /// The events as a sign-in with this sight sees them.
    pub fn by(self, sight: Sight) -> T {
        let Self(mut events) = self;
        match sight {
            Sight::Values => {}
            Sight::Tokens => events.cover(),
        }
        events
    }
}

/// An event, or something with events in it.
pub trait CoverEvents {
    /// Removes what has hidden values.
    fn cover(&mut self);
}

impl<T: CoverEvents> CoverEvents for Vec<T> {
    fn cover(&mut self) {
        for event in self {
            event.cover();
        }
    }
}

impl CoverEvents for ConversationPage {
    fn cover(&mut self) {
        self.events.cover();
        if let Some(before) = &mut self.before {
            before.events.cover();
        }
    }
}

impl CoverEvents for HistoryPage {
    fn cover(&mut self) {
        self.events.cover();
        self.late.cover();
    }
}

impl CoverEvents for Event {
    fn cover(&mut self) {
        self.body.cover();
    }
}

impl CoverEvents for EventBody {
    fn cover(&mut self) {
        match self {
            Self::ConfirmationRequested { confirmation, .. } => cover_card(confirmation),
            // The value of an address can be guessed by its digest.
            Self::ConfirmationDecided { digest, .. } => digest.clear(),
            // They have tokens, or what a person typed.
            Self::ConversationStarted { .. }
            | Self::TitleChanged { .. }
            | Self::TitleWritten { .. }
            | Self::ModelChosen { .. }
            | Self::MessageQueued { .. }
            | Self::MessageSteered { .. }
            | Self::MessageRead { .. }
            | Self::Branched { .. }
            | Self::MessageWithdrawn { .. }
            | Self::TurnStarted { .. }
            | Self::ActionStarted { .. }
            | Self::AskedByLink { .. }
            | Self::TurnResumed { .. }
            | Self::StepStarted { .. }
            | Self::StepInterrupted { .. }
            | Self::AssistantMessage { .. }
            | Self::ToolQueued { .. }
            | Self::GrantGiven { .. }
            | Self::GrantRevoked { .. }
            | Self::ToolStarted { .. }
            | Self::ToolBlocked { .. }
            | Self::ToolFinished { .. }
            | Self::OutcomeResolved { .. }
            | Self::StopRequested { .. }
            | Self::BudgetNear { .. }
            | Self::TurnFinished { .. }
            | Self::Unknown => {}
        }
    }
}

/// Leaves of a card what has tokens: sentence, target, the model's input and words, and the reasons.
fn cover_card(card: &mut Confirmation) {
    card.shown = None;
    card.sections.clear();
    card.origins.clear();
    // Digests of values may be among them.
    card.facts.clear();
    card.digest.clear();
    // The rest of the input is nowhere else now.
    card.said.clear();
    if let Some(risk) = &mut card.risk {
        for reason in &mut risk.reasons {
            reason.span = None;
        }
    }
    // The word is a name of the system. Whoever only reads approves nothing.
    if let Assurance::Type { word } = &mut card.assurance {
        word.clear();
    }
}

#[cfg(test)]
mod tests {
    use protocol::{CallId, Seq, Timestamp, TurnId};
    use serde_json::json;

    use super::*;

    const AT: Timestamp = Timestamp(1_700_000_000_000);
    const HIDDEN: &str = "192.168.41.7";

    fn asked() -> Event {
        let card = json!({
            "revision": 2, "digest": "1f0a", "sentence": "Pings ip-s1-n1.7.", "target": "device",
            "tier": "red", "input": { "host": "ip-s1-n1.7" }, "shown": { "host": HIDDEN },
            "facts": [{ "label": "Script", "value": HIDDEN }],
            "origins": [{ "path": "/host", "value": HIDDEN, "source": { "type": "user" } }],
            "risk": { "level": "note", "reasons": [{
                "rule": "pings", "weight": "note", "sentence": "It pings.",
                "span": { "section": 0, "line": 1 },
            }] },
            "sections": [protocol::CardSection::text("Script", "bash", HIDDEN)],
            "said": ["host"], "assurance": { "type": "type", "word": HIDDEN }, "expires": AT,
        });
        let body = EventBody::ConfirmationRequested {
            turn: TurnId::new(AT, 1),
            call: CallId::new(AT, 1),
            confirmation: serde_json::from_value(card).unwrap(),
        };
        Event {
            seq: Seq(1),
            at: AT,
            body,
        }
    }

    #[test]
    fn who_only_reads_gets_tokens_and_who_decides_everything() {
        let seen = |sight| Unseen::new(vec![asked()]).by(sight);
        assert_eq!(seen(Sight::Values), [asked()]);
        let covered = seen(Sight::Tokens);
        let text = serde_json::to_string(&covered).unwrap();
        assert!(!text.contains(HIDDEN) && !text.contains("1f0a"), "{text}");
        assert!(text.contains("Pings ip-s1-n1.7."), "{text}");
        let EventBody::ConfirmationRequested { confirmation, .. } = &covered[0].body else {
            panic!("{covered:?}");
        };
        assert_eq!(confirmation.input, json!({ "host": "ip-s1-n1.7" }));
        let word = String::new();
        assert_eq!(confirmation.assurance, Assurance::Type { word });
    }
}
