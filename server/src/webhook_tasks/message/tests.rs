use agent::Unseen;
use protocol::{
    BlockedReason, CardSection, ErrorBody, ErrorCode, NoticeId, Seq, Timestamp, ToolOutcome,
    ToolOutput, TurnId, TurnOutcome, Usage,
};

use super::*;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const HIDDEN: &str = "192.168.41.7";

fn maker(kinds: &[WebhookKind]) -> MessageMaker {
    MessageMaker {
        url: "https://jarvis.lan".to_owned(),
        endpoints: vec![Subscriber {
            name: "chat".to_owned(),
            kinds: kinds.to_vec(),
        }],
    }
}

fn conversation() -> ConversationId {
    ConversationId::new(AT, 1)
}

fn call() -> CallId {
    CallId::new(AT, 2)
}

fn turn() -> TurnId {
    TurnId::new(AT, 3)
}

fn fact(body: EventBody) -> WebhookFact {
    let (seq, at) = (Seq(7), AT);
    WebhookFact {
        at,
        event: WebhookEvent::Conversation {
            conversation: conversation(),
            event: Box::new(Unseen::new(Event { seq, at, body })),
            end: None,
        },
    }
}

fn asked(sentence: &str, target: &str) -> EventBody {
    let card = json!({
        "revision": 2, "digest": "1f0a", "sentence": sentence, "target": target,
        "tier": "red", "input": { "host": "ip-s1-n1.7" }, "shown": { "host": HIDDEN },
        "facts": [{ "label": "Script", "value": HIDDEN }],
        "origins": [{ "path": "/host", "value": HIDDEN, "source": { "type": "user" } }],
        "sections": [CardSection::text("Script", "bash", HIDDEN)],
        "reason": "The model says so.", "risks": ["It is a risk."],
        "said": ["host"], "assurance": { "type": "type", "word": HIDDEN }, "expires": AT,
    });
    EventBody::ConfirmationRequested {
        turn: turn(),
        call: call(),
        confirmation: serde_json::from_value(card).unwrap(),
    }
}

fn finished(outcome: TurnOutcome) -> EventBody {
    EventBody::TurnFinished {
        turn: turn(),
        outcome,
        usage: Usage::default(),
        cost: None,
    }
}

fn body(fact: WebhookFact) -> Value {
    let message = maker(&WebhookKind::ALL).message(fact).unwrap();
    assert_eq!(message.endpoints, ["chat"]);
    assert!(!message.id.contains('.'), "{}", message.id);
    serde_json::from_str(&message.body).unwrap()
}

#[test]
fn a_message_has_identifiers_closed_words_and_links() {
    let page = format!("https://jarvis.lan/chat/{}", conversation());
    let card = format!("{page}#{}", call());
    let time = "2023-11-14T22:13:20.000Z";
    let ids = json!({ "conversation": conversation(), "turn": turn(), "call": call() });
    let with = |more: Value| {
        let mut data = ids.as_object().unwrap().clone();
        data.extend(more.as_object().unwrap().clone());
        Value::Object(data)
    };
    let waiting = body(fact(asked("Pings ip-s1-n1.7.", "device")));
    let data = json!({
        "revision": 2, "tier": "red", "target": "device", "sentence": "Pings ip-s1-n1.7.",
        "expires": time, "url": card,
    });
    assert_eq!(
        waiting,
        json!({ "type": "confirmation.waiting", "timestamp": time, "data": with(data) })
    );
    let decided = body(fact(EventBody::ConfirmationDecided {
        turn: turn(),
        call: call(),
        digest: "1f0a".to_owned(),
        verdict: Verdict::Denied {
            comment: Some("Not at night.".to_owned()),
        },
        by: Some("Ada".to_owned()),
        via: None,
    }));
    let data = json!({ "verdict": "denied", "url": card });
    assert_eq!(
        decided,
        json!({ "type": "confirmation.decided", "timestamp": time, "data": with(data) })
    );
    let error = ErrorBody::new(ErrorCode::BudgetReached, "The budget of Ada is used up.");
    for (outcome, word, code, request) in [
        (TurnOutcome::Answered, "answered", Value::Null, Value::Null),
        (
            TurnOutcome::Limited {
                error: error.of_request("cmd_1"),
            },
            "limited",
            json!("budget_reached"),
            json!("cmd_1"),
        ),
    ] {
        let data = json!({
            "conversation": conversation(), "turn": turn(), "outcome": word, "error": code,
            "request_id": request, "url": page,
        });
        assert_eq!(
            body(fact(finished(outcome))),
            json!({ "type": "turn.ended", "timestamp": time, "data": data })
        );
    }
    let notice = NoticeId::new(AT, 4);
    let raised = SystemEvent::NoticeRaised {
        notice,
        system: "homelab".to_owned(),
        kind: "node".to_owned(),
        grave: true,
        about: "node agent1".to_owned(),
        text: "Node agent1 is offline.".to_owned(),
    };
    let resolved = SystemEvent::NoticeEnded {
        notice,
        about: "node agent1".to_owned(),
        text: "Node agent1 is offline.".to_owned(),
    };
    let system = |event| WebhookFact {
        at: AT,
        event: WebhookEvent::System(Box::new(event)),
    };
    let page = "https://jarvis.lan/feed?kind=notice";
    let data = json!({
        "notice": notice, "system": "homelab", "kind": "node", "grave": true,
        "about": "node agent1", "sentence": "Node agent1 is offline.", "url": page,
    });
    assert_eq!(
        body(system(raised)),
        json!({ "type": "notice.raised", "timestamp": time, "data": data })
    );
    let data = json!({
        "notice": notice, "about": "node agent1", "sentence": "Node agent1 is offline.",
        "url": page,
    });
    assert_eq!(
        body(system(resolved)),
        json!({ "type": "notice.resolved", "timestamp": time, "data": data })
    );
}

#[test]
fn no_hidden_value_and_no_word_of_the_model_is_in_a_message() {
    let maker = maker(&WebhookKind::ALL);
    let message = maker.message(fact(asked("Pings ip-s1-n1.7.", "device")));
    let body = message.unwrap().body;
    for hidden in [
        HIDDEN,
        "1f0a",
        "The model says so.",
        "It is a risk.",
        "input",
        "bash",
    ] {
        assert!(!body.contains(hidden), "{hidden}: {body}");
    }
}

/// Whoever names a guest writes into the sentence of a card.
#[test]
fn a_hostile_name_stays_a_part_of_its_sentence() {
    let name = "web\"},\"type\":\"notice.resolved\",\"x\":\"\r\nwebhook-id: 1\u{202e}\u{0}\u{200b}\
                <script>&amp;\u{feff}\u{e0041}";
    let sentence = format!("Stops VM 101 ({name}).");
    let maker = maker(&WebhookKind::ALL);
    let message = maker.message(fact(asked(&sentence, name))).unwrap();
    assert!(
        !message
            .body
            .contains(['\n', '\r', '\0', '\u{202e}', '\u{200b}', '\u{feff}'])
    );
    let body: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!(body["type"], "confirmation.waiting");
    assert_eq!(body.as_object().unwrap().len(), 3);
    let shown = body["data"]["sentence"].as_str().unwrap();
    assert!(
        shown.starts_with("Stops VM 101 (web\"},\"type\""),
        "{shown}"
    );
    assert!(shown.contains("\\u{202e}\\u{0}\\u{200b}"), "{shown}");
    assert_eq!(message.id, format!("msg_{}_7", conversation()));
    // One without an end is cut.
    let long = maker.message(fact(asked(&"é".repeat(1_000_000), "device")));
    let long = long.unwrap().body;
    assert!(long.len() < 4 * MAX_TEXT, "{} bytes", long.len());
}

#[test]
fn an_endpoint_gets_what_it_asked_for() {
    let some = maker(&[WebhookKind::TurnEnded]);
    assert!(some.message(fact(asked("Stops it.", "VM 101"))).is_none());
    assert!(some.message(fact(finished(TurnOutcome::Done))).is_some());
    let title = "x".to_owned();
    let other = fact(EventBody::TitleChanged { title });
    assert!(maker(&WebhookKind::ALL).message(other).is_none());
}

/// The turn of an own call is done however the call ended, and the receiver is told which it was.
#[test]
fn the_end_of_an_own_call_says_what_became_of_it() {
    let finished_as = |outcome| EventBody::ToolFinished {
        turn: turn(),
        call: call(),
        elapsed_ms: 1,
        outcome,
    };
    let output = ToolOutput {
        summary: "No.".to_owned(),
        data: Value::Null,
        images: Vec::new(),
    };
    let error = ErrorBody::new(ErrorCode::ToolFailed, HIDDEN);
    let decided = |verdict| EventBody::ConfirmationDecided {
        turn: turn(),
        call: call(),
        digest: String::new(),
        verdict,
        by: None,
        via: None,
    };
    let blocked = EventBody::ToolBlocked {
        turn: turn(),
        call: call(),
        tier: None,
        reason: BlockedReason::Protected,
        message: HIDDEN.to_owned(),
    };
    let none = Value::Null;
    for (end, word, code, request) in [
        (
            finished_as(ToolOutcome::Succeeded { output }),
            "done",
            &none,
            &none,
        ),
        (
            finished_as(ToolOutcome::Failed {
                error: error.clone(),
            }),
            "failed",
            &json!("tool_failed"),
            &json!("job-1"),
        ),
        (
            finished_as(ToolOutcome::Failed {
                error: error.of_request("cmd_1"),
            }),
            "failed",
            &json!("tool_failed"),
            &json!("cmd_1"),
        ),
        (
            finished_as(ToolOutcome::OutcomeUnknown { known: None }),
            "unknown",
            &none,
            &json!("job-1"),
        ),
        (blocked, "blocked", &json!("protected"), &json!("job-1")),
        (
            decided(Verdict::Denied { comment: None }),
            "denied",
            &none,
            &none,
        ),
        (decided(Verdict::Expired), "expired", &none, &none),
    ] {
        let mut own = fact(finished(TurnOutcome::Done));
        if let WebhookEvent::Conversation { end: of_call, .. } = &mut own.event {
            let (seq, at) = (Seq(6), AT);
            *of_call = Some(OwnCallEnd {
                event: Box::new(Unseen::new(Event { seq, at, body: end })),
                request: Some("job-1".to_owned()),
            });
        }
        let data = body(own)["data"].clone();
        assert_eq!(data["outcome"], word, "{data}");
        assert_eq!((&data["error"], &data["request_id"]), (code, request));
        assert!(!data.to_string().contains(HIDDEN), "{data}");
    }
}
