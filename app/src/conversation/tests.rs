use protocol::{
    Before, Confirmation, ContentBlock, ConversationSummary, EventBody, FromJson, HistoryPage,
    MessageId, Mode, Name, Reference, Shelf, StopReason, Tier, Timestamp, ToolOutcome, ToolOutput,
    TurnId, TurnOutcome, Usage, Verdict,
};
use serde_json::json;
use transcript::BlockState;

use super::*;

#[test]
fn places_follow_the_removals_of_a_batch() {
    let later = [
        RowChange::Removed(4),
        RowChange::Turn,
        RowChange::Removed(2),
    ];
    assert_eq!(final_place(5, &later), Some(3));
    assert_eq!(final_place(4, &later), None);
    assert_eq!(final_place(3, &later), Some(2));
    assert_eq!(final_place(1, &later), Some(1));
}

fn turn() -> TurnId {
    TurnId::new(Timestamp(1), 1)
}

fn message(n: u128) -> MessageId {
    MessageId::new(Timestamp(1), n)
}

/// Returns a turn that reads something, is stopped, and continues.
fn history() -> Vec<Event> {
    let turn = turn();
    let call = CallId::new(Timestamp(1), 1);
    let ended = |outcome| EventBody::TurnFinished {
        turn,
        outcome,
        usage: Usage::default(),
        cost: None,
    };
    let answer = |n, blocks, stop| EventBody::AssistantMessage {
        turn,
        message: message(n),
        blocks,
        stop,
        usage: Usage::default(),
        cost: None,
    };
    let text = |text: &str| ContentBlock::Text {
        text: text.to_owned(),
    };
    let bodies = vec![
        EventBody::ConversationStarted {
            title: "Nodes".to_owned(),
            model: "model".to_owned(),
            mode: Mode::Default,
            toolsets: vec![],
            from: None,
        },
        EventBody::TurnStarted {
            turn,
            message: message(1),
            text: "How are the nodes?".to_owned(),
            references: Vec::new(),
        },
        answer(
            2,
            vec![
                text("I look."),
                ContentBlock::ToolUse {
                    call,
                    name: "get_node_status".to_owned(),
                    input: json!({}),
                },
            ],
            StopReason::ToolUse,
        ),
        EventBody::ToolStarted {
            turn,
            call,
            tier: Tier::Green,
            target: None,
            grant: None,
            input: None,
        },
        EventBody::ToolFinished {
            turn,
            call,
            outcome: ToolOutcome::Succeeded {
                output: ToolOutput {
                    summary: "4 nodes".to_owned(),
                    data: json!({}),
                    images: Vec::new(),
                },
            },
            elapsed_ms: 3,
        },
        ended(TurnOutcome::Stopped),
        EventBody::TurnResumed { turn },
        answer(3, vec![text("# All\n\nare *up*.")], StopReason::EndTurn),
        ended(TurnOutcome::Answered),
    ];
    (1..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            seq: Seq(seq),
            at: Timestamp(1_000 + seq as i64),
            body,
        })
        .collect()
}

fn keys(conversation: &Conversation) -> Vec<RowKey> {
    let rows = conversation.0.rows.read_untracked();
    rows.iter().map(|view| view.key).collect()
}

#[test]
fn views_follow_the_fold_event_by_event() {
    let shown = Conversation::new(ConversationId::new(Timestamp(1), 1), Names::default());
    let events = history();
    for (n, event) in events.iter().enumerate() {
        shown.apply(vec![event.clone()]).unwrap();
        let fold = Transcript::from_events(&events[..=n]).unwrap();
        let expected: Vec<_> = fold.rows().iter().map(|row| row.key).collect();
        assert_eq!(keys(&shown), expected, "after event {}", event.seq);
        assert_eq!(shown.0.last_row.get_untracked(), expected.last().copied());
        assert_eq!(shown.0.turn.get_untracked().as_ref(), fold.turn());
    }
    let rows = shown.0.rows.get_untracked();
    let RowViewContent::Tool(tool) = &rows[2].content else {
        panic!("the third row is the tool call");
    };
    assert_eq!(tool.row.get_untracked().elapsed_ms, Some(3));
    assert_eq!(shown.0.announcement.get_untracked(), "Answered");
}

#[test]
fn cards_of_a_turn_are_one_list_in_their_order() {
    let (shown, turn) = (
        Conversation::new(ConversationId::new(Timestamp(1), 1), Names::default()),
        turn(),
    );
    let calls = [1, 2, 3].map(|n| CallId::new(Timestamp(1), n));
    let blocks = calls.map(|call| ContentBlock::ToolUse {
        call,
        name: "start_vm".to_owned(),
        input: json!({}),
    });
    let asked = |call| EventBody::ConfirmationRequested {
        turn,
        call,
        confirmation: Box::new(
            Confirmation::from_json(json!({
                "revision": 1, "digest": "", "sentence": "Start VM 5 (5).", "target": "",
                "tier": "red", "input": {}, "assurance": { "type": "press" }, "grantable": false,
                "expires": 0,
            }))
            .unwrap(),
        ),
    };
    let decided = |call, verdict| EventBody::ConfirmationDecided {
        turn,
        call,
        digest: String::new(),
        verdict,
        by: None,
        via: None,
    };
    let [first, second, third] = calls;
    let told = [
        (
            EventBody::TurnStarted {
                turn,
                message: message(1),
                text: "Start them.".to_owned(),
                references: Vec::new(),
            },
            vec![],
        ),
        (
            EventBody::AssistantMessage {
                turn,
                message: message(2),
                blocks: blocks.to_vec(),
                stop: StopReason::ToolUse,
                usage: Usage::default(),
                cost: None,
            },
            vec![],
        ),
        (asked(second), vec![second]),
        (asked(third), vec![second, third]),
        (asked(first), calls.to_vec()),
        (decided(second, Verdict::Approved), vec![first, third]),
        // Asked again: it has its place as before.
        (asked(second), calls.to_vec()),
        (
            decided(first, Verdict::Denied { comment: None }),
            vec![second, third],
        ),
        (
            EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Stopped,
                usage: Usage::default(),
                cost: None,
            },
            vec![],
        ),
    ];
    for (seq, (body, waiting)) in (1..).zip(told) {
        let event = Event {
            seq: Seq(seq),
            at: Timestamp(1_000),
            body,
        };
        shown.apply(vec![event]).unwrap();
        assert_eq!(shown.waiting().get_untracked(), waiting, "after {seq}");
    }
}

#[test]
fn an_event_is_shown_once_and_a_gap_is_told() {
    let shown = Conversation::new(ConversationId::new(Timestamp(1), 1), Names::default());
    let events = history();
    shown.apply(events[..3].to_vec()).unwrap();
    let before = keys(&shown);
    shown.apply(events[..3].to_vec()).unwrap();
    assert_eq!(keys(&shown), before);
    assert_eq!(shown.apply(events[4..].to_vec()), Err(Gap));
    assert_eq!(keys(&shown), before);
}

#[test]
fn names_become_links_when_a_block_is_settled_or_when_they_come() {
    crate::panel::install(crate::domains::PANELS);
    let links = |cell: &TextCell| -> Vec<usize> {
        let blocks = cell.blocks.read_untracked();
        let count = |cell: &text::BlockCell| {
            let block = cell.block.get_untracked();
            format!("{block:?}").matches("href").count()
        };
        blocks.iter().map(count).collect()
    };
    let names = Names::default();
    names.set(vec![Name::new("pve", Reference::new("node", "pve"))]);
    let cell = TextCell::new("On pve.\n\nAnd pve\n", BlockState::Streaming, &names);
    assert_eq!(links(&cell), [1, 0]);
    cell.append("On pve.\n\nAnd pve\n\nMore of pve\n");
    assert_eq!(links(&cell), [1, 1, 0]);
    let text = "On pve.\n\nAnd pve.\n\nMore of pve.";
    cell.replace(text, BlockState::Done);
    assert_eq!(links(&cell), [1, 1, 1]);

    let early = Names::default();
    let cell = TextCell::new(text, BlockState::Done, &early);
    assert_eq!(links(&cell), [0, 0, 0]);
    early.set(vec![Name::new("pve", Reference::new("node", "pve"))]);
    cell.relink(text);
    assert_eq!(links(&cell), [1, 1, 1]);
}

/// Returns a page of two turns, of three events each, with a call whose outcome is unknown.
fn page_of(first: u64) -> HistoryPage {
    let turns = first..first + 2;
    let bodies = turns.flat_map(|n| {
        let turn = TurnId::new(Timestamp(1), u128::from(n));
        let id = u128::from(n) * 2;
        let call = CallId::new(Timestamp(1), u128::from(n));
        let tool = ContentBlock::ToolUse {
            call,
            name: "start_vm".to_owned(),
            input: json!({}),
        };
        [
            EventBody::TurnStarted {
                turn,
                message: message(id),
                text: format!("Question {n}"),
                references: Vec::new(),
            },
            EventBody::AssistantMessage {
                turn,
                message: message(id + 1),
                blocks: vec![tool],
                stop: StopReason::ToolUse,
                usage: Usage::default(),
                cost: None,
            },
            EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Answered,
                usage: Usage::default(),
                cost: None,
            },
        ]
    });
    let after = Seq(first * 3);
    let events = (after.0 + 1..).zip(bodies).map(|(seq, body)| Event {
        seq: Seq(seq),
        at: Timestamp(1_000),
        body,
    });
    HistoryPage {
        after,
        events: events.collect(),
        late: Vec::new(),
    }
}

fn summary() -> ConversationSummary {
    ConversationSummary {
        id: ConversationId::new(Timestamp(1), 1),
        title: "Long".to_owned(),
        model: "model".to_owned(),
        mode: Mode::Default,
        created: Timestamp(0),
        updated: Timestamp(0),
        messages: 40,
        usage: Usage::default(),
        cost: None,
        running: false,
        waiting: Vec::new(),
        from: None,
        action: None,
        shelf: Shelf::Listed,
        imported: None,
        family: None,
        folder: None,
        unread: None,
    }
}

/// Returns the numbers of the questions on view.
fn questions(conversation: &Conversation) -> Vec<u64> {
    let rows = untrack(|| conversation.shown());
    let said = rows.iter().filter_map(|row| match &row.content {
        RowViewContent::User(said) => said.text.rsplit(' ').next()?.parse().ok(),
        _ => None,
    });
    said.collect()
}

#[test]
fn a_reader_goes_back_and_what_is_far_is_let_go() {
    let of = |questions: std::ops::Range<u64>| questions.collect::<Vec<_>>();
    let newest = page_of(18);
    let page = ConversationPage {
        summary: summary(),
        head: Seq(60),
        events: newest.events,
        next: None,
        before: Some(Box::new(Before {
            seq: newest.after,
            events: Vec::new(),
            usage: Usage::default(),
            cost: None,
        })),
        window: None,
        forks: Vec::new(),
        shared: None,
    };
    let shown = Conversation::from_page(&page, Names::default()).unwrap();
    let back = |first| {
        assert_eq!(
            shown.put(HistoryDirection::Older, &page_of(first)),
            Ok(true)
        )
    };
    for first in [16, 14, 12] {
        assert_eq!(shown.edge(HistoryDirection::Older), None);
        back(first);
    }
    assert_eq!(questions(&shown), of(12..20));
    // A page that does not adjoin is ignored.
    assert_eq!(shown.put(HistoryDirection::Older, &page_of(8)), Ok(false));
    back(10);
    assert_eq!(
        shown.edge(HistoryDirection::Older),
        Some(RowKey::User(message(16 * 2))),
        "the first row of what may go"
    );
    shown.let_go(HistoryDirection::Older);
    assert!(untrack(|| shown.is_apart()));
    assert_eq!(questions(&shown), of(10..16));
    assert!(!shown.shows(message(18 * 2)) && shown.is_new(message(18 * 2)));

    // The outcome of a call there is shown, and also with a page that was on its way.
    let event = Event {
        seq: Seq(61),
        at: Timestamp(2_000),
        body: EventBody::OutcomeResolved {
            call: CallId::new(Timestamp(1), 15),
            resolution: protocol::Resolution::Done,
            by: None,
            via: None,
            message: "It did.".to_owned(),
        },
    };
    let resolved = || {
        let rows = untrack(|| shown.shown());
        let tools = rows.iter().filter(|row| match &row.content {
            RowViewContent::Tool(tool) => tool.row.read_untracked().resolved.is_some(),
            _ => false,
        });
        tools.count()
    };
    shown.apply(vec![event]).unwrap();
    assert_eq!(resolved(), 1);
    assert_eq!(
        shown.put(HistoryDirection::To(message(29)), &page_of(14)),
        Ok(true)
    );
    assert_eq!((questions(&shown), resolved()), (of(14..16), 1));

    // Forward again, until it adjoins the newest.
    for first in [16, 18] {
        assert_eq!(
            shown.put(HistoryDirection::Newer, &page_of(first)),
            Ok(first == 16)
        );
    }
    assert!(!untrack(|| shown.is_apart()));
    assert_eq!(questions(&shown), of(14..20));
    shown.to_end();
    assert_eq!(questions(&shown), of(18..20));
}
