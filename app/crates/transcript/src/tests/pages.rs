//! A journal in pages shows the same as the whole journal.

use proptest::prelude::*;
use protocol::{
    Before, ConversationId, Effect, EffectOutcome, Grant, GrantId, GrantTerms, HistoryPage,
    Reference, Resolution,
};

use super::*;

fn turn_of(n: u64) -> TurnId {
    TurnId::new(Timestamp(1), u128::from(n))
}

fn grant(n: u64) -> GrantId {
    GrantId::new(Timestamp(1), u128::from(n))
}

/// The content of one turn, by a number each: with a call, under a grant, a message queued for
/// later, one for its next step, which it reads or not, a title, the outcome of a call of an
/// earlier turn, and a branch that leaves.
fn turn_bodies(n: u64, kind: u8, queue: &mut Vec<MessageId>) -> Vec<EventBody> {
    let turn = turn_of(n);
    let id = u128::from(n) * 10;
    let (usage, cost) = (
        Usage {
            input: n,
            output: 2,
            ..Usage::default()
        },
        Some(Cost(n)),
    );
    let asked = if queue.is_empty() {
        message(id)
    } else {
        queue.remove(0)
    };
    let mut bodies = vec![EventBody::TurnStarted {
        turn,
        message: asked,
        text: format!("Question {n}"),
        references: vec![Reference::new("guest", "101")],
    }];
    let mut blocks = vec![ContentBlock::Text { text: TEXT.into() }];
    if kind % 2 == 1 {
        blocks.push(ContentBlock::ToolUse {
            call: call(id),
            name: "start_vm".into(),
            input: json!({"vmid": n}),
        });
    }
    if kind % 3 == 1 {
        bodies.push(EventBody::GrantGiven {
            grant: Grant {
                id: grant(n),
                tool: "start_vm".into(),
                target: "VM".into(),
                sentence: "Start it".into(),
                key: String::new(),
                terms: GrantTerms {
                    uses: 3,
                    until: Timestamp(1000),
                },
            },
            by: "Otto".into(),
            via: None,
        });
    }
    bodies.push(EventBody::AssistantMessage {
        turn,
        message: message(id + 1),
        blocks,
        stop: StopReason::EndTurn,
        usage,
        cost,
    });
    if kind % 2 == 1 {
        bodies.push(EventBody::ToolStarted {
            turn,
            call: call(id),
            tier: Tier::Red,
            target: None,
            grant: kind.is_multiple_of(5).then(|| grant(n / 2)),
            input: None,
        });
        bodies.push(EventBody::ToolFinished {
            turn,
            call: call(id),
            outcome: ToolOutcome::OutcomeUnknown { known: None },
            elapsed_ms: 1,
        });
    }
    if kind % 4 == 2 {
        queue.push(message(id + 2));
        bodies.push(EventBody::MessageQueued {
            message: message(id + 2),
            text: "Later".into(),
            references: Vec::new(),
        });
    }
    if kind % 4 == 3 {
        bodies.push(EventBody::MessageSteered {
            message: message(id + 3),
            text: "Only this one".into(),
            references: Vec::new(),
        });
        match kind % 8 {
            7 => bodies.push(EventBody::MessageRead {
                turn,
                message: message(id + 3),
                text: "Only this one".into(),
                references: Vec::new(),
            }),
            _ => queue.push(message(id + 3)),
        }
    }
    bodies.push(EventBody::TurnFinished {
        turn,
        outcome: TurnOutcome::Answered,
        usage,
        cost,
    });
    // Between turns.
    if kind % 7 == 3 {
        bodies.push(EventBody::TitleChanged {
            title: format!("Title {n}"),
        });
    }
    if kind % 6 >= 4 {
        bodies.push(EventBody::OutcomeResolved {
            call: call(u128::from(n / 2) * 10),
            resolution: Resolution::Done,
            by: Some("Otto".into()),
            via: None,
            message: "It did.".into(),
        });
    }
    if kind % 9 == 4 {
        queue.clear();
        bodies.push(branched(n));
        if kind.is_multiple_of(2) {
            bodies.push(branched(n + 1));
        }
    }
    bodies
}

fn branched(n: u64) -> EventBody {
    EventBody::Branched {
        parent: ConversationId::new(Timestamp(1), u128::from(n)),
        message: message(u128::from(n) * 10),
        title: format!("Branch {n}"),
        by: "Otto".into(),
        effects: vec![Effect {
            call: call(u128::from(n) * 10 + 5),
            tool: "start_vm".into(),
            input: json!({"vmid": n}),
            target: None,
            tier: Tier::Red,
            outcome: EffectOutcome::Done,
        }],
        more: None,
    }
}

fn long(kinds: &[u8]) -> Vec<Event> {
    let mut queue = Vec::new();
    let begun = journal().remove(0).body;
    let turns = (1..).zip(kinds);
    let bodies = turns.flat_map(|(n, kind)| turn_bodies(n, *kind, &mut queue));
    let bodies: Vec<_> = std::iter::once(begun).chain(bodies).collect();
    (1..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            seq: Seq(seq),
            at: Timestamp(100 + seq as i64),
            body,
        })
        .collect()
}

/// Computes the server's summary of the events before a page: by hand, from all of them.
fn before(events: &[Event]) -> Option<Before> {
    let whole = Transcript::from_events(events).expect("dense");
    let waits = |body: &EventBody| match body {
        EventBody::MessageQueued { message, .. } | EventBody::MessageSteered { message, .. } => {
            whole
                .queue()
                .iter()
                .any(|queued| queued.message == *message)
        }
        body => body.outlives_turn(),
    };
    let left = events.iter().filter(|event| waits(&event.body)).cloned();
    Some(Before {
        seq: events.last()?.seq,
        events: left.collect(),
        usage: whole.usage(),
        cost: whole.cost(),
    })
}

proptest! {
    /// For any division into pages: the rows of the parts put together are the rows of the whole,
    /// and the newest part continues as the whole does. Dropping turns is the same as never having
    /// had them.
    #[test]
    fn pages_put_together_are_the_whole(
        kinds in prop::collection::vec(any::<u8>(), 1..24),
        cuts in prop::collection::vec(any::<bool>(), 24),
        split in 0usize..24,
        least in 1usize..4,
    ) {
        let events = long(&kinds);
        let whole = Transcript::from_events(&events).expect("dense");
        // Starts of turns; the first page also has the events before the first turn.
        let mark = |at: usize| matches!(events[at].body, EventBody::Branched { .. });
        let begins = events.iter().enumerate().skip(2).filter(|(at, event)| {
            // The mark of a branch belongs to the turn after it.
            let starts = matches!(event.body, EventBody::TurnStarted { .. });
            !mark(at - 1) && (starts || mark(*at))
        });
        let mut edges = vec![0];
        edges.extend(begins.zip(&cuts).filter(|(_, cut)| **cut).map(|((at, _), _)| at));
        edges.push(events.len());

        let mut rows: Vec<Row> = Vec::new();
        for edge in edges.windows(2) {
            let page = HistoryPage {
                after: Seq(edge[0] as u64),
                events: events[edge[0]..edge[1]].to_vec(),
                late: events[edge[1]..].to_vec(),
            };
            let part = Transcript::older(&page, Seq(u64::MAX)).expect("dense");
            prop_assert_eq!(part.after(), Seq(edge[0] as u64));
            for row in part.rows() {
                let RowKey::User(asked) = row.key else { continue };
                prop_assert_eq!(&part.branch_at(asked), &whole.branch_at(asked));
            }
            rows.extend_from_slice(part.rows());
        }
        prop_assert_eq!(rows.as_slice(), whole.rows());

        // Opens at one edge, receives the rest live.
        let from = edges[split % (edges.len() - 1)];
        let heard = from + (events.len() - from) / 2;
        let state = before(&events[..from]);
        let mut newest = Transcript::newest(state.as_ref(), &events[from..heard]).expect("dense");
        for event in &events[heard..] {
            newest.apply(event).expect("dense");
        }
        let all = whole.rows().len();
        let mut left = newest.rows().len();
        prop_assert_eq!(newest.rows(), &whole.rows()[all - left..]);
        let gone = newest.let_go(least, least);
        left -= gone;
        prop_assert_eq!(newest.rows(), &whole.rows()[all - left..]);
        if gone > 0 {
            let kept = newest.after().0 as usize;
            let again = Transcript::newest(before(&events[..kept]).as_ref(), &events[kept..]);
            let again = again.expect("dense");
            prop_assert_eq!(newest.rows(), again.rows());
        }
        prop_assert_eq!(
            (newest.title(), newest.grants(), newest.cost(), newest.head()),
            (whole.title(), whole.grants(), whole.cost(), whole.head())
        );
        prop_assert_eq!(newest.branch_of().map(|it| it.parent), whole.branch_of().map(|it| it.parent));
        for row in newest.rows() {
            let RowKey::User(asked) = row.key else { continue };
            prop_assert_eq!(newest.branch_at(asked), whole.branch_at(asked));
            prop_assert_eq!(newest.effects_after(asked), whole.effects_after(asked));
        }
        prop_assert_eq!(seen(&newest).1, seen(&whole).1);
        prop_assert_eq!(seen(&newest).2, seen(&whole).2);
        prop_assert_eq!(seen(&newest).3, seen(&whole).3);
        // Calls are found in their rows after the move.
        for row in newest.rows().to_vec() {
            let RowContent::Tool(tool) = row.content else { continue };
            let body = EventBody::OutcomeResolved {
                call: tool.call.expect("whole"),
                resolution: Resolution::NotDone,
                by: None,
                via: None,
                message: "No.".into(),
            };
            let event = Event { seq: newest.head().next(), at: Timestamp(9), body };
            let changes = newest.apply(&event).expect("dense");
            let place = newest.rows().iter().position(|other| other.key == row.key);
            prop_assert_eq!(changes, vec![RowChange::Changed(place.expect("there"))]);
        }
    }
}
