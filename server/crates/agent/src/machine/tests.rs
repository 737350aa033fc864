//! The machine by itself: the history window and journals that a fault has left.

use protocol::{
    CallId, ContentBlock, Cost, Event, EventBody, MessageId, Mode, Seq, StopReason, Tier,
    Timestamp, TurnId, TurnOutcome, Usage,
};
use serde_json::{json, value::RawValue};

use super::{Conversation, Corrupt, Frozen, NextStep, turn_started};
use crate::ports::{NewRecord, Record, RequestRole};

const AT: Timestamp = Timestamp(0);

/// A journal under construction.
struct Journal {
    records: Vec<Record>,
    drawn: u128,
}

impl Journal {
    fn new(history_limit: u32, history_tokens: Option<u64>) -> Self {
        let frozen = Frozen {
            model: "m".to_owned(),
            mode: Mode::Default,
            toolsets: Vec::new(),
            system: "s".into(),
            tools: None,
            allowed: Vec::new(),
            digests: Default::default(),
            history_limit,
            history_tokens,
        };
        let mut journal = Self {
            records: Vec::new(),
            drawn: 0,
        };
        journal.add(NewRecord {
            body: EventBody::ConversationStarted {
                title: String::new(),
                model: "m".to_owned(),
                mode: Mode::Default,
                toolsets: Vec::new(),
                from: None,
            },
            raw: Some(frozen.to_raw()),
            audit: None,
            trace: Default::default(),
        });
        journal
    }

    fn draw(&mut self) -> u128 {
        self.drawn += 1;
        self.drawn
    }

    fn add(&mut self, record: NewRecord) {
        let seq = Seq(self.records.len() as u64 + 1);
        self.records.push(Record {
            event: Event {
                seq,
                at: AT,
                body: record.body,
            },
            raw: record.raw,
        });
    }

    fn begin(&mut self, text: &str) -> TurnId {
        let turn = TurnId::new(AT, self.draw());
        let message = MessageId::new(AT, self.draw());
        let said = crate::machine::Said {
            text: text.to_owned(),
            references: Vec::new(),
            files: Vec::new(),
        };
        self.add(turn_started(turn, message, said));
        turn
    }

    fn step(
        &mut self,
        turn: TurnId,
        blocks: Vec<ContentBlock>,
        stop: StopReason,
        raw: &serde_json::Value,
        tokens: u64,
    ) {
        let message = MessageId::new(AT, self.draw());
        self.add(NewRecord::event(EventBody::StepStarted {
            turn,
            step: 1,
            message,
        }));
        self.add(NewRecord {
            body: EventBody::AssistantMessage {
                turn,
                message,
                blocks,
                stop,
                usage: Usage {
                    input: tokens,
                    ..Usage::default()
                },
                cost: None,
            },
            raw: Some(RawValue::from_string(raw.to_string()).unwrap()),
            audit: None,
            trace: Default::default(),
        });
    }

    fn end(&mut self, turn: TurnId, outcome: TurnOutcome) {
        self.add(NewRecord::event(EventBody::TurnFinished {
            turn,
            outcome,
            usage: Usage::default(),
            cost: Some(Cost(0)),
        }));
    }

    /// A turn that was answered, or that was stopped before it was.
    fn turn(&mut self, text: &str, answered: bool, tokens: u64) {
        let turn = self.begin(text);
        if answered {
            let raw = json!([
                { "type": "thinking", "thinking": "", "signature": "s" },
                { "type": "text", "text": text },
            ]);
            self.step(turn, Vec::new(), StopReason::EndTurn, &raw, tokens);
            self.end(turn, TurnOutcome::Answered);
        } else {
            self.end(turn, TurnOutcome::Stopped);
        }
    }

    fn fold(&self) -> Conversation {
        Conversation::from_records(&self.records).unwrap()
    }
}

/// The number of the user's messages and of thinking blocks that the model sees.
fn seen(conversation: &Conversation) -> (usize, usize) {
    let mut counts = (0, 0);
    for message in conversation.messages() {
        for block in &message.content {
            let thinking = block.get().contains("\"thinking\"");
            match message.role {
                RequestRole::User => counts.0 += 1,
                RequestRole::Assistant if thinking => counts.1 += 1,
                RequestRole::Assistant => {}
            }
        }
    }
    counts
}

/// Limit, tokens of each answer and bound on them, whether turns are answered; then what is seen
/// at the start of each turn.
type Row<'a> = (u32, u64, Option<u64>, bool, &'a [(usize, usize)]);

#[test]
fn the_window_moves_in_strides() {
    let table: [Row<'_>; 6] = [
        (4, 0, None, true, &[(1, 0), (2, 1), (1, 0), (2, 1), (1, 0)]),
        (
            6,
            0,
            None,
            true,
            &[(1, 0), (2, 1), (3, 2), (2, 0), (3, 1), (2, 0)],
        ),
        // Without answers twice as many turns fit.
        (
            4,
            0,
            None,
            false,
            &[(1, 0), (2, 0), (3, 0), (4, 0), (2, 0), (3, 0)],
        ),
        // The running turn is always there.
        (0, 0, None, true, &[(1, 0), (1, 0), (1, 0)]),
        // By tokens: half of the turns go, whatever the limit.
        (99, 50, Some(50), true, &[(1, 0), (2, 1), (3, 2), (4, 3)]),
        (99, 51, Some(50), true, &[(1, 0), (1, 0), (1, 0)]),
    ];
    for (row, (limit, tokens, bound, answered, expect)) in table.into_iter().enumerate() {
        let mut journal = Journal::new(limit, bound);
        for (n, expect) in expect.iter().enumerate() {
            let mut starting = Journal {
                records: journal.records.clone(),
                drawn: 500,
            };
            starting.begin("next");
            assert_eq!(seen(&starting.fold()), *expect, "row {row}, turn {n}");
            journal.turn("before", answered, tokens);
        }
    }
}

#[test]
fn an_incremental_fold_is_the_same_as_a_fold_of_all() {
    let mut journal = Journal::new(6, None);
    for n in 0..7 {
        journal.turn(&n.to_string(), n % 3 != 0, 0);
    }
    let mut growing = Conversation::from_records(&journal.records[..1]).unwrap();
    for n in 1..journal.records.len() {
        growing.apply(&journal.records[n]).unwrap();
        let whole = Conversation::from_records(&journal.records[..=n]).unwrap();
        assert_eq!(format!("{growing:?}"), format!("{whole:?}"));
    }
}

#[test]
fn calls_that_a_fault_left_open_get_one_result() {
    let mut journal = Journal::new(20, None);
    let turn = journal.begin("go");
    let call = CallId::new(AT, 99);
    let block = ContentBlock::ToolUse {
        call,
        name: "look".to_owned(),
        input: json!({}),
    };
    let raw = json!([{ "type": "tool_use", "id": "toolu_1", "name": "look", "input": {} }]);
    journal.step(turn, vec![block], StopReason::ToolUse, &raw, 0);
    journal.add(NewRecord::event(EventBody::ToolStarted {
        turn,
        call,
        tier: Tier::Green,
        target: None,
        grant: None,
        input: None,
    }));
    journal.end(turn, TurnOutcome::Stopped);
    let before = journal.fold();
    let NextStep::Repair { calls, .. } = before.next(10) else {
        panic!("{:?}", before.next(10));
    };
    assert_eq!(calls.len(), 1);
    // Even before the repair is written, the history is one that the API accepts.
    let last = before.messages().pop().unwrap().content.pop().unwrap();
    let repair = calls[0].unknown(turn, 0, None);
    assert_eq!(repair.raw.as_ref().map(|raw| raw.get()), Some(last.get()));
    journal.add(repair);
    let after = journal.fold();
    assert!(matches!(after.next(10), NextStep::Rest));
    assert_eq!(
        after.messages().pop().unwrap().content.pop().unwrap().get(),
        last.get()
    );
}

#[test]
fn a_journal_that_makes_no_sense_is_refused() {
    let mut journal = Journal::new(20, None);
    journal.turn("one", true, 0);
    let good = journal.records;
    let fold = |records: &[Record]| Conversation::from_records(records).map(|_| ());
    assert_eq!(fold(&good), Ok(()));
    assert_eq!(fold(&[]), Err(Corrupt::NoStart));
    assert_eq!(fold(&good[1..]), Err(Corrupt::NoStart));
    let mut gap = good.clone();
    gap.remove(1);
    assert_eq!(fold(&gap), Err(Corrupt::Gap));
    let mut raw = good.clone();
    raw[0].raw = None;
    assert_eq!(fold(&raw), Err(Corrupt::Raw));
    let mut order = good;
    let turn = TurnId::new(AT, 77);
    order[2].event.body = EventBody::TurnResumed { turn };
    assert_eq!(fold(&order), Err(Corrupt::Order));
}
