//! Confirmations that wait, as interrupts of a run, and the answers to them.
//!
//! An answer becomes a command of the engine, which decides who may give it. A program's word counts
//! only for the card that it names: an id or a digest of an older one leads to the card again.

use protocol::{Assurance, CallId, Command, Confirmation, ConversationId, Decision, EventBody};
use serde_json::{Map, Value, json};

use crate::{
    event::Interrupt,
    input::{Resume, ResumeStatus},
    iso_time::iso_time,
    texts,
};

/// A confirmation that waits.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingCard {
    pub call: CallId,
    pub confirmation: Confirmation,
}

/// The confirmations that wait, in the order in which they were asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cards {
    waiting: Vec<WaitingCard>,
    /// True in the journal of a call that a program relayed, whose card is for the page alone.
    is_relayed: bool,
}

/// An entry of `resume`, as it concerns this conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum ResumeAnswer {
    /// To be carried out by the engine, with all its checks.
    Command(Box<Command>),
    /// It decides nothing: the person looks again. Also for an answer to a card that has changed.
    Look,
    /// No such card waits: it was decided, has expired, or never existed.
    Gone,
}

impl Cards {
    /// Follows the journal.
    pub fn apply(&mut self, body: &EventBody) {
        match body {
            EventBody::ActionStarted { relayed, .. } => self.is_relayed = *relayed,
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                self.waiting.retain(|card| card.call != *call);
                self.waiting.push(WaitingCard {
                    call: *call,
                    confirmation: (**confirmation).clone(),
                });
            }
            EventBody::ConfirmationDecided { call, .. }
            | EventBody::ToolBlocked { call, .. }
            | EventBody::ToolFinished { call, .. } => {
                self.waiting.retain(|card| card.call != *call);
            }
            // Nothing of a copy waits, and a turn leaves nothing behind that does.
            EventBody::Branched { .. } | EventBody::TurnFinished { .. } => self.waiting.clear(),
            _ => {}
        }
    }

    /// Iterates over the cards that wait.
    pub fn iter(&self) -> impl Iterator<Item = &WaitingCard> {
        self.waiting.iter()
    }

    /// Returns whether a program relayed the call that they are about: no program decides on it.
    pub(crate) fn is_relayed(&self) -> bool {
        self.is_relayed
    }

    /// Returns whether none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns what an entry of `resume` asks for.
    pub fn answer(&self, conversation: ConversationId, entry: &Resume) -> ResumeAnswer {
        let Some((call, revision)) = named(&entry.interrupt_id) else {
            return ResumeAnswer::Gone;
        };
        let Some(card) = self.waiting.iter().find(|card| card.call == call) else {
            return ResumeAnswer::Gone;
        };
        let confirmation = &card.confirmation;
        if confirmation.revision != revision {
            return ResumeAnswer::Look;
        }
        let payload = entry.payload.as_ref();
        let member = |name: &str| payload.and_then(|payload| payload.get(name));
        let digest = member("digest").filter(|digest| !digest.is_null());
        if digest.is_some_and(|digest| digest.as_str() != Some(&*confirmation.digest)) {
            return ResumeAnswer::Look;
        }
        let digest = confirmation.digest.clone();
        let decide = |decision| {
            ResumeAnswer::Command(Box::new(Command::Decide {
                conversation,
                call,
                digest: digest.clone(),
                decision,
            }))
        };
        if entry.status == ResumeStatus::Cancelled {
            return decide(Decision::Deny { comment: None });
        }
        if let Some(input @ Value::Object(_)) = member("editedArgs")
            && *input != confirmation.input
        {
            return ResumeAnswer::Command(Box::new(Command::Edit {
                conversation,
                call,
                digest: digest.clone(),
                input: input.clone(),
            }));
        }
        match member("approved").and_then(Value::as_bool) {
            // No word is typed and no grant is given by a program.
            Some(true) => decide(Decision::Approve {
                grant: None,
                word: None,
            }),
            Some(false) => {
                let comment = member("comment").and_then(Value::as_str);
                let comment = comment.filter(|comment| !comment.is_empty());
                decide(Decision::Deny {
                    comment: comment.map(str::to_owned),
                })
            }
            None => ResumeAnswer::Look,
        }
    }
}

impl WaitingCard {
    /// Returns whether a program may decide on it at all: only where one press is enough.
    pub fn takes_press(&self) -> bool {
        self.confirmation.assurance == Assurance::Press && self.confirmation.second.is_none()
    }

    /// The question of a run that ends here. `decides` says that its token may decide.
    pub(crate) fn interrupt(&self, decides: bool, page: &str) -> Interrupt {
        let card = &self.confirmation;
        let decidable = decides && self.takes_press();
        let mut jarvis = json!({
            "digest": card.digest,
            "tier": card.tier,
            "target": card.target,
            "facts": card.facts,
            "risks": card.risks,
            "assurance": card.assurance,
            "decidable": decidable,
            "url": self.address(page),
        });
        let optional = [
            ("risk", json!(card.risk)),
            ("irreversible", json!(card.irreversible)),
            ("changed", json!(card.changed)),
            ("second", json!(card.second)),
        ];
        for (name, value) in optional {
            if !value.is_null() {
                jarvis[name] = value;
            }
        }
        if !card.sections.is_empty() {
            jarvis["sections"] = json!(card.sections);
        }
        Interrupt {
            id: interrupt_id(self.call, card.revision),
            reason: "tool_call",
            message: card.sentence.clone(),
            tool_call_id: self.call.to_string(),
            response_schema: decidable.then(|| response_schema(card)),
            expires_at: iso_time(card.expires),
            metadata: json!({ "jarvis": jarvis }),
        }
    }

    /// The card's place on the conversation's page.
    fn address(&self, page: &str) -> String {
        format!("{page}#{}", self.call)
    }

    /// The content of its activity: all that the card shows.
    pub(crate) fn content(&self, page: &str) -> Map<String, Value> {
        let mut content = Map::new();
        content.insert("call".to_owned(), json!(self.call));
        content.insert("state".to_owned(), json!("waiting"));
        content.insert("url".to_owned(), json!(self.address(page)));
        content.insert("card".to_owned(), json!(self.confirmation));
        content
    }
}

fn interrupt_id(call: CallId, revision: u32) -> String {
    format!("{call}:{revision}")
}

fn named(interrupt: &str) -> Option<(CallId, u32)> {
    let (call, revision) = interrupt.split_once(':')?;
    let id: (CallId, u32) = (call.parse().ok()?, revision.parse().ok()?);
    // One text for each: no sign, no leading zero.
    (interrupt_id(id.0, id.1) == interrupt).then_some(id)
}

fn response_schema(card: &Confirmation) -> Value {
    let mut properties = json!({
        "approved": { "type": "boolean", "description": texts::APPROVED },
        "digest": { "type": "string", "const": card.digest, "description": texts::DIGEST },
        "comment": { "type": "string", "description": texts::COMMENT },
    });
    if !card.editable.is_empty() {
        properties["editedArgs"] = json!({ "type": "object", "description": texts::EDITED_ARGS });
    }
    json!({ "type": "object", "properties": properties, "required": ["approved"] })
}
