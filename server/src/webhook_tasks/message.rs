//! Messages: identifiers, closed words and links that say what happened.
//!
//! Of a card it has the sentence and the target, as a sign-in that only reads sees them: with tokens in the
//! place of hidden values. No input, no result, no words of people or of the model are in a message.

mod turn_end;

use agent::{Sight, clean_text};
use protocol::{CallId, ConversationId, Event, EventBody, Verdict};
use serde_json::{Value, json};
use store::{OwnCallEnd, SystemEvent, WebhookEvent, WebhookFact, WebhookMessage};

use crate::{
    config::{WebhookKind, WebhookSettings},
    feed::moment,
    page_address::{card_address, conversation_address},
};
use turn_end::TurnEnd;

/// Characters of a text that are sent.
const MAX_TEXT: usize = 1000;

/// Makes messages of events.
pub(super) struct MessageMaker {
    /// Address at which browsers reach the server, without a slash at the end.
    url: String,
    endpoints: Vec<Subscriber>,
}

struct Subscriber {
    name: String,
    kinds: Vec<WebhookKind>,
}

/// A message before it is written.
struct MessageContent {
    /// Made of the event alone, without a full stop, which separates the parts that are signed.
    id: String,
    kind: WebhookKind,
    data: Value,
}

impl MessageMaker {
    pub(super) fn new(url: String, settings: &[WebhookSettings]) -> Self {
        let endpoints = settings.iter().map(|endpoint| Subscriber {
            name: endpoint.name.clone(),
            kinds: endpoint.events.clone(),
        });
        Self {
            url,
            endpoints: endpoints.collect(),
        }
    }

    /// The message of an event; none if no endpoint wants one.
    pub(super) fn message(&self, fact: WebhookFact) -> Option<WebhookMessage> {
        let at = fact.at;
        let content = match fact.event {
            WebhookEvent::Conversation {
                conversation,
                event,
                end,
            } => {
                // Whoever receives it decides nothing.
                let event = event.by(Sight::Tokens);
                let url = &self.url;
                of_conversation(&EventPage { url, conversation }, event, end)
            }
            WebhookEvent::System(event) => of_system(&self.url, *event),
        }?;
        let wanting = self.endpoints.iter();
        let wanting = wanting.filter(|endpoint| endpoint.kinds.contains(&content.kind));
        let endpoints: Vec<_> = wanting.map(|endpoint| endpoint.name.clone()).collect();
        if endpoints.is_empty() {
            return None;
        }
        let body = json!({
            "type": content.kind.word(),
            "timestamp": moment(at),
            "data": content.data,
        });
        Some(WebhookMessage {
            id: content.id,
            body: body.to_string(),
            endpoints,
        })
    }
}

fn of_conversation(
    page: &EventPage<'_>,
    event: Event,
    end: Option<OwnCallEnd>,
) -> Option<MessageContent> {
    let conversation = page.conversation;
    let id = format!("msg_{conversation}_{}", event.seq.0);
    let (kind, data) = match event.body {
        EventBody::ConfirmationRequested {
            turn,
            call,
            confirmation,
        } => {
            let data = json!({
                "conversation": conversation,
                "turn": turn,
                "call": call,
                "revision": confirmation.revision,
                "tier": confirmation.tier,
                "target": text(&confirmation.target),
                "sentence": text(&confirmation.sentence),
                "expires": moment(confirmation.expires),
                "url": page.card(call),
            });
            (WebhookKind::ConfirmationWaiting, data)
        }
        EventBody::ConfirmationDecided {
            turn,
            call,
            verdict,
            ..
        } => {
            let data = json!({
                "conversation": conversation,
                "turn": turn,
                "call": call,
                "verdict": verdict_word(&verdict),
                "url": page.card(call),
            });
            (WebhookKind::ConfirmationDecided, data)
        }
        EventBody::TurnFinished { turn, outcome, .. } => {
            let ended = TurnEnd::of(&outcome, end);
            let data = json!({
                "conversation": conversation,
                "turn": turn,
                "outcome": ended.outcome,
                "error": ended.error,
                "request_id": ended.request,
                "url": page.address(),
            });
            (WebhookKind::TurnEnded, data)
        }
        _ => return None,
    };
    Some(MessageContent { id, kind, data })
}

fn of_system(url: &str, event: SystemEvent) -> Option<MessageContent> {
    let page = format!("{url}/feed?kind=notice");
    let (id, kind, data) = match event {
        SystemEvent::NoticeRaised {
            notice,
            system,
            kind,
            grave,
            about,
            text: sentence,
        } => {
            let data = json!({
                "notice": notice,
                "system": system,
                "kind": kind,
                "grave": grave,
                "about": text(&about),
                "sentence": text(&sentence),
                "url": page,
            });
            let id = format!("msg_{notice}_raised");
            (id, WebhookKind::NoticeRaised, data)
        }
        SystemEvent::NoticeEnded {
            notice,
            about,
            text: sentence,
        } => {
            let data = json!({
                "notice": notice,
                "about": text(&about),
                "sentence": text(&sentence),
                "url": page,
            });
            let id = format!("msg_{notice}_resolved");
            (id, WebhookKind::NoticeResolved, data)
        }
        _ => return None,
    };
    Some(MessageContent { id, kind, data })
}

/// The page that shows an event.
struct EventPage<'a> {
    url: &'a str,
    /// A conversation, or a person's own call.
    conversation: ConversationId,
}

impl EventPage<'_> {
    fn address(&self) -> String {
        conversation_address(self.url, self.conversation)
    }

    /// The link to a card on it.
    fn card(&self, call: CallId) -> String {
        card_address(self.url, self.conversation, call)
    }
}

/// A text that names of a system may be part of: nothing in it is hidden, and it is not longer than a
/// sentence can be.
fn text(text: &str) -> String {
    let text = clean_text(text);
    let end = text.char_indices().nth(MAX_TEXT);
    match end {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Approved => "approved",
        Verdict::Denied { .. } => "denied",
        Verdict::Expired => "expired",
        Verdict::Withdrawn => "withdrawn",
        Verdict::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests;
