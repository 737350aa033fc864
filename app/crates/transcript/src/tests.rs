//! A page that was open throughout shows the same as one that was just loaded.

use proptest::prelude::*;
use protocol::{
    BlockKind, CallId, Confirmation, ContentBlock, Cost, Event, EventBody, FromJson, LiveBlockId,
    MessageId, Mode, Seq, StopReason, Tier, Timestamp, ToolOutcome, ToolOutput, TurnId,
    TurnOutcome, Usage, Verdict,
};
use serde_json::json;

use super::*;

mod pages;

const TEXT: &str = "All is well, sir. Vier Knoten laufen – naïve Größe: 4 °C. ✓";

fn turn() -> TurnId {
    TurnId::new(Timestamp(1), 1)
}
fn message(n: u128) -> MessageId {
    MessageId::new(Timestamp(1), n)
}
fn call(n: u128) -> CallId {
    CallId::new(Timestamp(1), n)
}

/// Returns a turn of two steps: thinking, two tool calls, then an answer.
fn journal() -> Vec<Event> {
    let usage = Usage {
        input: 10,
        output: 5,
        ..Usage::default()
    };
    let assistant = |n, blocks, stop| EventBody::AssistantMessage {
        turn: turn(),
        message: message(n),
        blocks,
        stop,
        usage,
        cost: Some(Cost(7)),
    };
    let tool = |n| ContentBlock::ToolUse {
        call: call(n),
        name: "get_vms".into(),
        input: json!({"node": "pve"}),
    };
    let started = |n| EventBody::ToolStarted {
        turn: turn(),
        call: call(n),
        tier: Tier::Green,
        target: Some("node pve".into()),
        grant: None,
        input: None,
    };
    let finished = |n| EventBody::ToolFinished {
        turn: turn(),
        call: call(n),
        outcome: ToolOutcome::Succeeded {
            output: ToolOutput {
                summary: "9 VMs".into(),
                data: json!({"vms": []}),
                images: Vec::new(),
            },
        },
        elapsed_ms: 12,
    };
    let bodies = [
        EventBody::ConversationStarted {
            title: "Cluster".into(),
            model: "rehearsal-1".into(),
            mode: Mode::Default,
            toolsets: vec!["homelab".into()],
            from: None,
        },
        EventBody::TurnStarted {
            turn: turn(),
            message: message(1),
            text: "How is it?".into(),
            references: Vec::new(),
        },
        EventBody::StepStarted {
            turn: turn(),
            step: 1,
            message: message(2),
        },
        assistant(
            2,
            vec![
                ContentBlock::Thinking { text: TEXT.into() },
                tool(1),
                tool(2),
            ],
            StopReason::ToolUse,
        ),
        started(1),
        started(2),
        EventBody::MessageQueued {
            message: message(9),
            text: "And then?".into(),
            references: Vec::new(),
        },
        finished(2),
        finished(1),
        EventBody::StepStarted {
            turn: turn(),
            step: 2,
            message: message(3),
        },
        assistant(
            3,
            vec![ContentBlock::Text { text: TEXT.into() }],
            StopReason::EndTurn,
        ),
        EventBody::TurnFinished {
            turn: turn(),
            outcome: TurnOutcome::Answered,
            usage,
            cost: Some(Cost(14)),
        },
    ];
    (1..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            seq: Seq(seq),
            at: Timestamp(100 + seq as i64),
            body,
        })
        .collect()
}

/// Streams `text` into a block, cut at `cuts`, with every piece sent `times` times.
fn stream(transcript: &mut Transcript, n: u128, kind: &BlockKind, text: &str, cuts: &[usize]) {
    let id = LiveBlockId(n as u64);
    transcript.apply_block(id, message(n), 0, kind, "");
    let mut from = 0;
    let bounds = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect::<Vec<_>>();
    let mut ends = cuts
        .iter()
        .map(|cut| bounds[cut % bounds.len()])
        .collect::<Vec<_>>();
    ends.push(text.len());
    ends.sort_unstable();
    for end in ends {
        transcript
            .apply_delta(id, from as u64, &text[from..end])
            .expect("joins up");
        // A repetition of something that came before changes nothing.
        let again = transcript
            .apply_delta(id, 0, &text[..from])
            .expect("is known");
        assert_eq!(again, None);
        from = end;
    }
}

fn seen(transcript: &Transcript) -> (&[Row], &[QueuedMessage], Option<&ActiveTurn>, Usage) {
    (
        transcript.rows(),
        transcript.queue(),
        transcript.turn(),
        transcript.usage(),
    )
}

proptest! {
    #[test]
    fn streamed_equals_loaded(
        cuts in prop::collection::vec(0usize..80, 0..12),
        drop_thinking in any::<bool>(),
        repeat_from in 0usize..12,
    ) {
        let events = journal();
        let mut open = Transcript::default();
        for event in &events {
            let before = match event.seq.0 {
                4 if !drop_thinking => Some((2, BlockKind::Thinking)),
                11 => Some((3, BlockKind::Text)),
                _ => None,
            };
            if let Some((n, kind)) = before {
                stream(&mut open, n, &kind, TEXT, &cuts);
            }
            open.apply(event).expect("dense");
        }
        for event in &events[repeat_from..] {
            prop_assert_eq!(open.apply(event), Ok(Vec::new()));
        }
        let loaded = Transcript::from_events(&events).expect("dense");
        prop_assert_eq!(seen(&open), seen(&loaded));
    }

    #[test]
    fn changes_name_every_row_that_changed(cuts in prop::collection::vec(0usize..80, 0..4)) {
        let mut transcript = Transcript::default();
        let mut mirror: Vec<Row> = Vec::new();
        for event in journal() {
            if event.seq.0 == 11 {
                stream(&mut transcript, 3, &BlockKind::Text, TEXT, &cuts);
                mirror = transcript.rows().to_vec();
            }
            for change in transcript.apply(&event).expect("dense") {
                match change {
                    RowChange::Pushed(row) => {
                        prop_assert_eq!(row, mirror.len());
                        mirror.push(transcript.rows()[row].clone());
                    }
                    RowChange::Changed(row) | RowChange::Appended(row) => {
                        mirror[row] = transcript.rows()[row].clone();
                    }
                    RowChange::Removed(row) => {
                        mirror.remove(row);
                    }
                    RowChange::Turn
                    | RowChange::Queue
                    | RowChange::Title
                    | RowChange::Grants
                    | RowChange::Choice
                    | RowChange::Totals => {}
                }
            }
        }
        prop_assert_eq!(mirror.as_slice(), transcript.rows());
    }
}

#[test]
fn missing_events_and_text_are_gaps() {
    let events = journal();
    let mut transcript = Transcript::from_events(&events[..3]).expect("dense");
    assert_eq!(transcript.apply(&events[4]), Err(Gap));
    let block = LiveBlockId(1);
    assert_eq!(transcript.apply_delta(block, 0, "a"), Err(Gap));
    transcript.apply_block(block, message(2), 0, &BlockKind::Text, "é");
    for (offset, text, expect) in [
        (0, "é!", Ok(Some(1))),
        (2, "!", Ok(None)),
        (4, "x", Err(Gap)),
        (1, "x", Ok(None)),
        (3, "", Ok(None)),
    ] {
        assert_eq!(
            transcript.apply_delta(block, offset, text),
            expect,
            "{offset} {text}"
        );
    }
}

#[test]
fn an_interrupted_message_keeps_its_text_and_never_runs_its_calls() {
    let events = journal();
    let mut transcript = Transcript::from_events(&events[..3]).expect("dense");
    transcript.apply_block(
        LiveBlockId(1),
        message(2),
        0,
        &BlockKind::Text,
        "Half an ans",
    );
    let tool = BlockKind::ToolUse {
        name: "get_vms".into(),
    };
    transcript.apply_block(LiveBlockId(2), message(2), 1, &tool, "");
    transcript.apply_block(LiveBlockId(3), message(2), 2, &BlockKind::Text, "");
    let body = EventBody::StepInterrupted {
        turn: turn(),
        message: message(2),
    };
    let event = Event {
        seq: Seq(4),
        at: Timestamp(104),
        body,
    };
    transcript.apply(&event).expect("dense");
    let states = transcript.rows()[1..].iter().map(|row| match &row.content {
        RowContent::Text { text, state } => format!("{text} {state:?}"),
        RowContent::Tool(tool) => format!("{:?}", tool.state),
        other => format!("{other:?}"),
    });
    assert_eq!(
        states.collect::<Vec<_>>(),
        ["Half an ans Interrupted", "Abandoned"]
    );
}

#[test]
fn a_resumed_turn_loses_its_old_end() {
    let mut transcript = Transcript::from_events(&journal()).expect("dense");
    let body = EventBody::TurnResumed { turn: turn() };
    let changes = transcript.apply(&Event {
        seq: Seq(13),
        at: Timestamp(200),
        body,
    });
    let end = transcript.rows().len();
    assert_eq!(changes, Ok(vec![RowChange::Removed(end), RowChange::Turn]));
    assert_eq!(
        transcript.turn().map(|turn| turn.started),
        Some(Timestamp(200))
    );
}

/// An unfinished turn in a file does not run on, whatever is known of it.
#[test]
fn the_time_of_a_turn_is_without_its_waits_for_a_person() {
    let usage = Usage::default();
    let blocks = [1, 2].map(|n| ContentBlock::ToolUse {
        call: call(n),
        name: "start_vm".into(),
        input: json!({}),
    });
    let asked = |n| EventBody::ConfirmationRequested {
        turn: turn(),
        call: call(n),
        confirmation: Box::new(
            Confirmation::from_json(json!({
                "revision": 1, "digest": "", "sentence": "Start VM 5 (5).", "target": "",
                "tier": "red", "input": {}, "assurance": { "type": "press" }, "grantable": false,
                "expires": 0,
            }))
            .unwrap(),
        ),
    };
    let denied = |n| EventBody::ConfirmationDecided {
        turn: turn(),
        call: call(n),
        digest: String::new(),
        verdict: Verdict::Denied { comment: None },
        by: None,
        via: None,
    };
    let told = [
        (
            1_000,
            EventBody::TurnStarted {
                turn: turn(),
                message: message(1),
                text: "Start both.".into(),
                references: Vec::new(),
            },
        ),
        (
            2_000,
            EventBody::AssistantMessage {
                turn: turn(),
                message: message(2),
                blocks: blocks.to_vec(),
                stop: StopReason::ToolUse,
                usage,
                cost: None,
            },
        ),
        (3_000, asked(1)),
        (4_000, asked(2)),
        (10_000, denied(1)),
        (13_000, denied(2)),
        (
            15_000,
            EventBody::TurnFinished {
                turn: turn(),
                outcome: TurnOutcome::Answered,
                usage,
                cost: None,
            },
        ),
    ];
    let events = (1..).zip(told).map(|(seq, (at, body))| Event {
        seq: Seq(seq),
        at: Timestamp(at),
        body,
    });
    let transcript = Transcript::from_events(&events.collect::<Vec<_>>()).unwrap();
    let took = transcript.rows().iter().find_map(|row| match &row.content {
        RowContent::End { took_ms, .. } => Some(*took_ms),
        _ => None,
    });
    // Fourteen seconds, of which both cards together waited for ten.
    assert_eq!(took, Some(4_000));
}

#[test]
fn closed_history_stands_still() {
    let events = journal();
    for end in 1..=events.len() {
        let mut transcript = Transcript::from_events(&events[..end]).unwrap();
        transcript.close();
        assert_eq!(transcript.turn(), None);
        assert_eq!(transcript.queue(), []);
        for row in transcript.rows() {
            if let RowContent::Tool(tool) = &row.content {
                assert!(tool.state.is_terminal(), "{end}: {:?}", tool.state);
            }
        }
    }
}

#[test]
fn who_answers_and_what_the_next_call_reads() {
    let events = |bodies: Vec<EventBody>| -> Vec<Event> {
        let numbered = (1..).zip(bodies);
        let event = |(seq, body)| Event {
            seq: Seq(seq),
            at: Timestamp(1),
            body,
        };
        numbered.map(event).collect()
    };
    let answer = |n, input, cache_read| EventBody::AssistantMessage {
        turn: TurnId::new(Timestamp(1), 1),
        message: MessageId::new(Timestamp(1), n),
        blocks: Vec::new(),
        stop: protocol::StopReason::EndTurn,
        usage: Usage {
            input,
            cache_read,
            output: 5,
            ..Usage::default()
        },
        cost: None,
    };
    let mut bodies = vec![
        EventBody::ConversationStarted {
            title: String::new(),
            model: "one".to_owned(),
            mode: Mode::Default,
            toolsets: Vec::new(),
            from: None,
        },
        answer(1, 100, 0),
        EventBody::ModelChosen {
            model: "two".to_owned(),
            effort: Some(protocol::Effort::Low),
            window: Some(1000),
        },
        answer(2, 30, 100),
        // It broke off before it read anything.
        answer(3, 0, 0),
    ];
    let fold = Transcript::from_events(&events(bodies.clone())).unwrap();
    assert_eq!(fold.choice().unwrap().model, "two");
    assert_eq!(fold.choice().unwrap().effort, Some(protocol::Effort::Low));
    assert_eq!(fold.window(), Some(1000));
    assert_eq!(fold.last_usage().total(), 135);
    // The window of one model says nothing about that of another.
    bodies.push(EventBody::ModelChosen {
        model: "three".to_owned(),
        effort: None,
        window: None,
    });
    let fold = Transcript::from_events(&events(bodies)).unwrap();
    assert_eq!((fold.window(), fold.choice().unwrap().effort), (None, None));
}
