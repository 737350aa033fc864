//! The rights of a role: read from the journal again for every decision.

use agent::ports::Person;
use protocol::{
    BlockedReason, Command, ConversationId, Decision, ErrorBody, ErrorCode, EventBody, GrantTerms,
    Role, Timestamp, TurnOutcome,
};
use serde_json::json;
use testkit::{Ledger, Script};

use crate::{
    confirm::{APPROVE, DENY, code, question, tools, world},
    world::World,
};

/// An answer that calls one tool of each tier.
fn one_of_each() -> Script {
    Script::new()
        .call("r", "red", json!({ "node": "pve" }))
        .call("y", "yellow", json!({}))
        .call("g", "green", json!({}))
}

fn blocked(world: &World, conversation: ConversationId) -> Vec<BlockedReason> {
    let events = world.journal.events(conversation).into_iter();
    events
        .filter_map(|event| match event.body {
            EventBody::ToolBlocked { reason, .. } => Some(reason),
            _ => None,
        })
        .collect()
}

fn ran(ledger: &Ledger) -> Vec<String> {
    let entries = ledger.entries().into_iter();
    entries.map(|(tool, _)| tool).collect()
}

/// A command of the world's user, by a sign-in with a lower role.
async fn limited(world: &World, role: Role, command: Command) -> Result<(), ErrorBody> {
    let person = Person {
        role,
        ..world.user.into()
    };
    let id = world.command_id();
    world.engine.command(person, id, command).await
}

#[tokio::test(start_paused = true)]
async fn a_viewers_conversation_only_reads() {
    let ledger = Ledger::default();
    let world = world(vec![one_of_each(), Script::say("Sir.")], tools(&ledger));
    world.journal.set_role(world.user, Some(Role::Viewer));
    let (conversation, outcome) = world.run("Restart pve").await;
    assert_eq!(outcome, TurnOutcome::Answered);
    assert_eq!(ran(&ledger), ["green"]);
    assert_eq!(blocked(&world, conversation), [BlockedReason::Role; 2]);
    let asked = |name: &String| name == "confirmation_requested";
    assert!(!world.names(conversation).iter().any(asked));
}

#[tokio::test(start_paused = true)]
async fn who_was_demoted_decides_nothing_any_more() {
    let ledger = Ledger::default();
    let world = world(vec![one_of_each(), Script::say("Sir.")], tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    for role in [Some(Role::Viewer), Some(Role::Unknown), None] {
        world.journal.set_role(world.user, role);
        for decision in [APPROVE, DENY] {
            let refused = world
                .decide(conversation, call, &card.digest, decision)
                .await;
            assert_eq!(code(refused), ErrorCode::RoleNotEnough, "{role:?}");
        }
        let digest = card.digest.clone();
        let edit = Command::Edit {
            conversation,
            call,
            digest,
            input: json!({ "node": "agent" }),
        };
        assert_eq!(code(world.command(edit).await), ErrorCode::RoleNotEnough);
    }
    world.journal.set_role(world.user, Some(Role::Operator));
    // A sign-in with a lower role than the user.
    let digest = card.digest.clone();
    let decide = Command::Decide {
        conversation,
        call,
        digest,
        decision: APPROVE,
    };
    let refused = limited(&world, Role::Viewer, decide.clone()).await;
    assert_eq!(code(refused), ErrorCode::RoleNotEnough);
    assert_eq!(ran(&ledger), ["green"]);

    let id = world.command_id();
    let decided = world.engine.command(world.user, id, decide.clone());
    decided.await.unwrap();
    watch.turn_end().await;
    assert_eq!(ran(&ledger), ["green", "red", "yellow"]);
    // It was carried out; asking for it again changes nothing.
    world.journal.set_role(world.user, Some(Role::Viewer));
    let again = world.engine.command(world.user, id, decide);
    again.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_grant_ends_with_the_role() {
    let ledger = Ledger::default();
    let call = |id: &str| Script::new().call(id, "red", json!({ "node": "pve" }));
    let scripts = vec![
        call("a"),
        Script::say("Done."),
        call("b").call("y", "yellow", json!({})),
        Script::say("Sir."),
    ];
    let world = world(scripts, tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (first, card) = question(&mut watch).await;
    let terms = GrantTerms {
        uses: 5,
        until: Timestamp(1_795_348_800_000 + 60_000),
    };
    let grant = Decision::Approve {
        grant: Some(terms),
        word: None,
    };
    let decided = world.decide(conversation, first, &card.digest, grant);
    decided.await.unwrap();
    watch.turn_end().await;
    world.journal.set_role(world.user, Some(Role::Viewer));
    world.ask(conversation, "Again").await;
    assert_eq!(ran(&ledger), ["red"]);
    assert_eq!(blocked(&world, conversation), [BlockedReason::Role; 2]);
}

#[tokio::test(start_paused = true)]
async fn the_kill_switch_is_lifted_by_admins() {
    let world = world(Vec::new(), tools(&Ledger::default()));
    for (role, on, allowed) in [
        (None, true, false),
        (Some(Role::Viewer), true, false),
        (Some(Role::Operator), true, true),
        (Some(Role::Viewer), false, false),
        (Some(Role::Operator), false, false),
        (Some(Role::Admin), false, true),
        (Some(Role::Admin), true, true),
    ] {
        world.journal.set_role(world.user, role);
        let before = world.engine.kill_switch().await.unwrap();
        let set = world.command(Command::KillSwitch { on }).await;
        let now = world.engine.kill_switch().await.unwrap();
        match set {
            Ok(()) => assert!(allowed && now.on == on, "{role:?} {on}"),
            Err(error) => {
                assert_eq!(error.code, ErrorCode::RoleNotEnough);
                assert!(!allowed && now == before, "{role:?} {on}");
            }
        }
    }
    let lift = Command::KillSwitch { on: false };
    let refused = limited(&world, Role::Operator, lift).await;
    assert_eq!(code(refused), ErrorCode::RoleNotEnough);
}

#[tokio::test(start_paused = true)]
async fn who_is_disabled_asks_nothing() {
    let world = world(vec![Script::say("Hello.")], tools(&Ledger::default()));
    let (conversation, _) = world.run("Hello").await;
    world.journal.set_role(world.user, None);
    let refused = world.send(conversation, "And now?").await;
    assert_eq!(code(refused), ErrorCode::RoleNotEnough);
}

/// The actions of a turn are judged by the user's role, so a read-only sign-in begins none.
#[tokio::test(start_paused = true)]
async fn a_sign_in_that_only_reads_does_not_speak_for_who_may_act() {
    let world = world(
        vec![Script::say("Hello."), Script::say("Sir.")],
        tools(&Ledger::default()),
    );
    let (conversation, _) = world.run("Hello").await;
    let text = "Restart pve".to_owned();
    let send = Command::Send {
        conversation,
        text,
        withdraw: false,
        references: Vec::new(),
    };
    let retry = Command::Retry {
        conversation,
        turn: world.last_turn(conversation),
    };
    for command in [send.clone(), retry] {
        let refused = limited(&world, Role::Viewer, command).await;
        assert_eq!(code(refused), ErrorCode::RoleNotEnough);
    }
    world.journal.set_role(world.user, Some(Role::Viewer));
    limited(&world, Role::Viewer, send).await.unwrap();
}

/// Words are no way round the right to withdraw.
#[tokio::test(start_paused = true)]
async fn a_sign_in_that_only_reads_takes_no_card_back() {
    let ledger = Ledger::default();
    let scripts = vec![one_of_each(), Script::say("Sir."), Script::say("Sir.")];
    let world = world(scripts, tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    world.journal.set_role(world.user, Some(Role::Viewer));
    let send = Command::Send {
        conversation,
        text: "Cancel that.".to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    limited(&world, Role::Viewer, send).await.unwrap();
    world.journal.set_role(world.user, Some(Role::Operator));
    world
        .decide(conversation, call, &card.digest, APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(ran(&ledger), ["green", "red", "yellow"]);
}
