use agent::ports::ObservedCall;
use protocol::{
    Assurance, BlockedReason, Confirmation, ErrorBody, MessageId, StopReason, ToolOutput, Usage,
    Verdict,
};
use serde_json::json;

use super::*;

const START: i64 = 1_700_000_000_000;

fn turn() -> TurnId {
    TurnId::new(Timestamp(START), 1)
}

fn call(n: u128) -> CallId {
    CallId::new(Timestamp(START), n)
}

fn conversation() -> ConversationId {
    ConversationId::new(Timestamp(START), 1)
}

fn known(tool: &str) -> SpanTool {
    SpanTool {
        name: tool.into(),
        is_outside: tool.contains("__"),
    }
}

/// Spans of a process that took events in.
struct Process(TurnSpans);

impl Process {
    /// A process that was started so many milliseconds after the turn.
    fn new(after: i64) -> Self {
        Self(TurnSpans::new(Timestamp(START + after)))
    }

    /// Takes an event in, which came of this request, so many milliseconds after the turn's start.
    fn take(&mut self, after: i64, of: &str, body: &EventBody) -> Vec<FinishedSpan> {
        let correlation = Correlation::parse(of).unwrap();
        let event = ObservedEvent {
            conversation: conversation(),
            body,
            at: Timestamp(START + after),
            call: Some(ObservedCall {
                tool: "restart",
                tier: None,
            }),
            correlation: Some(&correlation),
        };
        self.0.take(&event, &known)
    }
}

fn started() -> EventBody {
    EventBody::StepStarted {
        turn: turn(),
        step: 1,
        message: MessageId::new(Timestamp(START), 1),
    }
}

fn answer(calls: &[(u128, &str)]) -> EventBody {
    let block = |(n, name): &(u128, &str)| ContentBlock::ToolUse {
        call: call(*n),
        name: (*name).to_owned(),
        input: json!({ "secret": "hunter2" }),
    };
    EventBody::AssistantMessage {
        turn: turn(),
        message: MessageId::new(Timestamp(START), 1),
        blocks: calls.iter().map(block).collect(),
        stop: StopReason::ToolUse,
        usage: Usage::default(),
        cost: None,
    }
}

fn asked(n: u128) -> EventBody {
    let confirmation = Confirmation {
        revision: 1,
        digest: "d".to_owned(),
        sentence: "hunter2".to_owned(),
        target: "hunter2".to_owned(),
        tier: Tier::Red,
        input: json!({}),
        shown: None,
        original: None,
        facts: Vec::new(),
        origins: Vec::new(),
        risks: Vec::new(),
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
        expires: Timestamp(i64::MAX),
        changed: None,
        second: None,
    };
    EventBody::ConfirmationRequested {
        turn: turn(),
        call: call(n),
        confirmation: Box::new(confirmation),
    }
}

fn decided(n: u128) -> EventBody {
    EventBody::ConfirmationDecided {
        turn: turn(),
        call: call(n),
        digest: "d".to_owned(),
        verdict: Verdict::Approved,
        by: None,
        via: None,
    }
}

fn runs(n: u128) -> EventBody {
    EventBody::ToolStarted {
        turn: turn(),
        call: call(n),
        tier: Tier::Red,
        target: None,
        grant: None,
        input: None,
    }
}

fn finished(n: u128, elapsed_ms: u64) -> EventBody {
    let output = ToolOutput {
        summary: "hunter2".to_owned(),
        data: json!("hunter2"),
        images: Vec::new(),
    };
    EventBody::ToolFinished {
        turn: turn(),
        call: call(n),
        outcome: ToolOutcome::Succeeded { output },
        elapsed_ms,
    }
}

fn fails(n: u128, code: ErrorCode) -> EventBody {
    EventBody::ToolFinished {
        turn: turn(),
        call: call(n),
        outcome: ToolOutcome::Failed {
            error: ErrorBody::new(code, "hunter2"),
        },
        elapsed_ms: 5,
    }
}

fn ended() -> EventBody {
    EventBody::TurnFinished {
        turn: turn(),
        outcome: TurnOutcome::Answered,
        usage: Usage::default(),
        cost: None,
    }
}

/// Name, outcome, and milliseconds after the turn's start, of each span.
fn shown(spans: &[FinishedSpan]) -> Vec<(String, String, [i64; 2])> {
    let one = |span: &FinishedSpan| {
        assert!(!format!("{span:?}").contains("hunter2"), "{span:?}");
        let outcome = span
            .attributes
            .iter()
            .find_map(|(name, value)| match value {
                AttributeValue::Text(text) if *name == own::OUTCOME => Some(text.clone()),
                _ => None,
            });
        let after = |at: u64| i64::try_from(at / 1_000_000).unwrap() - START;
        let times = [after(span.start), after(span.end)];
        (span.name.clone(), outcome.unwrap(), times)
    };
    spans.iter().map(one).collect()
}

fn span(name: &str, outcome: &str, times: [i64; 2]) -> (String, String, [i64; 2]) {
    (name.to_owned(), outcome.to_owned(), times)
}

#[test]
fn calls_are_below_their_turn_and_effects_below_their_calls() {
    let mut process = Process::new(-1000);
    let mut spans = Vec::new();
    for (after, body) in [
        (10, started()),
        (20, answer(&[(1, "look"), (2, "other")])),
        (30, runs(1)),
        (
            40,
            EventBody::ToolBlocked {
                turn: turn(),
                call: call(2),
                tier: None,
                reason: BlockedReason::UnknownTool,
                message: "hunter2".to_owned(),
            },
        ),
        (50, finished(1, 20)),
        (60, ended()),
    ] {
        spans.extend(process.take(after, "job-17", &body));
    }
    assert_eq!(
        shown(&spans),
        [
            span("execute_tool other", "blocked", [20, 40]),
            span("effect look", "succeeded", [30, 50]),
            span("execute_tool look", "succeeded", [20, 50]),
            span("invoke_agent jarvis", "answered", [0, 60]),
        ]
    );
    let request = request_context(&Correlation::parse("job-17").unwrap());
    assert!(spans.iter().all(|it| it.context.trace == request.trace));
    let [blocked, effect, look, turn] = spans.as_slice() else {
        panic!("{spans:?}");
    };
    assert_eq!(turn.parent, Some(request.span));
    assert_eq!(look.parent, Some(turn.context.span));
    assert_eq!(blocked.parent, Some(turn.context.span));
    assert_eq!(effect.parent, Some(look.context.span));
    let correlation = (own::CORRELATION, AttributeValue::from("job-17"));
    assert!(spans.iter().all(|it| it.attributes.contains(&correlation)));
    assert!(process.0.open.is_empty());
}

#[test]
fn a_tool_of_another_program_is_called_as_its_client() {
    let mut process = Process::new(-1000);
    process.take(10, "job-17", &answer(&[(1, "files__read"), (2, "look")]));
    process.take(20, "job-17", &runs(1));
    let mut spans = process.take(30, "job-17", &finished(1, 10));
    spans.extend(process.take(40, "job-17", &finished(2, 10)));
    let shown: Vec<_> = spans.iter().map(|it| (&*it.name, it.kind)).collect();
    assert_eq!(
        shown,
        [
            ("tools/call files__read", SpanKind::Client),
            ("execute_tool files__read", SpanKind::Internal),
            ("effect look", SpanKind::Internal),
            ("execute_tool look", SpanKind::Internal),
        ]
    );
    let method = (attribute::MCP_METHOD, AttributeValue::from("tools/call"));
    let calls = spans.iter().map(|it| it.attributes.contains(&method));
    assert_eq!(calls.collect::<Vec<_>>(), [true, false, false, false]);
}

#[test]
fn a_server_that_answers_with_an_error_is_another_fault_than_one_that_is_away() {
    for (tool, code, expect) in [
        ("files__read", ErrorCode::ToolFailed, "tool_error"),
        ("files__read", ErrorCode::ToolUnreachable, "failed"),
        ("look", ErrorCode::ToolFailed, "failed"),
    ] {
        let mut process = Process::new(-1000);
        process.take(10, "job-17", &answer(&[(1, tool)]));
        let spans = process.take(20, "job-17", &fails(1, code));
        let [effect, call] = spans.as_slice() else {
            panic!("{spans:?}");
        };
        for (span, expect) in [(effect, expect), (call, "failed")] {
            let error = (attribute::ERROR, AttributeValue::from(expect));
            assert!(span.failed && span.attributes.contains(&error), "{span:?}");
        }
    }
}

/// The spans before a wait and after it, in one process or in two.
fn around_a_wait(restarted: bool) -> (Vec<FinishedSpan>, Vec<FinishedSpan>) {
    let mut process = Process::new(-1000);
    let mut before = Vec::new();
    for (after, body) in [
        (10, started()),
        (20, answer(&[(1, "restart")])),
        (30, asked(1)),
    ] {
        before.extend(process.take(after, "job-17", &body));
    }
    if restarted {
        process = Process::new(500);
    }
    let mut after_it = process.take(600_000, "cmd_of-another", &decided(1));
    for (after, body) in [
        (600_010, runs(1)),
        (600_050, finished(1, 40)),
        (600_060, ended()),
    ] {
        after_it.extend(process.take(after, "job-17", &body));
    }
    (before, after_it)
}

#[test]
fn spans_end_at_a_wait_and_those_after_it_link_to_it() {
    for restarted in [false, true] {
        let (before, after) = around_a_wait(restarted);
        assert_eq!(
            shown(&before),
            [
                span("execute_tool restart", "waiting", [20, 30]),
                span("invoke_agent jarvis", "waiting", [0, 30]),
            ]
        );
        assert_eq!(
            shown(&after),
            [
                span("effect restart", "succeeded", [600_010, 600_050]),
                span("execute_tool restart", "succeeded", [600_000, 600_050]),
                span("invoke_agent jarvis", "answered", [600_000, 600_060]),
            ]
        );
        let wait = before[0].context;
        assert_eq!(after[1].links, [wait], "restarted: {restarted}");
        assert_eq!(after[2].links, [wait], "restarted: {restarted}");
        let spans = [before, after].concat();
        assert!(spans.iter().all(|it| it.context.trace == wait.trace));
        for (n, one) in spans.iter().enumerate() {
            let again = spans[..n].iter().any(|it| it.context == one.context);
            assert!(!again, "{one:?}");
        }
    }
}

#[test]
fn a_turn_goes_on_until_all_its_calls_wait() {
    let mut process = Process::new(-1000);
    process.take(10, "job-17", &started());
    process.take(20, "job-17", &answer(&[(1, "restart"), (2, "look")]));
    let waits = process.take(30, "job-17", &asked(1));
    assert_eq!(
        shown(&waits),
        [span("execute_tool restart", "waiting", [20, 30])]
    );
    // The same card with other content ends nothing.
    assert!(process.take(35, "job-17", &asked(1)).is_empty());
    let ends = process.take(40, "job-17", &finished(2, 5));
    let turn = ends.last().unwrap();
    assert_eq!(
        shown(std::slice::from_ref(turn)),
        [span("invoke_agent jarvis", "waiting", [0, 40])]
    );
    let correlation = Correlation::parse("job-17").unwrap();
    assert_eq!(process.0.running(&correlation), None);
    process.take(90, "cmd_1", &decided(1));
    assert!(process.0.running(&correlation).is_some());
}

#[test]
fn turns_that_never_end_make_room() {
    let mut spans = TurnSpans::new(Timestamp(START));
    for n in 0..2 * MOST_TURNS {
        let body = EventBody::TurnResumed {
            turn: TurnId::new(Timestamp(START + n as i64), 1),
        };
        let event = ObservedEvent {
            conversation: conversation(),
            body: &body,
            at: Timestamp(START),
            call: None,
            correlation: None,
        };
        spans.take(&event, &known);
    }
    assert_eq!(spans.open.len(), MOST_TURNS);
}
