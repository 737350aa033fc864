//! Cards that an older client is asked to open. The server keeps no session in which it could ask; the
//! standard streams are one. A client's answer decides nothing: it says how long its call waits here.

use serde_json::{Value, json};

use crate::texts;

/// The tool that reads the outcome of a call.
pub(crate) const OUTCOME_TOOL: &str = "get_call_outcome";
/// The first revision in which a server may ask for an address to be opened.
const FIRST: &str = "2025-11-25";
/// Seconds for which a call waits once its card is open: with the time before it less than clients have.
const PATIENCE: u32 = 45;

/// A call of a client that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnopenedCard {
    call: String,
    url: String,
}

/// A card that the client was asked to open.
#[derive(Debug)]
pub(crate) struct AskedCard {
    /// The id of the question.
    question: String,
    /// The id of the client's request.
    pub(crate) request: Value,
    /// The answer that the request has if nobody opens the card.
    pub(crate) waiting: String,
    card: UnopenedCard,
}

/// The answer to a question.
#[derive(Debug)]
pub(crate) enum CardAnswer {
    /// The card is open, or the question has been settled.
    Noted,
    /// Nobody opens it.
    Refused(AskedCard),
}

/// The cards of a client.
#[derive(Debug, Default)]
pub(crate) struct AskedCards {
    asked: Vec<AskedCard>,
    count: u64,
}

/// Returns whether a client of this session can be asked, by its `initialize` and the version agreed on.
pub(crate) fn can_be_asked(declares: bool, negotiated: Option<&str>) -> bool {
    declares && negotiated.is_some_and(|version| version >= FIRST)
}

/// Returns whether an answer says how its call stands. A refusal, such as by a quota, does not.
pub(crate) fn tells_state(answer: &Value) -> bool {
    let content = answer
        .get("result")
        .and_then(|it| it.get("structuredContent"));
    let state = content.and_then(|it| it.get("state"));
    state.is_some_and(|state| state != "refused")
}

impl UnopenedCard {
    /// The card of the answer to a call, if the call waits for one.
    pub(crate) fn of(answer: &Value) -> Option<Self> {
        let content = answer.get("result")?.get("structuredContent")?;
        let text = |name: &str| content.get(name).and_then(Value::as_str);
        let waits = text("state") == Some("waiting");
        let (call, url) = (text("call")?, text("url")?);
        waits.then(|| Self {
            call: call.to_owned(),
            url: url.to_owned(),
        })
    }

    /// The request for the outcome, with the id of the client's own: its answer is the client's.
    pub(crate) fn outcome(&self, request: &Value) -> Value {
        let arguments = json!({ "call": self.call, "wait_seconds": PATIENCE });
        json!({
            "jsonrpc": "2.0",
            "id": request,
            "method": "tools/call",
            "params": { "name": OUTCOME_TOOL, "arguments": arguments },
        })
    }
}

impl AskedCard {
    /// The message that the page needs no longer be open.
    pub(crate) fn settled(&self) -> Value {
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/elicitation/complete",
            "params": { "elicitationId": self.card.call },
        })
    }
}

impl AskedCards {
    /// Notes a card, and returns the question to the client.
    pub(crate) fn ask(&mut self, card: UnopenedCard, request: Value, waiting: String) -> Value {
        self.count += 1;
        let id = format!("jarvis-card-{}", self.count);
        let question = json!({
            "jsonrpc": "2.0",
            "id": id,
            "method": "elicitation/create",
            "params": {
                "mode": "url",
                "elicitationId": card.call,
                "url": card.url,
                "message": texts::OPEN_THE_CARD,
            },
        });
        self.asked.push(AskedCard {
            question: id,
            request,
            waiting,
            card,
        });
        question
    }

    /// Reads a message of the client as the answer to a question. None if it is none.
    pub(crate) fn answer(&mut self, message: &Value) -> Option<CardAnswer> {
        if message.get("method").is_some() {
            return None;
        }
        let id = message.get("id")?.as_str()?;
        id.strip_prefix("jarvis-card-")?;
        let at = self.asked.iter().position(|asked| asked.question == id);
        let action = message.get("result").and_then(|it| it.get("action"));
        let is_open = action.and_then(Value::as_str) == Some("accept");
        Some(match at {
            Some(at) if !is_open => CardAnswer::Refused(self.asked.remove(at)),
            Some(_) | None => CardAnswer::Noted,
        })
    }

    /// Takes the card of a request whose wait is over.
    pub(crate) fn ended(&mut self, request: &Value) -> Option<AskedCard> {
        let mut asked = self.asked.iter();
        let at = asked.position(|asked| asked.request == *request)?;
        Some(self.asked.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(state: &str) -> Value {
        let content =
            json!({ "state": state, "call": "cnv_1", "url": "https://jarvis.lan/chat/cnv_1" });
        json!({ "jsonrpc": "2.0", "id": 7, "result": { "structuredContent": content } })
    }

    #[test]
    fn only_a_call_that_waits_has_a_card() {
        assert!(UnopenedCard::of(&answer("waiting")).is_some());
        let failed = json!({ "id": 7, "error": {} });
        for (other, tells) in [
            (answer("succeeded"), true),
            (answer("refused"), false),
            (failed, false),
        ] {
            assert_eq!(UnopenedCard::of(&other), None);
            assert_eq!(tells_state(&other), tells, "{other}");
        }
    }

    #[test]
    fn only_clients_that_can_are_asked() {
        for (declares, version, expect) in [
            (true, Some("2025-11-25"), true),
            (true, Some("2025-06-18"), false),
            (false, Some("2025-11-25"), false),
            (true, None, false),
        ] {
            assert_eq!(can_be_asked(declares, version), expect, "{version:?}");
        }
    }

    #[test]
    fn an_answer_settles_its_own_question_once() {
        let mut cards = AskedCards::default();
        let mut ask = |request: u64| {
            let card = UnopenedCard::of(&answer("waiting")).unwrap();
            let question = cards.ask(card, json!(request), format!("waits {request}"));
            question["id"].clone()
        };
        let (first, second) = (ask(7), ask(8));
        let says = |id: &Value, action: &str| json!({ "id": id, "result": { "action": action } });
        assert!(matches!(
            cards.answer(&says(&first, "accept")),
            Some(CardAnswer::Noted)
        ));
        for expect in [true, false] {
            let refused = match cards.answer(&says(&second, "decline")) {
                Some(CardAnswer::Refused(asked)) => asked.waiting == "waits 8",
                _ => false,
            };
            assert_eq!(refused, expect);
        }
        assert!(cards.answer(&says(&json!("other"), "accept")).is_none());
        assert!(cards.ended(&json!(8)).is_none());
        assert!(cards.ended(&json!(7)).is_some() && cards.ended(&json!(7)).is_none());
    }
}
