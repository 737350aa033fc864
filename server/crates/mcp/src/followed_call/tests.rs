use protocol::{
    Assurance, Confirmation, ErrorBody, ErrorCode, MessageId, Resolution, Tier, ToolOutput, TurnId,
    TurnOutcome, Usage,
};
use serde_json::json;

use super::*;
use crate::CallReport;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const PAGE: &str = "https://jarvis.lan/chat/x";

fn call() -> CallId {
    CallId::new(AT, 1)
}

fn turn() -> TurnId {
    TurnId::new(AT, 2)
}

fn started(relayed: bool) -> EventBody {
    EventBody::ActionStarted {
        turn: turn(),
        message: MessageId::new(AT, 3),
        call: call(),
        tool: "order".to_owned(),
        input: json!({ "n": 1 }),
        by: "Ada".to_owned(),
        relayed,
    }
}

fn asked() -> EventBody {
    EventBody::ConfirmationRequested {
        turn: turn(),
        call: call(),
        confirmation: Box::new(Confirmation {
            revision: 1,
            digest: "d1".to_owned(),
            sentence: "Order SECRET.".to_owned(),
            target: "SECRET".to_owned(),
            tier: Tier::Red,
            input: json!({ "n": "SECRET" }),
            shown: None,
            original: None,
            facts: Vec::new(),
            origins: Vec::new(),
            risks: vec!["SECRET".to_owned()],
            risk: None,
            sections: Vec::new(),
            said: Vec::new(),
            reason: None,
            irreversible: None,
            choices: Vec::new(),
            editable: Vec::new(),
            assurance: Assurance::Press,
            grantable: false,
            grant_limit: None,
            expires: AT,
            changed: None,
            second: None,
        }),
    }
}

fn decided(verdict: Verdict) -> EventBody {
    EventBody::ConfirmationDecided {
        turn: turn(),
        call: call(),
        digest: "d1".to_owned(),
        verdict,
        by: None,
        via: None,
    }
}

fn ended(outcome: ToolOutcome) -> EventBody {
    EventBody::ToolFinished {
        turn: turn(),
        call: call(),
        outcome,
        elapsed_ms: 1,
    }
}

fn done() -> EventBody {
    EventBody::TurnFinished {
        turn: turn(),
        outcome: TurnOutcome::Done,
        usage: Usage::default(),
        cost: None,
    }
}

fn report(events: &[EventBody]) -> CallReport {
    let mut followed = FollowedCall::begun(&started(true)).expect("a relayed call");
    for body in events {
        followed.apply(body);
    }
    let name = "cnv_01HF7YAT0004HMASW9NF6YY093".parse().expect("a name");
    CallReport::new(name, PAGE, followed.standing())
}

#[test]
fn an_error_alone_names_the_request_behind_it() {
    let failed = ErrorBody::new(ErrorCode::ToolFailed, "No.");
    for (outcome, expect) in [
        (ToolOutcome::Failed { error: failed }, json!("req-1")),
        (ToolOutcome::Cancelled, Value::Null),
    ] {
        let report = report(&[ended(outcome)]).of_request(Some("req-1".to_owned()));
        assert_eq!(report.structured["request_id"], expect);
    }
    let without = report(&[ended(ToolOutcome::Cancelled)]).of_request(None);
    assert_eq!(without.structured.get("request_id"), None);
}

#[test]
fn calls_of_people_are_not_known_here() {
    assert!(FollowedCall::begun(&started(false)).is_none());
    assert!(FollowedCall::begun(&asked()).is_none());
}

#[test]
fn each_standing_has_its_report() {
    let output = |data: Value| ToolOutput {
        summary: "One.".to_owned(),
        data,
        images: Vec::new(),
    };
    let succeeded = |data| {
        ended(ToolOutcome::Succeeded {
            output: output(data),
        })
    };
    let failed = ErrorBody::new(ErrorCode::ToolFailed, "No.").with_help("Look.");
    let resolved = EventBody::OutcomeResolved {
        call: call(),
        resolution: Resolution::Done,
        by: None,
        via: None,
        message: "It took effect.".to_owned(),
    };
    let unknown = || ended(ToolOutcome::OutcomeUnknown { known: None });
    for (events, state, is_error, part) in [
        (vec![], "running", false, "has begun"),
        (vec![asked()], "waiting", false, PAGE),
        (
            vec![asked(), decided(Verdict::Approved)],
            "running",
            false,
            "has begun",
        ),
        (
            vec![asked(), decided(Verdict::Denied { comment: None }), done()],
            "denied",
            false,
            "did not run",
        ),
        (
            vec![asked(), decided(Verdict::Expired), done()],
            "expired",
            false,
            "did not run",
        ),
        (
            vec![succeeded(json!({ "n": 1 })), done()],
            "succeeded",
            false,
            "{\"n\":1}",
        ),
        (vec![succeeded(Value::Null)], "succeeded", false, "One."),
        (
            vec![ended(ToolOutcome::Failed { error: failed })],
            "failed",
            true,
            "No. Look.",
        ),
        (vec![unknown()], "unknown", false, "do not repeat"),
        (
            vec![unknown(), resolved],
            "resolved",
            false,
            "It took effect.",
        ),
        (vec![done()], "stopped", false, "stopped"),
        (
            vec![EventBody::ToolBlocked {
                turn: turn(),
                call: call(),
                tier: None,
                reason: BlockedReason::KillSwitch,
                message: "The kill switch is on.".to_owned(),
            }],
            "blocked",
            true,
            "kill switch",
        ),
    ] {
        let report = report(&events);
        assert_eq!(report.structured["state"], state);
        assert_eq!(report.is_error, is_error, "{state}");
        assert!(report.text.contains(part), "{state}: {}", report.text);
    }
}

/// The values on a card are for the person who decides.
#[test]
fn nothing_of_a_card_is_in_a_report() {
    let report = report(&[asked()]);
    let all = report.to_value().to_string();
    assert!(!all.contains("SECRET") && !all.contains("d1"), "{all}");
    let same = report.covered(report.to_value());
    assert_eq!(same, Some(report.clone()));
    for other in [json!([]), json!(["x", []]), json!({}), json!(["x", {}, 1])] {
        assert_eq!(report.covered(other), None);
    }
}
