//! Calls that act: the people who are asked, the order in which the calls run, and the fate of
//! their cards.

use agent::ports::{Recovery, ToolError};
use protocol::{
    BlockedReason, CallId, Command, Confirmation, ConversationId, Decision, ErrorBody, ErrorCode,
    EventBody, OriginSource, Tier, ToolOutcome, TurnOutcome, Verdict,
};
use serde_json::{Value, json};
use testkit::{Ledger, Script, ScriptedModel, ScriptedTools, TargetState, spec};

use crate::world::{Watch, World, gist};

pub(crate) fn tools(ledger: &Ledger) -> ScriptedTools {
    let mut red = spec("red", Tier::Red, Recovery::Unsafe);
    red.editable = vec!["/node".to_owned()];
    ScriptedTools::new()
        .with(spec("green", Tier::Green, Recovery::Pure))
        .with(spec("yellow", Tier::Yellow, Recovery::Unsafe))
        .with(red)
        .with_ledger(ledger)
}

pub(crate) fn world(scripts: Vec<Script>, tools: ScriptedTools) -> World {
    World::new(ScriptedModel::in_order(scripts), tools)
}

/// A call of the RED tool, then an answer.
fn one_red() -> Vec<Script> {
    let ask = Script::new()
        .text("It hangs, sir.")
        .call("r", "red", json!({ "node": "pve" }));
    vec![ask, Script::say("Done, sir.")]
}

/// The next question.
pub(crate) async fn question(watch: &mut Watch) -> (CallId, Confirmation) {
    let event = watch
        .event(|body| matches!(body, EventBody::ConfirmationRequested { .. }))
        .await;
    match event.body {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => (call, *confirmation),
        _ => unreachable!("it fits"),
    }
}

impl World {
    pub(crate) async fn decide(
        &self,
        conversation: ConversationId,
        call: CallId,
        digest: &str,
        decision: Decision,
    ) -> Result<(), ErrorBody> {
        self.command(Command::Decide {
            conversation,
            call,
            digest: digest.to_owned(),
            decision,
        })
        .await
    }
}

pub(crate) const APPROVE: Decision = Decision::Approve {
    grant: None,
    word: None,
};
pub(crate) const DENY: Decision = Decision::Deny { comment: None };

pub(crate) fn code(result: Result<(), ErrorBody>) -> ErrorCode {
    result.unwrap_err().code
}

#[tokio::test(start_paused = true)]
async fn nothing_runs_before_a_person_says_so_and_then_exactly_what_was_shown() {
    let ledger = Ledger::default();
    let world = world(one_red(), tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    assert_eq!(card.sentence, "Run red.");
    assert_eq!(card.input, json!({ "node": "pve" }));
    assert_eq!(card.reason.as_deref(), Some("It hangs, sir."));
    assert_eq!(card.origins[0].source, OriginSource::User);
    assert_eq!(card.revision, 1);
    assert!(ledger.entries().is_empty());

    for (digest, expect) in [
        ("", ErrorCode::CardChanged),
        (&*"0".repeat(64), ErrorCode::CardChanged),
    ] {
        assert_eq!(
            code(world.decide(conversation, call, digest, APPROVE).await),
            expect
        );
    }
    assert!(ledger.entries().is_empty());
    world
        .decide(conversation, call, &card.digest, APPROVE)
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(ledger.counts("red")[&call], 1);
    let again = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(again), ErrorCode::AlreadyDecided);
    assert_eq!(
        world.names(conversation)[4..],
        [
            "confirmation_requested",
            "confirmation_decided",
            "tool_started",
            "tool_finished",
            "step_started",
            "assistant_message",
            "turn_finished"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_denial_goes_to_the_model_with_its_comment() {
    let ledger = Ledger::default();
    let world = world(one_red(), tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let deny = Decision::Deny {
        comment: Some("Not during\u{202e} the backup.".to_owned()),
    };
    world
        .decide(conversation, call, &card.digest, deny)
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert!(ledger.entries().is_empty());
    let last = world.model.requests()[1].messages.last().unwrap().content[0].to_string();
    assert!(
        last.contains("denied") && last.contains("the backup."),
        "{last}"
    );
    assert!(!last.contains('\u{202e}'), "{last}");
    let decided = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert!(decided.unwrap_err().message.contains("denied"));
}

#[tokio::test(start_paused = true)]
async fn reads_run_at_once_and_what_acts_runs_in_call_order() {
    let ledger = Ledger::default();
    let ask = Script::new()
        .call("r1", "red", json!({ "n": 1 }))
        .call("g", "green", json!({ "n": 2 }))
        .call("y", "yellow", json!({ "n": 3 }))
        .call("r2", "red", json!({ "n": 4 }));
    let world = world(vec![ask, Script::say("Done.")], tools(&ledger));
    let conversation = world.start("Do 1, 2, 3 and 4").await;
    let mut watch = world.watch(conversation).await;
    let (one, first) = question(&mut watch).await;
    let (two, second) = question(&mut watch).await;
    // From the beginning: it may have ended before the cards were shown.
    let mut reads = world.watch(conversation).await;
    reads
        .event(|body| matches!(body, EventBody::ToolFinished { .. }))
        .await;
    let ran = |ledger: &Ledger| -> Vec<String> {
        ledger.entries().into_iter().map(|(tool, _)| tool).collect()
    };
    assert_eq!(ran(&ledger), ["green"]);
    // The second is approved first: it waits for the first, and so does the YELLOW one between.
    world
        .decide(conversation, two, &second.digest, APPROVE)
        .await
        .unwrap();
    // The actor answers a second command only when it has done all that follows from the first.
    let again = world.decide(conversation, two, &second.digest, APPROVE);
    assert_eq!(code(again.await), ErrorCode::AlreadyDecided);
    let started = |name: &String| name == "tool_started";
    let names = world.names(conversation);
    assert_eq!(names.into_iter().filter(started).count(), 1);
    assert_eq!(ran(&ledger), ["green"]);
    world
        .decide(conversation, one, &first.digest, APPROVE)
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(ran(&ledger), ["green", "red", "yellow", "red"]);
    let results = gist(&world.model.requests()[1]).split_off(5);
    let expect = ["r1", "g", "y", "r2"].map(|id| format!("U: result {id}"));
    assert_eq!(results, expect, "results go back in call order");
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_nothing_else_acts() {
    for unknown in [false, true] {
        let ledger = Ledger::default();
        let breaks = move |_, _| async move {
            let code = if unknown {
                ErrorCode::ToolOutcomeUnknown
            } else {
                ErrorCode::ToolFailed
            };
            Err(ToolError(ErrorBody::new(code, "The line was cut.")))
        };
        let tools =
            tools(&ledger).with_body(spec("breaks", Tier::Yellow, Recovery::Unsafe), breaks);
        let ask = Script::new()
            .call("b", "breaks", json!({}))
            .call("y", "yellow", json!({}))
            .call("g", "green", json!({}))
            .call("r", "red", json!({}));
        let world = world(vec![ask, Script::say("Sir.")], tools);
        let (conversation, _) = world.run("Go").await;
        let mut skipped = 0;
        for event in world.journal.events(conversation) {
            match event.body {
                EventBody::ToolBlocked { reason, .. } => {
                    assert_eq!(reason, BlockedReason::NotExecuted);
                    skipped += 1;
                }
                EventBody::ToolFinished { outcome, .. } => assert_eq!(
                    matches!(outcome, ToolOutcome::OutcomeUnknown { .. }),
                    unknown && !matches!(outcome, ToolOutcome::Succeeded { .. })
                ),
                _ => {}
            }
        }
        assert_eq!(skipped, 2);
        assert!(ledger.counts("yellow").is_empty() && ledger.counts("red").is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_target_that_has_changed_is_asked_for_again() {
    let ledger = Ledger::default();
    let state = TargetState::default();
    let tools = tools(&ledger).drifting("It is stopped now.");
    let world = world(one_red(), tools.with_state(&state));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    state.set(json!({ "state": "stopped" }));
    world
        .decide(conversation, call, &card.digest, APPROVE)
        .await
        .unwrap();
    let (again, changed) = question(&mut watch).await;
    assert_eq!((again, changed.revision), (call, 2));
    let why = changed.changed.as_deref();
    assert_eq!(why, Some("It is stopped now. Approval is needed again."));
    assert_ne!(changed.digest, card.digest);
    let old = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(old), ErrorCode::CardChanged);
    // A target that can no longer be read is not acted on.
    state.fail("node pve is offline");
    world
        .decide(conversation, call, &changed.digest, APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    assert!(ledger.entries().is_empty());
    let blocked = world.journal.events(conversation).into_iter().any(|event| {
        matches!(
            event.body,
            EventBody::ToolBlocked {
                reason: BlockedReason::NotVerified,
                ..
            }
        )
    });
    assert!(blocked);
}

#[tokio::test(start_paused = true)]
async fn a_question_lapses() {
    let ledger = Ledger::default();
    let world = world(one_red(), tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    world.env.advance(card.expires.0 - 1_795_348_800_000);
    let late = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(late), ErrorCode::AlreadyDecided);
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert!(ledger.entries().is_empty());
    let decided = world
        .journal
        .events(conversation)
        .into_iter()
        .find_map(|event| match event.body {
            EventBody::ConfirmationDecided { verdict, by, .. } => Some((verdict, by)),
            _ => None,
        });
    assert_eq!(decided, Some((Verdict::Expired, None)));
}

#[tokio::test(start_paused = true)]
async fn a_person_may_change_what_the_tool_lets_change() {
    let ledger = Ledger::default();
    let world = world(one_red(), tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let edit = |digest: &str, input: Value| Command::Edit {
        conversation,
        call,
        digest: digest.to_owned(),
        input,
    };
    for (input, why) in [
        (json!({ "node": "pve" }), "nothing changed"),
        (json!({ "node": "pve", "n": 2 }), "not editable"),
        (json!({ "node": 7 }), "does not fit"),
        (json!([]), "no object"),
    ] {
        let refused = world.command(edit(&card.digest, input)).await;
        assert_eq!(code(refused), ErrorCode::DecisionNotAllowed, "{why}");
    }
    let id = world.command_id();
    let send = || {
        let command = edit(&card.digest, json!({ "node": "agent" }));
        world.engine.command(world.user, id, command)
    };
    send().await.unwrap();
    let (_, edited) = question(&mut watch).await;
    // Its answer was lost: the repeat is the same command.
    send().await.unwrap();
    assert_eq!(edited.input, json!({ "node": "agent" }));
    assert_eq!(edited.original, Some(json!({ "node": "pve" })));
    assert_eq!(edited.origins[0].source, OriginSource::Person);
    let old = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(old), ErrorCode::CardChanged);
    world
        .decide(conversation, call, &edited.digest, APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    let ran = world
        .journal
        .events(conversation)
        .into_iter()
        .find_map(|event| match event.body {
            EventBody::ToolStarted { input, .. } => Some(input),
            _ => None,
        });
    assert_eq!(ran, Some(Some(json!({ "node": "agent" }))));
}

#[tokio::test(start_paused = true)]
async fn a_parked_turn_is_stopped_or_gives_way_to_a_message() {
    for withdraw in [false, true] {
        let ledger = Ledger::default();
        let ask = Script::new()
            .call("r", "red", json!({}))
            .call("y", "yellow", json!({}));
        let world = world(vec![ask, Script::say("As you wish.")], tools(&ledger));
        let conversation = world.start("Go").await;
        let mut watch = world.watch(conversation).await;
        let (call, card) = question(&mut watch).await;
        let turn = world.last_turn(conversation);
        if withdraw {
            // A message that waits for the decision is queued.
            world.send(conversation, "Later").await.unwrap();
            let text = "Now".to_owned();
            let now = Command::Send {
                conversation,
                text,
                withdraw: true,
                references: Vec::new(),
            };
            world.command(now.clone()).await.unwrap();
            assert_eq!(code(world.command(now).await), ErrorCode::TurnNotFound);
        } else {
            world
                .command(Command::Stop { conversation, turn })
                .await
                .unwrap();
        }
        assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Stopped));
        let late = world
            .decide(conversation, call, &card.digest, APPROVE)
            .await;
        assert!(late.unwrap_err().message.contains("withdrawn") || withdraw);
        assert!(ledger.entries().is_empty());
        if withdraw {
            assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
            let said = gist(&world.model.requests()[1]);
            assert_eq!(said.last().unwrap(), "U: Now");
        }
    }
}

/// Behind the card that it is about, such a message would be of no use.
#[tokio::test(start_paused = true)]
async fn words_that_take_back_do_not_wait_behind_the_card() {
    let ledger = Ledger::default();
    let ask = Script::new().call("r", "red", json!({}));
    let world = world(vec![ask, Script::say("As you wish.")], tools(&ledger));
    let conversation = world.start("Go").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let turn = world.last_turn(conversation);
    world.send(conversation, "No, cancel that.").await.unwrap();
    assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Stopped));
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let late = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert!(late.is_err());
    assert!(ledger.entries().is_empty());
    let said = gist(&world.model.requests()[1]);
    assert_eq!(said.last().unwrap(), "U: No, cancel that.");
}

#[tokio::test(start_paused = true)]
async fn of_many_who_decide_at_once_one_wins_and_the_others_hear_who() {
    let ledger = Ledger::default();
    let world = world(one_red(), tools(&ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let all = (0..32).map(|n| {
        let decision = if n % 2 == 0 { APPROVE } else { DENY };
        world.decide(conversation, call, &card.digest, decision)
    });
    let results = futures::future::join_all(all).await;
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 31));
    for error in lost.into_iter().map(Result::unwrap_err) {
        assert_eq!(error.code, ErrorCode::AlreadyDecided);
        assert!(error.message.contains(&world.user.to_string()), "{error}");
    }
    watch.turn_end().await;
    assert!(ledger.entries().len() <= 1);
}

#[tokio::test(start_paused = true)]
async fn a_value_that_a_tool_brought_up_makes_yellow_red() {
    let ledger = Ledger::default();
    let scripts = vec![
        Script::new().call("g", "green", json!({ "node": "evilhost" })),
        Script::new()
            .call("y1", "yellow", json!({ "node": "pve" }))
            .call("y2", "yellow", json!({ "node": "evilhost" })),
        Script::say("Sir."),
    ];
    // The read answers with its input: from then on the name is data.
    let world = world(scripts, tools(&ledger));
    let conversation = world.start("Restart it on pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    assert_eq!(
        card.origins[0].source,
        OriginSource::Tool {
            name: "green".to_owned()
        }
    );
    assert!(card.risks[0].contains("evilhost"), "{:?}", card.risks);
    assert_eq!(card.tier, Tier::Red);
    world
        .decide(conversation, call, &card.digest, DENY)
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(ledger.counts("yellow").len(), 1);
}
