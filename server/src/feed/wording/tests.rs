//! Lines of the feed, from the audit chain to a search.

use agent::ports::{
    Append, Controls, Durability, Epoch, Journal, NewRecord, Shelves, StoredConversation,
};
use protocol::{
    BlockedReason, CommandId, Confirmation, ConversationId, DecidedVia, FeedFilter, FeedPlace,
    KillSwitch, Mode, Role, Seq, Tier, Timestamp, ToolOutput, TurnId,
};
use store::{FeedRow, Store};
use tempfile::TempDir;

use super::*;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn at(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

fn ada() -> UserId {
    UserId::new(AT, 1)
}

async fn open() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store.first_user(ada(), "Ada", AT).await.unwrap();
    (folder, store)
}

fn task(n: i64, line: &str) -> Happening {
    Happening::new(format!("task/{n}"), at(n), FeedKind::Task, line)
}

async fn page(store: &Store, query: &str, place: FeedPlace, limit: usize) -> Vec<FeedRow> {
    let filter = FeedFilter::from_query(query);
    store
        .feed(Role::Admin, &filter, place, limit)
        .await
        .unwrap()
        .rows
}

async fn lines(store: &Store, query: &str) -> Vec<String> {
    let page = page(store, query, FeedPlace::Newest, 100).await;
    page.into_iter().map(|row| row.entry.line).collect()
}

async fn fold(store: &Store) -> usize {
    let mut count = 0;
    loop {
        match store.fold_feed(Timestamp(0), 3, happening).await.unwrap() {
            0 => return count,
            some => count += some,
        }
    }
}

/// A RED call that Ada approves and that succeeds, a blocked one, and the kill switch.
async fn work(store: &Store) -> ConversationId {
    let conversation = ConversationId::new(AT, 1);
    let (turn, call) = (TurnId::new(AT, 1), CallId::new(AT, 1));
    let append = |head, ms, body| Append {
        conversation,
        epoch: Epoch(1),
        head: Seq(head),
        at: at(ms),
        records: vec![
            NewRecord::event(body).audited(json!({ "tool": "stop_vm", "input": { "vmid": 101 } })),
        ],
        command: None,
        durability: Durability::Process,
    };
    let asked: Confirmation = serde_json::from_value(json!({
        "revision": 0,
        "digest": "d",
        "sentence": "Shut down VM 101 (nextcloud) on node pve.",
        "target": "VM 101 (nextcloud) on node pve",
        "tier": "red",
        "input": { "vmid": 101 },
        "facts": [],
        "origins": [],
        "risks": [],
        "reason": "secret words",
        "choices": [],
        "editable": [],
        "assurance": { "type": "press" },
        "grantable": false,
        "expires": at(9),
    }))
    .unwrap();
    let target = Some(asked.target.clone());
    let first = Append {
        epoch: Epoch(0),
        ..append(
            0,
            10,
            EventBody::ConfirmationRequested {
                turn,
                call,
                confirmation: Box::new(asked),
            },
        )
    };
    let stored = StoredConversation {
        id: conversation,
        owner: ada(),
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    store.create(stored, first).await.unwrap();
    let rest = [
        EventBody::ConfirmationDecided {
            turn,
            call,
            digest: "d".to_owned(),
            verdict: Verdict::Approved,
            by: Some("Bob".to_owned()),
            via: Some(DecidedVia::Token {
                id: "tok_1".to_owned(),
            }),
        },
        EventBody::ToolStarted {
            turn,
            call,
            tier: Tier::Red,
            target,
            grant: None,
            input: None,
        },
        EventBody::ToolFinished {
            turn,
            call,
            outcome: ToolOutcome::Succeeded {
                output: ToolOutput {
                    summary: "secret words".to_owned(),
                    data: json!("secret words"),
                    images: Vec::new(),
                },
            },
            elapsed_ms: 1500,
        },
        EventBody::ToolBlocked {
            turn,
            call: CallId::new(AT, 2),
            tier: None,
            reason: BlockedReason::UnknownTool,
            message: "secret words".to_owned(),
        },
    ];
    for (head, body) in (1..).zip(rest) {
        let ms = 10 + i64::try_from(head).unwrap();
        store.append(append(head, ms, body)).await.unwrap();
    }
    let state = KillSwitch {
        on: true,
        by: Some("Bob".to_owned()),
        at: Some(at(20)),
    };
    let (by, command) = (ada().into(), CommandId::new(AT, 1));
    store.set_kill_switch(state, &by, command).await.unwrap();
    conversation
}

#[tokio::test]
async fn what_was_done_is_told_without_what_was_said() {
    let (_folder, store) = open().await;
    let conversation = work(&store).await;
    assert_eq!(fold(&store).await, 6);
    assert_eq!(fold(&store).await, 0);
    let rows = page(&store, "", FeedPlace::Newest, 10).await;
    let told: Vec<_> = rows
        .iter()
        .map(|FeedRow { entry, .. }| {
            (
                entry.at.0 - AT.0,
                entry.kind.word(),
                entry.tone,
                &*entry.line,
                entry.outcome.as_deref(),
                entry.person.as_deref(),
                entry.ended.map(|ended| ended.0 - AT.0),
            )
        })
        .collect();
    let kill_switch = "The kill switch was turned on";
    let sentence = "Shut down VM 101 (nextcloud) on node pve.";
    assert_eq!(
        told,
        [
            (
                20,
                "kill_switch",
                FeedTone::Bad,
                kill_switch,
                None,
                Some("Bob"),
                None
            ),
            (
                14,
                "call",
                FeedTone::Warning,
                "stop_vm",
                Some("not run: no such tool"),
                Some("Ada"),
                Some(14)
            ),
            (
                12,
                "call",
                FeedTone::Good,
                "stop_vm",
                Some("done"),
                Some("Ada"),
                Some(13)
            ),
            (
                10,
                "confirmation",
                FeedTone::Good,
                sentence,
                Some("approved by Bob with the token tok_1"),
                Some("Bob"),
                Some(11)
            ),
        ]
    );
    // Of a call's start and of its end.
    let call = &rows[2].entry;
    assert_eq!(call.tier, Some(Tier::Red));
    assert_eq!(
        call.target.as_deref(),
        Some("VM 101 (nextcloud) on node pve")
    );
    assert_eq!(call.details, json!({ "elapsed_ms": 1500 }));
    let all = format!("{rows:?}");
    assert!(!all.contains("secret"), "{all}");
    // Others do not see where.
    assert_eq!(call.conversation, Some(conversation));
    assert_eq!(
        rows[2].seen_by(ada(), Role::Viewer).conversation,
        Some(conversation)
    );
    assert_eq!(
        rows[2]
            .seen_by(UserId::new(AT, 9), Role::Admin)
            .conversation,
        None
    );
    // The conversation is removed, its actions stay.
    store
        .delete(conversation, &ada().into(), at(30))
        .await
        .unwrap();
    fold(&store).await;
    assert_eq!(lines(&store, "").await.len(), 5);
}

#[tokio::test]
async fn addresses_of_others_are_for_admins() {
    let (_folder, store) = open().await;
    let event = SystemEvent::SignInFailed {
        user: Some(ada()),
        address: Some("192.0.2.7".to_owned()),
    };
    store.record(AT, &event).await.unwrap();
    fold(&store).await;
    let rows = page(&store, "kind=sign_in&person=ada", FeedPlace::Newest, 10).await;
    let address = json!({ "address": "192.0.2.7" });
    let stranger = UserId::new(AT, 9);
    assert_eq!(rows[0].seen_by(ada(), Role::Viewer).details, address);
    assert_eq!(rows[0].seen_by(stranger, Role::Admin).details, address);
    assert!(rows[0].seen_by(stranger, Role::Operator).details.is_null());
    // Nor does a search find them.
    assert_eq!(lines(&store, "q=192.0.2.7").await.len(), 0);
}

#[tokio::test]
async fn every_filter_says_what_the_index_says() {
    let (_folder, store) = open().await;
    work(&store).await;
    fold(&store).await;
    for n in 100..130 {
        let kind = if n % 2 == 0 {
            FeedKind::Task
        } else {
            FeedKind::Log
        };
        let happening = Happening {
            kind,
            tier: (n % 5 == 0).then_some(Tier::Yellow),
            target: Some(format!("node pve-{}", n % 3)),
            person: Some("root@pam".to_owned()),
            subject: Some(format!("task/UPID:pve:{n}")),
            ..task(n, &format!("vzdump {n}"))
        };
        store.append_feed(&[happening]).await.unwrap();
    }
    let everything = page(&store, "", FeedPlace::Newest, 100).await;
    assert_eq!(everything.len(), 34);
    let from = at(110).0;
    for query in [
        "kind=task".to_owned(),
        "kind=call,kill_switch".to_owned(),
        "tier=red".to_owned(),
        "tier=yellow,red&kind=task".to_owned(),
        "target=pve-1".to_owned(),
        "target=nextcloud&person=bo".to_owned(),
        "person=root@pam".to_owned(),
        "q=vzd+12".to_owned(),
        "q=upid:pve:11".to_owned(),
        "q=stop_v+done".to_owned(),
        "q=1".to_owned(),
        format!("from={from}&to={}", from + 5),
        format!("kind=log&from={from}"),
        "q=!!!".to_owned(),
    ] {
        let filter = FeedFilter::from_query(&query);
        let expect: Vec<_> = everything
            .iter()
            .filter(|row| filter.matches(&row.entry))
            .cloned()
            .collect();
        assert_eq!(
            page(&store, &query, FeedPlace::Newest, 100).await,
            expect,
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_persons_own_persona_is_nobody_elses_to_read() {
    let (_folder, store) = open().await;
    let user = store.accounts().await.unwrap().remove(0).user;
    for (kind, owner) in [
        (SettingsKind::Persona, None),
        (SettingsKind::PersonaOf(user.id), Some(user.id)),
    ] {
        let body = json!({ "manner": "secret words" });
        let changed = store.change_settings(kind, 0, body, &user, at(1));
        assert_eq!(changed.await.unwrap(), 1);
        fold(&store).await;
        let newest = page(&store, "", FeedPlace::Newest, 1).await.remove(0);
        assert_eq!(newest.owner, owner, "{kind:?}");
        let told = serde_json::to_string(&newest.entry).unwrap();
        assert_eq!(told.contains("secret words"), owner.is_none(), "{told}");
    }
}
