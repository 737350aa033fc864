//! Branches in the database: one line for a family, and no copy counts twice.

use agent::{
    Sight,
    ports::{
        Append, Branches, Branching, Durability, Epoch, Happening, Journal, JournalError,
        NewRecord, Person, Shelves, Spending,
    },
};
use protocol::{
    CallId, CommandId, ContentBlock, Cost, EventBody, FeedFilter, FeedKind, FeedPlace, ForkWay,
    HistoryPlace, MessageId, Mode, Seq, Shelf, StopReason, Tier, Timestamp, ToolOutcome,
    ToolOutput, TurnId, TurnOutcome, Usage, UserId,
};
use serde_json::json;
use store::{AuditFact, AuditReader, AuditedEvent, ListPlace, PlainEvent, Store};

use crate::conversations::{AT, id, open, stored, user};

fn at(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

fn message(n: u128) -> MessageId {
    MessageId::new(AT, n)
}

fn began(n: u128, text: &str) -> NewRecord {
    NewRecord::event(EventBody::TurnStarted {
        turn: TurnId::new(AT, n),
        message: message(n),
        text: text.to_owned(),
        references: Vec::new(),
    })
}

/// A turn with a call that acts.
fn turn(n: u128, text: &str) -> Vec<NewRecord> {
    let (turn, call) = (TurnId::new(AT, n), CallId::new(AT, n));
    let usage = Usage {
        input: 10,
        ..Usage::default()
    };
    let finished = NewRecord::event(EventBody::ToolFinished {
        turn,
        call,
        outcome: ToolOutcome::Succeeded {
            output: ToolOutput {
                summary: "done".to_owned(),
                data: json!({}),
                images: Vec::new(),
            },
        },
        elapsed_ms: 1,
    });
    let started = NewRecord::event(EventBody::ToolStarted {
        turn,
        call,
        tier: Tier::Red,
        target: None,
        grant: None,
        input: None,
    });
    let detail = json!({ "tool": "restart" });
    vec![
        began(n, text),
        NewRecord::event(EventBody::AssistantMessage {
            turn,
            message: message(n << 8),
            blocks: vec![
                ContentBlock::Text {
                    text: format!("about {text}"),
                },
                ContentBlock::ToolUse {
                    call,
                    name: "restart".to_owned(),
                    input: json!({}),
                },
            ],
            stop: StopReason::ToolUse,
            usage,
            cost: Some(Cost(3)),
        }),
        started.audited(detail.clone()),
        finished.audited(detail),
        NewRecord::event(EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Answered,
            usage,
            cost: Some(Cost(3)),
        }),
    ]
}

fn append(n: u128, head: u64, ms: i64, records: Vec<NewRecord>) -> Append {
    Append {
        conversation: id(n),
        epoch: Epoch(1),
        head: Seq(head),
        at: at(ms),
        records,
        command: None,
        durability: Durability::Process,
    }
}

/// A conversation with two turns: events 1 to 11.
async fn talked(store: &Store) {
    let mut records = vec![NewRecord::event(EventBody::ConversationStarted {
        title: "the walrus".to_owned(),
        model: "model".to_owned(),
        mode: Mode::Default,
        toolsets: vec!["homelab".to_owned()],
        from: None,
    })];
    records.extend(turn(1, "oysters"));
    records.extend(turn(2, "carpenters"));
    let first = Append {
        epoch: Epoch(0),
        ..append(1, 0, 0, records)
    };
    store.create(stored(1), first).await.unwrap();
}

fn branching(from: u128, head: u64, until: u64, n: u128, ms: i64) -> (Branching, Append) {
    let mark = NewRecord::event(EventBody::Branched {
        parent: id(from),
        message: message(2),
        title: "the walrus".to_owned(),
        by: "Ada".to_owned(),
        effects: Vec::new(),
        more: None,
    });
    let mut records = vec![mark.audited(json!({ "calls": [] }))];
    records.extend(turn(n << 16, "cabbages"));
    let append = Append {
        epoch: Epoch(0),
        command: Some((user(), CommandId::new(AT, n))),
        ..append(n, until, ms, records)
    };
    let branching = Branching {
        conversation: stored(n),
        parent: id(from),
        parent_head: Seq(head),
        until: Seq(until),
    };
    (branching, append)
}

async fn feed(store: &Store) -> Vec<String> {
    // The server's words are the server's; the entries of a call share its key.
    let word = |fact: &AuditFact<'_>| {
        let (key, line) = match &fact.event {
            AuditedEvent::Conversation(event) => match &**event {
                EventBody::ToolStarted { call, .. } | EventBody::ToolFinished { call, .. } => {
                    (format!("call/{call}"), fact.tool.clone()?)
                }
                EventBody::Branched { .. } => (format!("audit/{}", fact.seq), "branched".into()),
                _ => return None,
            },
            _ => return None,
        };
        Some(Happening::new(key, fact.at, FeedKind::Call, line))
    };
    while store.fold_feed(Timestamp(0), 50, word).await.unwrap() > 0 {}
    let filter = FeedFilter::from_query("");
    let rows = store
        .feed(protocol::Role::Admin, &filter, FeedPlace::Newest, 100)
        .await
        .unwrap()
        .rows;
    rows.into_iter().map(|row| row.entry.line).collect()
}

#[tokio::test]
async fn what_is_copied_counts_and_is_found_once() {
    let (folder, store) = open().await;
    talked(&store).await;
    let (branch, write) = branching(1, 11, 6, 2, 10);
    store.branch(branch, write).await.unwrap();
    // The chain and the feed have the branch itself and its actions.
    let feed = feed(&store).await;
    let count = |line: &str| feed.iter().filter(|it| *it == line).count();
    assert_eq!(count("restart"), 3, "{feed:?}");
    assert_eq!(count("branched"), 1, "{feed:?}");
    let mut reader = AuditReader::open(folder.path()).await.unwrap();
    assert!(reader.verify(None).await.is_ok());
    for (words, expect) in [
        ("oysters", 2),
        ("carpenters", 2),
        ("cabbages", 2),
        ("walrus", 1),
    ] {
        let found = store.search(user(), None, words, 0, 50).await.unwrap();
        assert_eq!(found.hits.len(), expect, "{words}: {:?}", found.hits);
    }
    let title = store.search(user(), None, "walrus", 0, 50).await.unwrap();
    assert_eq!(title.hits[0].conversation, id(2), "the one in front");
    let lines = store.conversations(user(), None, 50).await.unwrap();
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (lines[0].id, lines[0].usage.input, lines[0].cost),
        (id(2), 10, Some(Cost(3)))
    );

    // Continuing the other one puts it in front, where the line was.
    store.shelve(id(1), Shelf::Pinned, at(20)).await.unwrap();
    let more = vec![NewRecord::event(EventBody::TitleChanged {
        title: "the carpenter".to_owned(),
    })];
    store
        .put_in_folder(id(2), Some("Tales"), at(25))
        .await
        .unwrap();
    let line = store.append(append(1, 11, 30, more)).await.unwrap().summary;
    assert!(line.family.unwrap().front);
    assert_eq!(line.folder.as_deref(), Some("Tales"), "of all branches");
    let pinned = store
        .listed(user(), ListPlace::Shelf(Shelf::Pinned), None, 50)
        .await
        .unwrap();
    assert_eq!(
        pinned.iter().map(|line| line.id).collect::<Vec<_>>(),
        [id(1)]
    );
    assert_eq!(pinned[0].usage.input, 20);
    let line = store.to_front(id(2), at(40)).await.unwrap();
    assert_eq!(
        (line.shelf, line.family.unwrap().front),
        (Shelf::Pinned, true)
    );
    let pinned = store
        .listed(user(), ListPlace::Shelf(Shelf::Pinned), None, 50)
        .await
        .unwrap();
    assert_eq!(
        pinned.iter().map(|line| line.id).collect::<Vec<_>>(),
        [id(2)]
    );
}

#[tokio::test]
async fn siblings_lead_to_each_other() {
    let (_folder, store) = open().await;
    talked(&store).await;
    let alone = store
        .conversation_page(user(), id(1))
        .await
        .unwrap()
        .by(Sight::Values);
    assert_eq!(alone.forks, []);
    let (branch, write) = branching(1, 11, 6, 2, 10);
    store.branch(branch, write).await.unwrap();
    let way = |n, message| ForkWay {
        conversation: id(n),
        message,
    };
    let ways = [way(1, message(2)), way(2, message(2 << 16))];
    for (n, place) in [(1, 0), (2, 1)] {
        let forks = store.forks(user(), id(n)).await.unwrap();
        assert_eq!(forks.len(), 1);
        assert_eq!(
            (forks[0].at, forks[0].message),
            (place, ways[place as usize].message)
        );
        assert_eq!(forks[0].ways, ways);
        let page = store
            .conversation_page(user(), id(n))
            .await
            .unwrap()
            .by(Sight::Values);
        assert_eq!(page.forks, forks);
    }
    // Nobody else sees any of it.
    let stranger = UserId::new(AT, 9);
    assert!(store.forks(stranger, id(1)).await.is_err());
    // Deleting one deletes all of them.
    let by = Person::from(user());
    let mut gone = store.delete(id(2), &by, at(50)).await.unwrap();
    gone.sort();
    assert_eq!(gone, [id(1), id(2)]);
    assert!(store.forks(user(), id(1)).await.is_err());
}

/// A branch that left a long conversation and became long itself.
#[tokio::test]
async fn a_branch_has_pages_of_its_own() {
    let (_folder, store) = open().await;
    talked(&store).await;
    let chosen = NewRecord::event(EventBody::ModelChosen {
        model: "other".to_owned(),
        effort: None,
        window: Some(1000),
    });
    let waits = |n| {
        NewRecord::event(EventBody::MessageSteered {
            message: message(n),
            text: "and then".to_owned(),
            references: Vec::new(),
        })
    };
    let mut records = vec![chosen, waits(1 << 40)];
    records.extend((3..40).flat_map(|n| turn(n, "oysters")));
    let head = store.append(append(1, 11, 1, records)).await.unwrap();
    let head = head.records.last().unwrap().event.seq.0;
    let until = head - 25;
    let (mut branch, write) = branching(1, head, until, 2, 10);
    branch.conversation.model = "other".to_owned();
    let made = store.branch(branch, write).await.unwrap();
    assert_eq!(made.summary.model, "other");
    let begins = until + 1;
    let mut records = vec![waits(1 << 41)];
    records.extend((50..90).flat_map(|n| turn(n, "cabbages")));
    let own = store.append(append(2, begins + 5, 20, records)).await;
    let own = own.unwrap().records.last().unwrap().event.seq;

    // The lasting part of the copy, and only the messages that wait here.
    let whole = store.events_after(id(2), Seq(0), usize::MAX).await.unwrap();
    let page = store
        .conversation_page(user(), id(2))
        .await
        .unwrap()
        .by(Sight::Values);
    assert_eq!((page.head, page.forks.len()), (own, 1));
    let before = page.before.unwrap();
    let lasting = whole.iter().filter(|event| match &event.body {
        EventBody::MessageSteered { message: of, .. } => *of == message(1 << 41),
        body => event.seq <= before.seq && body.outlives_turn(),
    });
    let lasting: Vec<_> = lasting.cloned().collect();
    assert_eq!(lasting.len(), 4, "{lasting:?}");
    assert_eq!(before.events, lasting);
    let taken = |turns: usize| (10 * turns as u64, Some(Cost(3 * turns as u64)));
    let here = page
        .events
        .iter()
        .filter(|event| matches!(event.body, EventBody::TurnStarted { .. }));
    assert_eq!((before.usage.input, before.cost), taken(41 - here.count()));

    // Back to the beginning, without a gap; the mark is with the turn after it.
    let mut events = page.events;
    let mut after = before.seq;
    while after > Seq(0) {
        let place = HistoryPlace::Until { seq: after };
        let older = store
            .history(user(), id(2), place)
            .await
            .unwrap()
            .by(Sight::Values);
        let last = older.events.last().unwrap();
        assert!(!matches!(last.body, EventBody::Branched { .. }));
        let cut = older.late.iter().any(|event| event.seq == Seq(begins));
        assert_eq!(cut, last.seq < Seq(begins), "{}", last.seq.0);
        after = older.after;
        events.splice(0..0, older.events);
    }
    assert_eq!(events, whole);
    let around = HistoryPlace::Around {
        message: message(2 << 16),
    };
    let around = store
        .history(user(), id(2), around)
        .await
        .unwrap()
        .by(Sight::Values);
    assert!(around.events.iter().any(|event| event.seq == Seq(begins)));

    // Each answer was paid once, and counts against the budget of the branch in which it came.
    let spent = |n| store.conversation_spent(user(), id(n));
    let (parent, branch) = (spent(1).await.unwrap(), spent(2).await.unwrap());
    assert_eq!((parent.usage.input, parent.cost), (39 * 10, Cost(39 * 3)));
    assert_eq!((branch.usage.input, branch.cost), (41 * 10, Cost(41 * 3)));
    let all = store.family_spent(user(), id(2)).await.unwrap();
    assert_eq!((all.usage.input, all.cost), (80 * 10, Cost(80 * 3)));
    let day = store.spent_on(user(), agent::day_of(AT)).await.unwrap();
    assert_eq!(day.spent.usage.input, 80 * 10);
}

#[tokio::test]
async fn a_file_has_no_branches() {
    let (_folder, store) = open().await;
    let started = EventBody::ConversationStarted {
        title: "from a file".to_owned(),
        model: "model".to_owned(),
        mode: Mode::Default,
        toolsets: Vec::new(),
        from: None,
    };
    let plain = |seq, body: &EventBody| PlainEvent {
        seq: Seq(seq),
        at: AT,
        body: serde_json::to_string(body).unwrap(),
    };
    let events = [plain(1, &started), plain(2, &began(1, "hello").body)];
    store.import(&stored(1), "Ada", AT, &events).await.unwrap();
    let family = store.family(id(1)).await;
    assert!(matches!(family, Err(JournalError::Closed)), "{family:?}");
    let (branch, write) = branching(1, 2, 1, 2, 10);
    let refused = store.branch(branch, write).await;
    assert!(matches!(refused, Err(JournalError::Closed)), "{refused:?}");
}
