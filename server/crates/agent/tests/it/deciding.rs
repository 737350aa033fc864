//! Deciders: a person at a page, or a program with its own right that covers a press alone; the
//! typed word, which the server compares; and the sign-in on every record.

use agent::{
    Policy, SecondRules, SecondScope,
    ports::{Journal, Person, SignInWay, ToolError, Via},
};
use protocol::{
    Assurance, CallId, Command, Confirmation, ConversationId, DecidedVia, Decision, ErrorBody,
    ErrorCode, EventBody, GrantTerms, Resolution, Role, TabId, Timestamp, UserId, Verdict,
};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedModel, ScriptedTools};

use crate::{
    confirm::{APPROVE, DENY, code, question, tools, world},
    world::{Watch, World},
};

fn other() -> UserId {
    UserId::new(Timestamp(0), 2)
}

/// A user by a program's token.
fn token(user: UserId, role: Role, decides: bool) -> Person {
    Person {
        name: "Ada".to_owned(),
        role,
        via: Via::Token {
            id: "tok_1".into(),
            decides,
        },
        ..user.into()
    }
}

/// A user by a session that began with a link of another user.
fn session(user: UserId) -> Person {
    Person {
        name: "Ada".to_owned(),
        via: Via::Session {
            id: "0011223344556677".into(),
            way: SignInWay::Link { by: Some(other()) },
        },
        ..user.into()
    }
}

fn by_token() -> Option<DecidedVia> {
    Some(DecidedVia::Token {
        id: "tok_1".to_owned(),
    })
}

fn by_session() -> Option<DecidedVia> {
    Some(DecidedVia::Session {
        id: "0011223344556677".to_owned(),
        began: "link".to_owned(),
        link_by: Some(other()),
    })
}

/// A world with one open RED card.
async fn asked(
    tools: ScriptedTools,
    policy: Policy,
) -> (World, ConversationId, Watch, CallId, Confirmation) {
    let red = |id: &str| Script::new().call(id, "red", json!({ "node": "pve" }));
    let scripts = vec![
        red("a"),
        Script::say("Done."),
        red("b"),
        Script::say("Done."),
    ];
    let world = World::with(ScriptedModel::in_order(scripts), tools, |config| {
        config.rules = policy;
    });
    world.journal.set_role(other(), Some(Role::Operator));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    (world, conversation, watch, call, card)
}

async fn send(world: &World, who: Person, command: Command) -> Result<(), ErrorBody> {
    let id = world.command_id();
    world.engine.command(who, id, command).await
}

async fn decide(
    world: &World,
    who: Person,
    conversation: ConversationId,
    (call, card): (CallId, &Confirmation),
    decision: Decision,
) -> Result<(), ErrorBody> {
    let command = Command::Decide {
        conversation,
        call,
        digest: card.digest.clone(),
        decision,
    };
    send(world, who, command).await
}

fn typed(word: Option<&str>) -> Decision {
    Decision::Approve {
        grant: None,
        word: word.map(str::to_owned),
    }
}

fn edit(conversation: ConversationId, call: CallId, card: &Confirmation) -> Command {
    Command::Edit {
        conversation,
        call,
        digest: card.digest.clone(),
        input: json!({ "node": "agent" }),
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_decides_only_with_the_right_and_only_a_press() {
    let word = Assurance::Type {
        word: "pve".to_owned(),
    };
    let two = Policy {
        second: SecondRules {
            scope: SecondScope::All,
            ..SecondRules::default()
        },
        ..Policy::default()
    };
    for (asks, policy, decides, may) in [
        (Assurance::Press, Policy::default(), true, true),
        (Assurance::Press, Policy::default(), false, false),
        (Assurance::Hold, Policy::default(), true, false),
        (Assurance::Hold, Policy::default(), false, false),
        (word.clone(), Policy::default(), true, false),
        (word, Policy::default(), false, false),
        (Assurance::Press, two.clone(), true, false),
        (Assurance::Press, two, false, false),
    ] {
        let case = format!("{asks:?} {decides} {:?}", policy.second.scope);
        let ledger = Ledger::default();
        let (world, conversation, mut watch, call, card) =
            asked(tools(&ledger).asking(asks), policy).await;
        let whose = match card.second {
            Some(_) => other(),
            None => world.user,
        };
        let program = token(whose, Role::Admin, decides);
        if may {
            let done = decide(&world, program, conversation, (call, &card), APPROVE).await;
            done.unwrap();
            watch.turn_end().await;
            assert_eq!(ledger.counts("red")[&call], 1, "{case}");
            continue;
        }
        let head = world.journal.head(conversation).await.unwrap();
        for decision in [typed(Some("pve")), APPROVE, DENY] {
            let refused = decide(
                &world,
                program.clone(),
                conversation,
                (call, &card),
                decision,
            );
            assert_eq!(code(refused.await), ErrorCode::TokenCannotDecide, "{case}");
        }
        if whose == world.user {
            let refused = send(&world, program, edit(conversation, call, &card)).await;
            assert_eq!(code(refused), ErrorCode::TokenCannotDecide, "{case}");
        }
        // The card waits as before, and a person decides on it.
        assert_eq!(
            world.journal.head(conversation).await.unwrap(),
            head,
            "{case}"
        );
        let word = typed(Some("pve"));
        let done = decide(&world, session(whose), conversation, (call, &card), word).await;
        done.unwrap();
        watch.turn_end().await;
        assert_eq!(ledger.counts("red")[&call], 1, "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_word_is_compared_here_and_a_wrong_one_loses_nothing() {
    let ledger = Ledger::default();
    let tools = tools(&ledger).asking(Assurance::Type {
        word: "pve".to_owned(),
    });
    let (world, conversation, mut watch, call, card) = asked(tools, Policy::default()).await;
    let head = world.journal.head(conversation).await.unwrap();
    for wrong in [None, Some(""), Some("PVE"), Some("pve "), Some("agent")] {
        let refused = world
            .decide(conversation, call, &card.digest, typed(wrong))
            .await
            .unwrap_err();
        assert_eq!(refused.code, ErrorCode::WordNotTyped, "{wrong:?}");
        assert!(refused.help.is_some());
    }
    assert_eq!(world.journal.head(conversation).await.unwrap(), head);
    assert!(ledger.entries().is_empty());
    // A denial needs no word; and the word is bound to the card like every approval.
    let stale = world.decide(conversation, call, "other", typed(Some("pve")));
    assert_eq!(code(stale.await), ErrorCode::CardChanged);
    let approved = world.decide(conversation, call, &card.digest, typed(Some("pve")));
    approved.await.unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.counts("red")[&call], 1);
}

#[tokio::test(start_paused = true)]
async fn every_decision_names_its_sign_in() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, call, card) =
        asked(tools(&ledger), Policy::default()).await;
    let grant = Decision::Approve {
        grant: Some(GrantTerms {
            uses: 5,
            until: Timestamp(1_795_348_800_000 + 60_000),
        }),
        word: None,
    };
    let program = token(world.user, Role::Operator, true);
    let given = decide(&world, program.clone(), conversation, (call, &card), grant).await;
    given.unwrap();
    watch.turn_end().await;
    let grant = world.journal.events(conversation).iter().find_map(|event| {
        let EventBody::GrantGiven { grant, by, via } = &event.body else {
            return None;
        };
        assert_eq!((&**by, via), ("Ada", &by_token()));
        Some(grant.id)
    });
    let revoke = Command::Revoke {
        conversation,
        grant: grant.unwrap(),
    };
    send(&world, session(world.user), revoke).await.unwrap();

    world.send(conversation, "Again").await.unwrap();
    let (call, card) = question(&mut watch).await;
    let denied = decide(
        &world,
        session(world.user),
        conversation,
        (call, &card),
        DENY,
    )
    .await;
    denied.unwrap();
    watch.turn_end().await;
    let mut verdicts = Vec::new();
    for event in world.journal.events(conversation) {
        match event.body {
            EventBody::ConfirmationDecided { verdict, via, .. } => verdicts.push((verdict, via)),
            EventBody::GrantRevoked { via, .. } => assert_eq!(via, by_session()),
            _ => {}
        }
    }
    let denied = Verdict::Denied { comment: None };
    assert_eq!(
        verdicts,
        [(Verdict::Approved, by_token()), (denied, by_session())]
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_withdrawn_or_stopped_names_the_sign_in_too() {
    let ledger = Ledger::default();
    let (world, conversation, mut watch, ..) = asked(tools(&ledger), Policy::default()).await;
    let turn = world.last_turn(conversation);
    let stop = Command::Stop { conversation, turn };
    send(&world, token(world.user, Role::Operator, false), stop)
        .await
        .unwrap();
    let event = watch
        .event(|body| matches!(body, EventBody::ConfirmationDecided { .. }))
        .await;
    let EventBody::ConfirmationDecided {
        verdict, by, via, ..
    } = event.body
    else {
        unreachable!("it fits");
    };
    assert_eq!(
        (verdict, by.as_deref(), via),
        (Verdict::Withdrawn, Some("Ada"), by_token())
    );
}

#[tokio::test(start_paused = true)]
async fn only_a_decider_says_what_became_of_a_call() {
    let lost = agent::ports::Recovery::Unsafe;
    let unknown = ScriptedTools::new().with_body(
        testkit::spec("red", protocol::Tier::Red, lost),
        |_, _| async {
            Err(ToolError(ErrorBody::new(
                ErrorCode::ToolOutcomeUnknown,
                "Lost.",
            )))
        },
    );
    let (world, conversation, mut watch, call, card) = asked(unknown, Policy::default()).await;
    world
        .decide(conversation, call, &card.digest, APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    let resolve = || Command::Resolve {
        conversation,
        call,
        resolution: Resolution::Done,
    };
    let refused = send(&world, token(world.user, Role::Admin, false), resolve()).await;
    assert_eq!(code(refused), ErrorCode::TokenCannotDecide);
    send(&world, token(world.user, Role::Operator, true), resolve())
        .await
        .unwrap();
    let named = |body: &EventBody| matches!(body, EventBody::OutcomeResolved { via, .. } if *via == by_token());
    let events = world.journal.events(conversation);
    assert!(events.iter().any(|event| named(&event.body)));
}

#[tokio::test(start_paused = true)]
async fn a_token_lifts_the_kill_switch_only_with_the_right() {
    let world = world(Vec::new(), tools(&Ledger::default()));
    let set = |on| Command::KillSwitch { on };
    let admin = |decides| token(world.user, Role::Admin, decides);
    send(&world, admin(false), set(true)).await.unwrap();
    let refused = send(&world, admin(false), set(false)).await;
    assert_eq!(code(refused), ErrorCode::TokenCannotDecide);
    assert!(world.engine.kill_switch().await.unwrap().on);
    send(&world, admin(true), set(false)).await.unwrap();
    assert!(!world.engine.kill_switch().await.unwrap().on);
}

/// For any role of its user.
#[tokio::test(start_paused = true)]
async fn a_token_that_only_reads_stops_withdraws_and_answers_nothing() {
    let ledger = Ledger::default();
    let (world, conversation, _watch, call, card) = asked(tools(&ledger), Policy::default()).await;
    let turn = world.last_turn(conversation);
    let tab = TabId::new(Timestamp(0), 1);
    for role in [Role::Viewer, Role::Operator, Role::Admin] {
        world.journal.set_role(world.user, Some(role));
        let head = world.journal.head(conversation).await.unwrap();
        let commands = [
            Command::Stop { conversation, turn },
            Command::Withdraw {
                conversation,
                message: protocol::MessageId::new(Timestamp(0), 1),
            },
            Command::Send {
                conversation,
                text: "Instead".to_owned(),
                withdraw: true,
                references: Vec::new(),
            },
            Command::Decide {
                conversation,
                call,
                digest: card.digest.clone(),
                decision: DENY,
            },
            edit(conversation, call, &card),
            Command::Act {
                conversation: world.conversation_id(),
                tool: "green".to_owned(),
                input: json!({}),
            },
            Command::Performed {
                conversation,
                call,
                tab,
                result: protocol::Performed::Done { note: None },
            },
            Command::TakeOver {
                conversation,
                call,
                tab,
            },
            Command::CheckOutcome { conversation, call },
            Command::KillSwitch { on: true },
            Command::Unknown,
        ];
        for command in commands {
            let named = format!("{command:?} of a {role:?}");
            let reader = token(world.user, Role::Viewer, true);
            let refused = send(&world, reader, command).await;
            assert_eq!(code(refused), ErrorCode::RoleNotEnough, "{named}");
        }
        assert_eq!(world.journal.head(conversation).await.unwrap(), head);
        // Nor does it take calls from the pages that answer them.
        let reader = token(world.user, Role::Viewer, true);
        let stage = world
            .engine
            .subscribe_stage(&reader, "scripted".to_owned(), tab, None, true);
        assert_eq!(stage.err().unwrap().code, ErrorCode::RoleNotEnough);
    }
}
