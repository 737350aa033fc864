//! A person's own calls: the same gate, questions, records and recovery as a call of the model.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use agent::ports::{Person, Reconciled, Recovery};
use protocol::{
    BlockedReason, Command, CommandId, ConversationId, ErrorCode, EventBody, GrantTerms,
    OriginSource, Role, ServerFrame, Shelf, Tier, Timestamp, ToolOutcome, ToolOutput, TurnOutcome,
    Verdict,
};
use serde_json::{Value, json};
use testkit::{FreezePoint, Lasting, Ledger, ScriptedModel, ScriptedTools, TargetState, spec};
use transcript::{RowContent, ToolState, Transcript};

use crate::{
    confirm::{APPROVE, DENY, code, question, tools, world},
    world::{Watch, World},
};

fn act(conversation: ConversationId, tool: &str, input: Value) -> Command {
    Command::Act {
        conversation,
        tool: tool.to_owned(),
        input,
    }
}

impl World {
    /// A person calls a tool.
    async fn act(&self, tool: &str, input: Value) -> (ConversationId, Watch) {
        let conversation = self.conversation_id();
        let command = act(conversation, tool, input);
        self.command(command).await.unwrap();
        (conversation, self.watch(conversation).await)
    }
}

fn pve() -> Value {
    json!({ "node": "pve" })
}

/// The reason for which the gate refused, if it did.
fn blocked(world: &World, conversation: ConversationId) -> Option<BlockedReason> {
    let events = world.journal.events(conversation).into_iter();
    let mut reasons = events.filter_map(|event| match event.body {
        EventBody::ToolBlocked { reason, .. } => Some(reason),
        _ => None,
    });
    reasons.next()
}

#[tokio::test(start_paused = true)]
async fn the_gate_decides_on_every_call() {
    let none = None;
    let (viewer, operator) = (Some(Role::Viewer), Some(Role::Operator));
    for (who, tool, input, expect) in [
        (viewer, "green", pve(), none),
        (operator, "green", pve(), none),
        (operator, "yellow", json!({}), none),
        (operator, "purple", pve(), Some(BlockedReason::UnknownTool)),
        (
            operator,
            "green",
            json!({ "nude": "pve" }),
            Some(BlockedReason::InvalidInput),
        ),
        // A switch that only the card offers is not part of the input that begins a call.
        (
            operator,
            "red",
            json!({ "node": "pve", "hard": true }),
            Some(BlockedReason::InvalidInput),
        ),
    ] {
        let ledger = Ledger::default();
        let world = world(Vec::new(), tools(&ledger));
        world.journal.set_role(world.user, who);
        let (conversation, mut watch) = world.act(tool, input.clone()).await;
        let end = watch.turn_end().await.1;
        assert_eq!(end, TurnOutcome::Done, "{who:?} {tool} {input}");
        assert_eq!(
            blocked(&world, conversation),
            expect,
            "{who:?} {tool} {input}"
        );
        assert_eq!(ledger.entries().len(), usize::from(expect.is_none()));
    }
}

/// A viewer whose calls are refused one by one, each with a journal and its input in two rows of
/// the audit chain, forever.
#[tokio::test(start_paused = true)]
async fn a_viewer_who_asks_to_act_leaves_one_small_record() {
    let ledger = Ledger::default();
    let world = world(Vec::new(), tools(&ledger));
    world.journal.set_role(world.user, Some(Role::Viewer));
    let long = "x".repeat(1000);
    for tool in ["yellow", "red", "purple", &long] {
        let conversation = world.conversation_id();
        let refused = world.command(act(conversation, tool, pve())).await;
        assert_eq!(code(refused), ErrorCode::RoleNotEnough, "{tool}");
        let journal = world.journal.events(conversation);
        assert!(journal.is_empty(), "{tool}: {journal:?}");
    }
    assert!(ledger.entries().is_empty());
    let recorded = world.journal.refusals();
    let tools: Vec<_> = recorded.iter().map(|(_, tool, _)| tool.as_str()).collect();
    assert_eq!(tools, ["yellow", "red", "purple", &long[..64]]);
    assert!(recorded.iter().all(|(user, ..)| *user == world.user));

    for _ in 0..100 {
        let conversation = world.conversation_id();
        let refused = world.command(act(conversation, "red", pve())).await;
        assert_eq!(code(refused), ErrorCode::RoleNotEnough);
    }
    assert_eq!(world.journal.refusals().len(), 20, "the rest is counted");

    // A command that was carried out when the role allowed it is done, however often it is sent.
    let (conversation, id) = (world.conversation_id(), CommandId::new(Timestamp(0), 7));
    world.journal.set_role(world.user, Some(Role::Operator));
    let send = || {
        let command = act(conversation, "yellow", json!({}));
        world.engine.command(world.user, id, command)
    };
    send().await.unwrap();
    world.journal.set_role(world.user, Some(Role::Viewer));
    send().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn looks_of_ones_own_are_bounded() {
    let ledger = Ledger::default();
    let world = world(Vec::new(), tools(&ledger));
    let mut begun = 0;
    let refused = loop {
        let conversation = world.conversation_id();
        match world.command(act(conversation, "green", pve())).await {
            Ok(()) => begun += 1,
            refused => break refused,
        }
    };
    assert_eq!(code(refused), ErrorCode::RateLimited);
    assert_eq!(begun, 120);
    // Calls that act are not held back by it: they have a gate.
    let acts = act(world.conversation_id(), "yellow", json!({}));
    world.command(acts).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn four_looks_of_ones_own_run_at_once() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (now, top) = (running, Arc::clone(&most));
    let slow =
        ScriptedTools::new().with_body(spec("green", Tier::Green, Recovery::Pure), move |_, _| {
            let (now, top) = (Arc::clone(&now), Arc::clone(&top));
            async move {
                top.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                tokio::time::sleep(Duration::from_secs(1)).await;
                now.fetch_sub(1, SeqCst);
                Ok(ToolOutput {
                    summary: "Seen.".to_owned(),
                    data: Value::Null,
                    images: Vec::new(),
                })
            }
        });
    let world = world(Vec::new(), slow);
    let mut looks = Vec::new();
    for _ in 0..12 {
        looks.push(world.act("green", pve()).await.1);
    }
    for watch in &mut looks {
        assert_eq!(watch.turn_end().await.1, TurnOutcome::Done);
    }
    assert_eq!(most.load(SeqCst), 4);
}

#[tokio::test(start_paused = true)]
async fn a_red_call_is_asked_for_and_decided_once() {
    let ledger = Ledger::default();
    let world = world(Vec::new(), tools(&ledger));
    let (conversation, mut watch) = world.act("red", pve()).await;
    let (call, card) = question(&mut watch).await;
    assert_eq!(card.origins[0].source, OriginSource::Person);
    assert_eq!((card.reason, card.grantable), (None, false));
    assert!(card.editable.is_empty(), "another target is another call");
    assert!(ledger.entries().is_empty(), "the button is no decision");
    let grant = protocol::Decision::Approve {
        grant: Some(GrantTerms {
            uses: 1,
            until: Timestamp(1_795_348_800_000 + 60_000),
        }),
        word: None,
    };
    let refused = world.decide(conversation, call, &card.digest, grant).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    let wrong = world.decide(conversation, call, "0", APPROVE).await;
    assert_eq!(code(wrong), ErrorCode::CardChanged);

    // Two tabs press at once.
    let (one, other) = tokio::join!(
        world.decide(conversation, call, &card.digest, APPROVE),
        world.decide(conversation, call, &card.digest, DENY),
    );
    assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Done);
    assert_eq!(ledger.entries().len(), usize::from(one.is_ok()));
    assert_eq!(
        world.names(conversation)[..4],
        [
            "conversation_started",
            "action_started",
            "confirmation_requested",
            "confirmation_decided",
        ]
    );
    let fold = Transcript::from_events(&world.journal.events(conversation)).unwrap();
    assert_eq!(fold.by(), Some(&*world.user.to_string()));
    let [tool, end] = fold.rows() else {
        panic!("the call and its end: {:?}", fold.rows());
    };
    assert!(matches!(&tool.content, RowContent::Tool(tool) if tool.state.is_terminal()));
    assert!(matches!(end.content, RowContent::End { .. }));
}

#[tokio::test(start_paused = true)]
async fn what_was_shown_is_what_runs() {
    let ledger = Ledger::default();
    let state = TargetState::default();
    let world = world(Vec::new(), tools(&ledger).with_state(&state));
    let (conversation, mut watch) = world.act("red", pve()).await;
    let (call, card) = question(&mut watch).await;
    state.set(json!({ "state": "stopped" }));
    let decided = world.decide(conversation, call, &card.digest, APPROVE);
    decided.await.unwrap();
    let (_, again) = question(&mut watch).await;
    assert_eq!(again.revision, 2);
    assert!(ledger.entries().is_empty());

    // Meanwhile another tab turns the kill switch on: the decision counts for nothing.
    world
        .command(Command::KillSwitch { on: true })
        .await
        .unwrap();
    let refused = world.decide(conversation, call, &again.digest, APPROVE);
    assert_eq!(code(refused.await), ErrorCode::DecisionNotAllowed);
    let (other, mut blocked_at_once) = world.act("yellow", json!({})).await;
    blocked_at_once.turn_end().await;
    assert_eq!(blocked(&world, other), Some(BlockedReason::KillSwitch));
    assert!(ledger.entries().is_empty());

    // Nobody decides: the card expires, and that is the end of it.
    world.env.advance(24 * 3600 * 1000);
    watch.turn_end().await;
    let lapsed = |event: &protocol::Event| {
        matches!(
            event.body,
            EventBody::ConfirmationDecided {
                verdict: Verdict::Expired,
                ..
            }
        )
    };
    assert!(world.journal.events(conversation).iter().any(lapsed));
}

#[tokio::test(start_paused = true)]
async fn calls_of_several_tabs_stand_side_by_side() {
    let ledger = Ledger::default();
    let world = world(Vec::new(), tools(&ledger));
    let id = world.command_id();
    let conversation = world.conversation_id();
    let twice = act(conversation, "red", pve());
    for _ in 0..2 {
        let sent = world.engine.command(world.user, id, twice.clone());
        sent.await.unwrap();
    }
    let mut first = world.watch(conversation).await;
    let (call, card) = question(&mut first).await;
    let (_, mut other) = world.act("red", json!({ "node": "agent" })).await;
    question(&mut other).await;
    // The same journal under another command is another call, which is refused.
    let taken = world.command(act(conversation, "red", pve())).await;
    assert_eq!(code(taken), ErrorCode::Malformed);
    // Stopped from one tab; the other call continues to wait.
    let turn = first.transcript.turn().unwrap().id;
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    assert_eq!(first.turn_end().await.1, TurnOutcome::Stopped);
    let late = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(late), ErrorCode::AlreadyDecided);
    assert!(other.transcript.turn().is_some());
    assert!(ledger.entries().is_empty());
}

#[tokio::test(start_paused = true)]
async fn it_is_no_conversation() {
    let world = world(Vec::new(), tools(&Ledger::default()));
    let (conversation, mut watch) = world.act("green", pve()).await;
    let (turn, _) = watch.turn_end().await;
    let before = world.names(conversation);
    let send = world.send(conversation, "And now?").await;
    assert_eq!(code(send), ErrorCode::Malformed);
    let retry = world.command(Command::Retry { conversation, turn }).await;
    assert_eq!(code(retry), ErrorCode::Malformed);
    let rename = world.engine.rename(world.user, conversation, "New").await;
    assert_eq!(code(rename), ErrorCode::Malformed);
    let shelve = world.engine.shelve(world.user, conversation, Shelf::Pinned);
    assert_eq!(code(shelve.await), ErrorCode::Malformed);
    let delete = world.engine.delete(world.user, conversation).await;
    assert_eq!(code(delete), ErrorCode::Malformed);
    assert_eq!(world.names(conversation), before);
    assert!(world.model.requests().is_empty(), "no model is ever asked");

    // Nobody else sees it, and a read-only sign-in begins none.
    let stranger = protocol::UserId::new(Timestamp(0), 2);
    let peek = world
        .engine
        .subscribe(stranger, conversation, protocol::Seq(0));
    assert!(peek.await.is_err());
    let reader = Person {
        role: Role::Viewer,
        ..world.user.into()
    };
    let green = act(world.conversation_id(), "green", pve());
    let refused = world.engine.command(reader, world.command_id(), green);
    assert_eq!(code(refused.await), ErrorCode::RoleNotEnough);
}

/// One call of each kind, each in its journal, on a server that is killed.
#[derive(Default)]
struct Lab(Lasting);

const TOOLS: [(&str, Tier, Recovery); 4] = [
    ("unsafe", Tier::Red, Recovery::Unsafe),
    ("found", Tier::Red, Recovery::Reconcilable),
    ("yellow", Tier::Yellow, Recovery::Unsafe),
    ("again", Tier::Yellow, Recovery::Idempotent),
];

impl Lab {
    fn journal(n: usize) -> ConversationId {
        ConversationId::new(Timestamp(1), n as u128 + 1)
    }

    fn live(&self) -> bool {
        self.0.live(self.work())
    }

    async fn work(&self) {
        let found = Reconciled::NotDone("Its task is not there.".to_owned());
        let tools = TOOLS
            .into_iter()
            .fold(ScriptedTools::new(), |tools, (name, tier, recovery)| {
                tools.with(spec(name, tier, recovery))
            })
            .with_found("found", found);
        let world = World::life(&self.0, ScriptedModel::in_order(Vec::new()), tools);
        world.engine.recover().await.unwrap();
        for (n, (tool, ..)) in TOOLS.into_iter().enumerate() {
            let conversation = Self::journal(n);
            let id = CommandId::new(Timestamp(1), n as u128 + 1);
            let sent = world
                .engine
                .command(world.user, id, act(conversation, tool, pve()));
            sent.await.unwrap();
            let mut watch = world.watch(conversation).await;
            while watch.transcript.turn().is_some() || watch.transcript.rows().is_empty() {
                let ServerFrame::Events { events, .. } = watch.frame().await else {
                    continue;
                };
                for event in events {
                    if let EventBody::ConfirmationRequested {
                        call, confirmation, ..
                    } = event.body
                    {
                        // Decided in a former life, or now.
                        let digest = &confirmation.digest;
                        let decided = world.decide(conversation, call, digest, APPROVE).await;
                        if let Err(error) = decided {
                            assert_eq!(error.code, ErrorCode::AlreadyDecided);
                        }
                    }
                }
            }
        }
    }

    /// Checks the invariants, however often the server was killed. Returns the number of unknown
    /// outcomes.
    fn check(&self) -> usize {
        let mut unknown = 0;
        for (n, (tool, tier, recovery)) in TOOLS.into_iter().enumerate() {
            let events = self.0.journal.events(Self::journal(n));
            let (mut approved, mut started, mut ended) = (0, HashSet::new(), 0);
            for event in &events {
                match &event.body {
                    EventBody::ConfirmationDecided { verdict, .. } => {
                        assert_eq!(*verdict, Verdict::Approved);
                        approved += 1;
                    }
                    EventBody::ToolStarted { call, .. } => {
                        assert_eq!(approved, usize::from(tier == Tier::Red), "{tool}");
                        assert!(started.insert(*call), "{tool} began twice");
                    }
                    EventBody::ToolFinished { outcome, .. } => {
                        ended += 1;
                        unknown +=
                            usize::from(matches!(outcome, ToolOutcome::OutcomeUnknown { .. }));
                    }
                    _ => {}
                }
            }
            assert_eq!((started.len(), ended), (1, 1), "{tool}: {events:?}");
            let effects: usize = self.0.ledger.counts(tool).values().sum();
            let most = if recovery == Recovery::Idempotent {
                2
            } else {
                1
            };
            assert!(effects <= most, "{tool} took effect {effects} times");
            let fold = Transcript::from_events(&events).unwrap();
            let RowContent::Tool(row) = &fold.rows()[0].content else {
                panic!("{:?}", fold.rows());
            };
            assert!(row.state.is_terminal());
            if matches!(row.state, ToolState::Succeeded(_)) {
                assert!(effects >= 1, "{tool}: a success without an effect");
            }
        }
        unknown
    }
}

#[test]
fn a_kill_at_every_write() {
    let calm = Lab::default();
    assert!(calm.live());
    assert_eq!(calm.check(), 0);
    let writes = calm.0.journal.writes();
    assert!(writes > 15, "{writes}");
    let mut unknown = 0;
    for n in 1..=writes {
        for point in [FreezePoint::Before(n), FreezePoint::After(n)] {
            let lab = Lab::default();
            lab.0.journal.freeze_at(point);
            assert!(!lab.live(), "{point:?} kills");
            assert!(lab.live(), "{point:?}: the next life ends the calls");
            unknown += lab.check();
        }
    }
    assert!(unknown > 0, "no kill ever hit a call that acts");
}
