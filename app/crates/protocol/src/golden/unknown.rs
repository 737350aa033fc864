//! Forward compatibility: words of a newer build are read as unknown instead of failing.

use std::fmt::Debug;

use serde::de::DeserializeOwned;

use super::{AT, call, conversation, turn};
use crate::{
    BlockKind, BlockedReason, ClientFrame, Command, ContentBlock, ErrorBody, ErrorCode, Event,
    EventBody, FromJson, Mode, Seq, ServerFrame, StopReason, Tier, ToolOutcome, Topic, TurnOutcome,
};

#[track_caller]
fn check<T: DeserializeOwned + FromJson + PartialEq + Debug>(json: &str, expect: T) {
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), expect, "{json}");
    let without_serde = crate::from_json_text::<T>(json);
    assert_eq!(without_serde, Some(expect), "without serde: {json}");
}

#[test]
fn an_unknown_variant_survives() {
    let future = r#"{"type": "from_the_future", "seq": "x", "text": 1, "deep": {"a": [null]}}"#;
    check(future, EventBody::Unknown);
    check(future, ContentBlock::Other);
    check(future, ToolOutcome::Unknown);
    check(future, TurnOutcome::Unknown);
    check(future, Command::Unknown);
    check(future, Topic::Unknown);
    check(future, ClientFrame::Unknown);
    check(future, ServerFrame::Unknown);
    check(future, BlockKind::Other);
    let word = r#""from_the_future""#;
    check(word, Mode::Unknown);
    check(word, StopReason::Unknown);
    check(word, BlockedReason::Unknown);
    check(word, ErrorCode::Unknown);
}

/// A tier decides what may run, so there is nothing safe to fall back to.
#[test]
fn an_unknown_tier_is_an_error() {
    assert!(serde_json::from_str::<Tier>(r#""ultraviolet""#).is_err());
    assert_eq!(crate::from_json_text::<Tier>(r#""ultraviolet""#), None);
}

#[test]
fn an_unknown_variant_does_not_take_its_neighbours_along() {
    let at = AT.0;
    check(
        &format!(r#"{{"seq": 7, "at": {at}, "type": "from_the_future", "more": [1]}}"#),
        Event {
            seq: Seq(7),
            at: AT,
            body: EventBody::Unknown,
        },
    );
    let (conversation, turn, call) = (conversation(), turn(), call());
    check(
        &format!(
            r#"{{"type": "events", "conversation": "{conversation}", "events": [
                {{"seq": 1, "at": {at}, "type": "from_the_future", "turn": 3}},
                {{"seq": 2, "at": {at}, "type": "turn_resumed", "turn": "{turn}", "new_field": 1}}
            ]}}"#
        ),
        ServerFrame::Events {
            conversation,
            events: vec![
                Event {
                    seq: Seq(1),
                    at: AT,
                    body: EventBody::Unknown,
                },
                Event {
                    seq: Seq(2),
                    at: AT,
                    body: EventBody::TurnResumed { turn },
                },
            ],
        },
    );
    check(
        &format!(
            r#"{{"type": "tool_finished", "turn": "{turn}", "call": "{call}",
                "outcome": {{"type": "from_the_future", "x": 1}}, "elapsed_ms": 4}}"#
        ),
        EventBody::ToolFinished {
            turn,
            call,
            outcome: ToolOutcome::Unknown,
            elapsed_ms: 4,
        },
    );
    check(
        r#"{"code": "from_the_future", "message": "m", "docs": "/help"}"#,
        ErrorBody::new(ErrorCode::Unknown, "m"),
    );
}

/// Fields that older builds did not write.
#[test]
fn defaults_stand_in_for_missing_fields() {
    let conversation = conversation();
    check(
        &format!(r#"{{"type": "start", "conversation": "{conversation}", "text": "Hi"}}"#),
        Command::Start {
            conversation,
            mode: Mode::Default,
            text: "Hi".to_owned(),
            from: None,
            plan: None,
            choice: None,
            references: Vec::new(),
            packs: None,
        },
    );
}
