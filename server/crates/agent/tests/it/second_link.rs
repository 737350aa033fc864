//! The two-person rule, for a person who asks from a session that began with another user's sign-in
//! link: its maker does not approve, as the question may be the maker's own.

use agent::ports::{Person, SignInWay, Via};
use protocol::{
    CallId, Command, Confirmation, ConversationId, Decision, ErrorCode, EventBody, MessageId, Role,
    Timestamp, UserId,
};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedModel};

use crate::{
    confirm::{APPROVE, code, question, tools},
    second::{all, decide, petra, red, restarted},
    world::{Watch, World},
};

const WAIT: &str = "Wait for the second person.";

fn vera() -> UserId {
    UserId::new(Timestamp(0), 3)
}

/// The world's user, in a session that began with a link of Petra.
fn by_link(world: &World) -> Person {
    Person {
        via: Via::Session {
            id: "s".into(),
            way: SignInWay::Link { by: Some(petra()) },
        },
        ..world.user.into()
    }
}

/// A world that wants two persons, where each turn asks for the same call.
fn world(ledger: &Ledger) -> World {
    let scripts = (0..6).flat_map(|n| [red(&format!("r{n}")), Script::say(WAIT)]);
    let model = ScriptedModel::in_order(scripts.collect::<Vec<_>>());
    let world = World::with(model, tools(ledger), |config| config.rules = all());
    for who in [petra(), vera()] {
        world.journal.set_role(who, Some(Role::Operator));
    }
    world
}

fn start(conversation: ConversationId) -> Command {
    Command::start(conversation, "Restart pve")
}

async fn do_by_link(world: &World, command: Command) {
    let id = world.command_id();
    let done = world.engine.command(by_link(world), id, command).await;
    done.unwrap();
}

/// Petra may not approve, and Vera may.
async fn only_vera(
    world: &World,
    conversation: ConversationId,
    watch: &mut Watch,
    (call, card): (CallId, &Confirmation),
    what: &str,
) {
    let refused = decide(world, petra(), conversation, (call, card), APPROVE).await;
    let refused = refused.expect_err(what);
    assert_eq!(refused.code, ErrorCode::DecisionNotAllowed, "{what}");
    assert!(refused.message.contains("who asked"), "{what}: {refused:?}");
    decide(world, vera(), conversation, (call, card), APPROVE)
        .await
        .expect(what);
    watch.turn_end().await;
}

#[tokio::test(start_paused = true)]
async fn the_maker_of_the_askers_link_is_no_second_person_however_it_was_asked() {
    let send = |conversation, withdraw| Command::Send {
        conversation,
        text: "Again".to_owned(),
        withdraw,
        references: Vec::new(),
    };
    for what in [
        "start", "act", "send", "instead", "steer", "edit", "deny", "retry", "branch",
    ] {
        let ledger = Ledger::default();
        let world = world(&ledger);
        let conversation = world.conversation_id();
        match what {
            "start" => do_by_link(&world, start(conversation)).await,
            "act" => {
                let act = Command::Act {
                    conversation,
                    tool: "red".to_owned(),
                    input: json!({ "node": "pve" }),
                };
                do_by_link(&world, act).await;
            }
            // From the user's own session.
            _ => world.command(start(conversation)).await.unwrap(),
        }
        let mut watch = world.watch(conversation).await;
        let (mut call, mut card) = question(&mut watch).await;
        let mut place = conversation;
        match what {
            "start" | "act" => {}
            "instead" => {
                do_by_link(&world, send(conversation, true)).await;
                // The turn that waited, and the one in its place.
                watch.turn_end().await;
                watch.turn_end().await;
                world.send(conversation, "Again").await.unwrap();
                (call, card) = question(&mut watch).await;
            }
            "edit" => {
                let edit = Command::Edit {
                    conversation,
                    call,
                    digest: card.digest.clone(),
                    input: json!({ "node": "agent" }),
                };
                do_by_link(&world, edit).await;
                (call, card) = question(&mut watch).await;
            }
            "deny" => {
                let deny = Command::Decide {
                    conversation,
                    call,
                    digest: card.digest.clone(),
                    decision: Decision::Deny {
                        comment: Some("Again, but now.".to_owned()),
                    },
                };
                do_by_link(&world, deny).await;
                watch.turn_end().await;
                world.send(conversation, "Again").await.unwrap();
                (call, card) = question(&mut watch).await;
            }
            "retry" => {
                let turn = world.last_turn(conversation);
                let stop = Command::Stop { conversation, turn };
                world.command(stop).await.unwrap();
                watch.turn_end().await;
                do_by_link(&world, Command::Retry { conversation, turn }).await;
                watch.turn_end().await;
                world.send(conversation, "Again").await.unwrap();
                (call, card) = question(&mut watch).await;
            }
            _ => {
                if what == "send" {
                    do_by_link(&world, send(conversation, false)).await;
                }
                if what == "steer" {
                    let steer = Command::Steer {
                        conversation,
                        text: "Now.".to_owned(),
                        references: Vec::new(),
                    };
                    do_by_link(&world, steer).await;
                }
                let decided = decide(&world, vera(), conversation, (call, &card), APPROVE);
                decided.await.unwrap();
                watch.turn_end().await;
                if what == "branch" {
                    place = world.conversation_id();
                    let first = first_message(&world, conversation);
                    let branch = Command::Branch {
                        conversation: place,
                        from: conversation,
                        message: first,
                        text: None,
                        known: vec![call],
                    };
                    do_by_link(&world, branch).await;
                    watch = world.watch(place).await;
                }
                if what == "steer" {
                    world.send(conversation, "Again").await.unwrap();
                }
                (call, card) = question(&mut watch).await;
            }
        }
        only_vera(&world, place, &mut watch, (call, &card), what).await;
        let names = world.names(place);
        let noted = names.iter().filter(|name| *name == "asked_by_link");
        assert_eq!(noted.count(), 1, "{what}: {names:?}");
    }
}

fn first_message(world: &World, conversation: ConversationId) -> MessageId {
    let events = world.journal.events(conversation);
    let first = events.iter().find_map(|event| match event.body {
        EventBody::TurnStarted { message, .. } => Some(message),
        _ => None,
    });
    first.unwrap()
}

#[tokio::test(start_paused = true)]
async fn what_was_asked_by_a_link_stays_so_over_a_restart_and_later_sign_ins() {
    let ledger = Ledger::default();
    let world = world(&ledger);
    let conversation = world.conversation_id();
    do_by_link(&world, start(conversation)).await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    drop(watch);
    let next = restarted(world, &ledger).await;
    let refused = decide(&next, petra(), conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    assert!(ledger.entries().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_link_of_ones_own_or_of_the_server_says_nothing() {
    let ledger = Ledger::default();
    let world = world(&ledger);
    for by in [None, Some(world.user)] {
        let conversation = world.conversation_id();
        let person = Person {
            via: Via::Session {
                id: "s".into(),
                way: SignInWay::Link { by },
            },
            ..world.user.into()
        };
        let id = world.command_id();
        let started = world.engine.command(person, id, start(conversation)).await;
        started.unwrap();
        let mut watch = world.watch(conversation).await;
        let (call, card) = question(&mut watch).await;
        let approved = decide(&world, petra(), conversation, (call, &card), APPROVE).await;
        approved.unwrap();
        watch.turn_end().await;
        assert!(
            !world
                .names(conversation)
                .contains(&"asked_by_link".to_owned())
        );
    }
}
