//! The two-person rule: the person who asked does not approve alone, whichever way they try.

use agent::{
    GrantRules, Policy, SecondRules, SecondScope,
    ports::{Journal, Person, SignInWay, Via},
};
use protocol::{
    CallId, Command, Confirmation, ConversationId, Decision, ErrorBody, ErrorCode, EventBody,
    GrantTerms, Role, ServerFrame, Timestamp, TurnOutcome, UserId,
};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedModel};

use crate::{
    confirm::{APPROVE, DENY, code, question, tools},
    world::{Watch, World},
};

pub(crate) fn petra() -> UserId {
    UserId::new(Timestamp(0), 2)
}

pub(crate) fn all() -> Policy {
    scope(SecondScope::All)
}

fn scope(scope: SecondScope) -> Policy {
    Policy {
        second: SecondRules {
            scope,
            ..SecondRules::default()
        },
        ..Policy::default()
    }
}

pub(crate) fn red(id: &str) -> Script {
    Script::new()
        .text("It hangs, sir.")
        .call(id, "red", json!({ "node": "pve" }))
}

/// A world whose policy wants two persons, with an open card.
async fn asked(
    policy: Policy,
    ledger: &Ledger,
) -> (World, ConversationId, Watch, CallId, Confirmation) {
    let scripts = vec![
        red("a"),
        Script::say("Done."),
        red("b"),
        Script::say("Sir."),
    ];
    let world = World::with(ScriptedModel::in_order(scripts), tools(ledger), |config| {
        config.rules = policy;
    });
    world.journal.set_role(petra(), Some(Role::Operator));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    (world, conversation, watch, call, card)
}

pub(crate) async fn decide(
    world: &World,
    who: impl Into<Person>,
    conversation: ConversationId,
    (call, card): (CallId, &Confirmation),
    decision: Decision,
) -> Result<(), ErrorBody> {
    let decide = Command::Decide {
        conversation,
        call,
        digest: card.digest.clone(),
        decision,
    };
    let id = world.command_id();
    world.engine.command(who, id, decide).await
}

fn grant() -> Decision {
    Decision::Approve {
        grant: Some(GrantTerms {
            uses: 5,
            until: Timestamp(1_795_348_800_000 + 60_000),
        }),
        word: None,
    }
}

#[tokio::test(start_paused = true)]
async fn who_asked_waits_for_another() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, call, card) = asked(all(), &ledger).await;
    let second = card.second.clone().unwrap();
    assert_eq!(second.asker, world.user.to_string());
    assert!(!card.grantable);
    let refused = decide(&world, world.user, conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    // A token of the same user is the same person.
    let token = Person {
        role: Role::Operator,
        name: "Another name".to_owned(),
        ..world.user.into()
    };
    let refused = decide(&world, token, conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    // No grant comes along, whoever gives it.
    for who in [world.user, petra()] {
        let refused = decide(&world, who, conversation, (call, &card), grant()).await;
        assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    }
    assert!(ledger.entries().is_empty());

    let id = world.command_id();
    let approve = Command::Decide {
        conversation,
        call,
        digest: card.digest.clone(),
        decision: APPROVE,
    };
    let approved = world.engine.command(petra(), id, approve.clone()).await;
    approved.unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(ledger.counts("red")[&call], 1);
    // The same command again is the same command; another is too late, and is told who was first.
    world.engine.command(petra(), id, approve).await.unwrap();
    for who in [petra(), world.user] {
        let late = decide(&world, who, conversation, (call, &card), APPROVE).await;
        let late = late.unwrap_err();
        assert_eq!(late.code, ErrorCode::AlreadyDecided);
        assert!(late.message.contains(&petra().to_string()), "{late:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_asker_under_another_account_is_no_second_person() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, call, card) = asked(all(), &ledger).await;
    let by_link = |by| Person {
        via: Via::Session {
            id: "s".into(),
            way: SignInWay::Link { by },
        },
        ..petra().into()
    };
    // The session began with a link that the asker made.
    let mine = by_link(Some(world.user));
    let refused = decide(&world, mine.clone(), conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    // The account was made for the asker a short while ago, however it signed in.
    world.journal.set_close(world.user, petra());
    for who in [by_link(None), petra().into()] {
        let refused = decide(&world, who, conversation, (call, &card), APPROVE).await;
        assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    }
    assert!(ledger.entries().is_empty());
    // Such a person may still say no.
    let denied = decide(&world, mine, conversation, (call, &card), DENY).await;
    denied.unwrap();
    watch.turn_end().await;
    assert!(ledger.entries().is_empty());
}

#[tokio::test(start_paused = true)]
async fn both_may_deny() {
    for by_asker in [true, false] {
        let ledger = Ledger::default();
        let (world, conversation, mut watch, call, card) = asked(all(), &ledger).await;
        let who = if by_asker { world.user } else { petra() };
        let denied = decide(&world, who, conversation, (call, &card), DENY).await;
        denied.unwrap();
        watch.turn_end().await;
        assert!(ledger.entries().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn others_see_and_touch_nothing_else() {
    let ledger = Ledger::default();
    // Without the rule nobody else may decide, nor learn that there is a card.
    let (world, conversation, _watch, call, card) = asked(Policy::default(), &ledger).await;
    for decision in [APPROVE, DENY] {
        let refused = decide(&world, petra(), conversation, (call, &card), decision).await;
        assert_eq!(code(refused), ErrorCode::ConversationNotFound);
    }
    assert!(world.engine.second_calls(petra()).await.unwrap().is_empty());

    let (world, conversation, _watch, call, card) = asked(all(), &ledger).await;
    let seen = world.engine.second_calls(petra()).await.unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].conversation, seen[0].call), (conversation, call));
    assert_eq!((&*seen[0].tool, &seen[0].confirmation), ("red", &card));
    assert!(
        world
            .engine
            .second_calls(world.user)
            .await
            .unwrap()
            .is_empty()
    );
    let limited = Person {
        role: Role::Viewer,
        ..petra().into()
    };
    let of_limited = world.engine.second_calls(limited.clone()).await;
    assert!(of_limited.unwrap().is_empty());
    // No program is a second person, whatever its right.
    let program = Person {
        via: Via::Token {
            id: "tok_1".into(),
            decides: true,
        },
        ..petra().into()
    };
    assert!(world.engine.second_calls(program).await.unwrap().is_empty());
    let refused = decide(&world, limited, conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::RoleNotEnough);
    // An edit of the second person would be a call that nobody else looked at.
    let edit = Command::Edit {
        conversation,
        call,
        digest: card.digest.clone(),
        input: json!({ "node": "agent" }),
    };
    let id = world.command_id();
    let refused = world.engine.command(petra(), id, edit).await;
    assert_eq!(code(refused), ErrorCode::ConversationNotFound);
    let subscribed = world
        .engine
        .subscribe(petra(), conversation, protocol::Seq(0));
    assert!(subscribed.await.is_err());
    world.journal.set_role(petra(), Some(Role::Viewer));
    assert!(world.engine.second_calls(petra()).await.unwrap().is_empty());
    let refused = decide(&world, petra(), conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::RoleNotEnough);
    assert!(ledger.entries().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_edit_by_who_asked_is_asked_of_the_other_again() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, call, card) = asked(all(), &ledger).await;
    let edit = Command::Edit {
        conversation,
        call,
        digest: card.digest.clone(),
        input: json!({ "node": "agent" }),
    };
    world.command(edit).await.unwrap();
    let (_, edited) = question(&mut watch).await;
    assert!(edited.second.is_some());
    let refused = decide(&world, petra(), conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::CardChanged);
    let refused = decide(&world, world.user, conversation, (call, &edited), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    let approved = decide(&world, petra(), conversation, (call, &edited), APPROVE).await;
    approved.unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.counts("red")[&call], 1);
}

#[tokio::test(start_paused = true)]
async fn a_grant_is_no_way_around() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, call, card) = asked(Policy::default(), &ledger).await;
    let granted = decide(&world, world.user, conversation, (call, &card), grant()).await;
    granted.unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.entries().len(), 1);
    // The policy comes into force: the same call needs two persons.
    world.engine.reconfigure(|config| {
        config.rules = all();
        config.policy = "2".to_owned();
    });
    world.send(conversation, "Again").await.unwrap();
    let (call, card) = question(&mut watch).await;
    assert!(card.second.is_some());
    assert_eq!(ledger.entries().len(), 1);
    let refused = decide(&world, world.user, conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    decide(&world, petra(), conversation, (call, &card), APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.entries().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn grants_end_as_the_policy_says() {
    let bounded = |allowed, uses, minutes| Policy {
        grants: GrantRules {
            allowed,
            uses,
            minutes,
        },
        ..Policy::default()
    };
    for (policy, covered) in [
        (bounded(true, 100, 1440), true),
        (bounded(false, 100, 1440), false),
        (bounded(true, 0, 1440), false),
        (bounded(true, 100, 0), false),
    ] {
        let ledger = Ledger::default();
        let (world, conversation, mut watch, call, card) = asked(Policy::default(), &ledger).await;
        let granted = decide(&world, world.user, conversation, (call, &card), grant()).await;
        granted.unwrap();
        watch.turn_end().await;
        world
            .engine
            .reconfigure(|config| config.rules = policy.clone());
        world.send(conversation, "Again").await.unwrap();
        if covered {
            watch.turn_end().await;
        } else {
            question(&mut watch).await;
        }
        assert_eq!(
            ledger.entries().len(),
            1 + usize::from(covered),
            "{policy:?}"
        );
    }
    // And none is given beyond the bounds.
    let ledger = Ledger::default();
    let (world, conversation, _watch, call, card) = asked(bounded(true, 4, 1440), &ledger).await;
    assert_eq!(card.grant_limit.map(|limit| limit.uses), Some(4));
    let refused = decide(&world, world.user, conversation, (call, &card), grant()).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    let (world, conversation, _watch, call, card) = asked(bounded(false, 9, 9), &ledger).await;
    assert!(!card.grantable);
    let refused = decide(&world, world.user, conversation, (call, &card), grant()).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
}

#[tokio::test(start_paused = true)]
async fn a_policy_counts_for_cards_that_are_open() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, call, card) = asked(Policy::default(), &ledger).await;
    assert!(card.second.is_none());
    world.engine.reconfigure(|config| {
        config.rules = scope(SecondScope::Irreversible);
        config.policy = "2".to_owned();
    });
    // Nobody can find out about a call of this tool's class: it cannot be undone.
    let refused = decide(&world, world.user, conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    // Another change that asks for less: the approval is bound to the policy that asked.
    world.engine.reconfigure(|config| {
        config.rules = Policy::default();
        config.policy = "3".to_owned();
    });
    decide(&world, world.user, conversation, (call, &card), APPROVE)
        .await
        .unwrap();
    let (_, again) = question(&mut watch).await;
    assert_eq!(again.revision, 2);
    assert!(again.changed.is_some());
    assert!(ledger.entries().is_empty());
    decide(&world, world.user, conversation, (call, &again), APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.entries().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_was_raised_is_asked_for() {
    let ledger = Ledger::default();
    let scripts = vec![
        Script::new()
            .call("g", "green", json!({ "node": "pve" }))
            .call("y", "yellow", json!({})),
        Script::say("Done."),
    ];
    let world = World::with(ScriptedModel::in_order(scripts), tools(&ledger), |config| {
        config.rules.tiers = [
            ("green".to_owned(), protocol::Tier::Red),
            ("yellow".to_owned(), protocol::Tier::Black),
        ]
        .into();
    });
    let conversation = world.start("Look at pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    assert_eq!(card.sentence, "Run green.");
    world
        .decide(conversation, call, &card.digest, APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.entries().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_listens_hears_of_cards_of_others() {
    use futures::StreamExt;
    let ledger = Ledger::default();
    let world = World::with(
        ScriptedModel::in_order(vec![red("a"), Script::say("Done.")]),
        tools(&ledger),
        |config| config.rules = all(),
    );
    let vera = UserId::new(Timestamp(0), 3);
    world.journal.set_role(petra(), Some(Role::Operator));
    world.journal.set_role(vera, Some(Role::Viewer));
    let mut list = world.engine.subscribe_list(petra());
    let mut viewers = world.engine.subscribe_list(vera);
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let mut heard = async || loop {
        let frame = list.next().await.unwrap().unwrap();
        if let ServerFrame::Seconds { calls } = serde_json::from_slice(frame.as_bytes()).unwrap() {
            return calls;
        }
    };
    assert_eq!(heard().await[0].call, call);
    decide(&world, petra(), conversation, (call, &card), APPROVE)
        .await
        .unwrap();
    assert!(heard().await.is_empty());
    watch.turn_end().await;
    let silent = tokio::time::timeout(std::time::Duration::from_secs(5), viewers.next());
    assert!(silent.await.is_err(), "a viewer hears nothing");
}

#[tokio::test(start_paused = true)]
async fn the_journal_itself_refuses_who_asked() {
    let ledger = Ledger::default();
    let (world, conversation, _watch, call, card) = asked(all(), &ledger).await;
    // Past the engine: the write itself is conditional.
    let epoch = world.journal.claim(conversation).await.unwrap();
    let head = world.journal.head(conversation).await.unwrap();
    let turn = world.last_turn(conversation);
    let append = |user: Option<UserId>| agent::ports::Append {
        conversation,
        epoch,
        head,
        at: Timestamp(2),
        records: vec![agent::ports::NewRecord::event(
            EventBody::ConfirmationDecided {
                turn,
                call,
                digest: card.digest.clone(),
                verdict: protocol::Verdict::Approved,
                by: None,
                via: None,
            },
        )],
        command: user.map(|user| (user, world.command_id())),
        durability: agent::ports::Durability::Process,
    };
    for user in [None, Some(world.user)] {
        assert!(world.journal.append(append(user)).await.is_err());
    }
    world.journal.append(append(Some(petra()))).await.unwrap();
}

/// The next life of a server where every call takes two persons.
pub(crate) async fn restarted(world: World, ledger: &Ledger) -> World {
    world.engine.shutdown().await;
    let next = World::on(
        world.journal.clone(),
        world.env.clone(),
        std::sync::Arc::new(ScriptedModel::in_order(vec![Script::say("Done.")])),
        tools(ledger),
        |config| config.rules = all(),
    );
    next.engine.recover().await.unwrap();
    next
}

#[tokio::test(start_paused = true)]
async fn a_restart_keeps_the_card_and_the_rule() {
    let ledger = Ledger::default();
    let (world, conversation, watch, call, card) = asked(all(), &ledger).await;
    drop(watch);
    let next = restarted(world, &ledger).await;
    let seen = next.engine.second_calls(petra()).await.unwrap();
    assert_eq!(seen[0].confirmation, card);
    let refused = decide(&next, next.user, conversation, (call, &card), APPROVE).await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    let mut watch = next.watch(conversation).await;
    // Not one of the former life's ids.
    let id = protocol::CommandId::new(Timestamp(9), 9);
    let approve = Command::Decide {
        conversation,
        call,
        digest: card.digest.clone(),
        decision: APPROVE,
    };
    next.engine.command(petra(), id, approve).await.unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.counts("red")[&call], 1);
}
