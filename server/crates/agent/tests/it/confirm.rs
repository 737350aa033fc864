//! Calls that act: who is asked, in which order they run, and what becomes of questions.

use std::time::Duration;

use agent::ports::{Reconciled, Recovery, ToolError};
use protocol::{
    BlockedReason, CallId, Command, Confirmation, ConversationId, Decision, ErrorBody, ErrorCode,
    EventBody, GrantTerms, OriginSource, Resolution, Tier, Timestamp, ToolOutcome, ToolOutput,
    TurnOutcome, Verdict,
};
use serde_json::{Value, json};
use testkit::{Hold, Ledger, Script, ScriptedModel, ScriptedTools, TargetState, spec};
use transcript::ToolState;

use crate::world::{Watch, World, gist};

fn tools(ledger: &Ledger) -> ScriptedTools {
    let mut red = spec("red", Tier::Red, Recovery::Unsafe);
    red.editable = vec!["node"];
    ScriptedTools::new()
        .with(spec("green", Tier::Green, Recovery::Pure))
        .with(spec("yellow", Tier::Yellow, Recovery::Unsafe))
        .with(red)
        .with_ledger(ledger)
}

fn world(scripts: Vec<Script>, tools: ScriptedTools) -> World {
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
async fn question(watch: &mut Watch) -> (CallId, Confirmation) {
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
    async fn decide(
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

const APPROVE: Decision = Decision::Approve { grant: None };
const DENY: Decision = Decision::Deny { comment: None };

fn code(result: Result<(), ErrorBody>) -> ErrorCode {
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
    let green = watch.event(|body| matches!(body, EventBody::ToolFinished { .. }));
    tokio::time::timeout(Duration::from_secs(1), green)
        .await
        .ok();
    let ran = |ledger: &Ledger| -> Vec<String> {
        ledger.entries().into_iter().map(|(tool, _)| tool).collect()
    };
    assert_eq!(ran(&ledger), ["green"]);
    // The second is approved first: it waits for the first, and so does the YELLOW one between.
    world
        .decide(conversation, two, &second.digest, APPROVE)
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
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
            let code = match unknown {
                true => ErrorCode::ToolOutcomeUnknown,
                false => ErrorCode::ToolFailed,
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
    let world = world(one_red(), tools(&ledger).with_state(&state));
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
    assert!(changed.changed.is_some());
    assert_ne!(changed.digest, card.digest);
    let old = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(old), ErrorCode::CardChanged);
    // A target that cannot be read any more is not acted on.
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
    world
        .command(edit(&card.digest, json!({ "node": "agent" })))
        .await
        .unwrap();
    let (_, edited) = question(&mut watch).await;
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
async fn a_grant_covers_the_same_call_so_often_and_so_long() {
    let ledger = Ledger::default();
    let call =
        |n: usize, node: &str| Script::new().call(&format!("c{n}"), "red", json!({ "node": node }));
    let scripts = vec![
        call(1, "pve"),
        call(2, "pve"),
        call(3, "agent"),
        call(4, "pve"),
        call(5, "pve"),
        Script::say("Done."),
    ];
    let world = world(scripts, tools(&ledger));
    let conversation = world.start("Restart pve and agent").await;
    let mut watch = world.watch(conversation).await;
    let (first, card) = question(&mut watch).await;
    let until = |ms: i64| Timestamp(1_795_348_800_000 + ms);
    let give = |uses, until| Decision::Approve {
        grant: Some(GrantTerms { uses, until }),
    };
    for bad in [
        give(0, until(1000)),
        give(101, until(1000)),
        give(1, until(0)),
        give(1, until(90_000_000)),
    ] {
        let refused = world.decide(conversation, first, &card.digest, bad).await;
        assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    }
    assert!(ledger.entries().is_empty());
    let two = give(2, until(60_000));
    world
        .decide(conversation, first, &card.digest, two)
        .await
        .unwrap();
    // The second call runs by itself; another target does not.
    let (third, other) = question(&mut watch).await;
    assert_eq!(ledger.entries().len(), 2);
    assert_eq!(other.input, json!({ "node": "agent" }));
    world
        .decide(conversation, third, &other.digest, DENY)
        .await
        .unwrap();
    // The fourth uses it up; the fifth is asked for.
    let (fifth, card) = question(&mut watch).await;
    assert_eq!(ledger.entries().len(), 3);
    world
        .decide(conversation, fifth, &card.digest, DENY)
        .await
        .unwrap();
    watch.turn_end().await;
    let grants = watch.transcript.grants();
    assert_eq!((grants.len(), grants[0].used), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn a_grant_that_was_revoked_or_has_ended_covers_nothing() {
    for revoke in [true, false] {
        let ledger = Ledger::default();
        let scripts = vec![
            Script::new().call("a", "red", json!({})),
            Script::say("Done."),
            Script::new().call("b", "red", json!({})),
            Script::say("Denied."),
        ];
        let world = world(scripts, tools(&ledger));
        let conversation = world.start("Go").await;
        let mut watch = world.watch(conversation).await;
        let (call, card) = question(&mut watch).await;
        let terms = GrantTerms {
            uses: 5,
            until: Timestamp(1_795_348_800_000 + 60_000),
        };
        let approve = Decision::Approve { grant: Some(terms) };
        world
            .decide(conversation, call, &card.digest, approve)
            .await
            .unwrap();
        watch.turn_end().await;
        let grant = watch.transcript.grants()[0].grant.id;
        let take_back = Command::Revoke {
            conversation,
            grant,
        };
        if revoke {
            world.command(take_back.clone()).await.unwrap();
            assert_eq!(
                code(world.command(take_back).await),
                ErrorCode::GrantNotFound
            );
        } else {
            world.env.advance(60_000);
        }
        world.send(conversation, "Again").await.unwrap();
        let (call, card) = question(&mut watch).await;
        world
            .decide(conversation, call, &card.digest, DENY)
            .await
            .unwrap();
        watch.turn_end().await;
        assert_eq!(ledger.entries().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn the_kill_switch_stops_what_has_not_begun() {
    let ledger = Ledger::default();
    let ask = Script::new()
        .call("r", "red", json!({}))
        .call("y", "yellow", json!({}))
        .call("g", "green", json!({}));
    let world = world(vec![ask, Script::say("Sir.")], tools(&ledger));
    let conversation = world.start("Go").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    world
        .command(Command::KillSwitch { on: true })
        .await
        .unwrap();
    assert!(world.engine.kill_switch().await.unwrap().on);
    let refused = world
        .decide(conversation, call, &card.digest, APPROVE)
        .await;
    assert_eq!(code(refused), ErrorCode::DecisionNotAllowed);
    world
        .decide(conversation, call, &card.digest, DENY)
        .await
        .unwrap();
    watch.turn_end().await;
    let ran: Vec<_> = ledger.entries().into_iter().map(|(tool, _)| tool).collect();
    assert_eq!(ran, ["green"]);
    let reasons: Vec<_> = world
        .journal
        .events(conversation)
        .into_iter()
        .filter_map(|event| match event.body {
            EventBody::ToolBlocked { reason, .. } => Some(reason),
            _ => None,
        })
        .collect();
    assert_eq!(reasons, [BlockedReason::KillSwitch]);
    // It outlives the server.
    let next = World::on(
        world.journal.clone(),
        world.env.clone(),
        world.model.clone(),
        tools(&ledger),
        |_| {},
    );
    assert!(next.engine.kill_switch().await.unwrap().on);
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
async fn an_unknown_outcome_is_looked_at_again_or_settled_by_a_person() {
    let done = Reconciled::Done(Ok(ToolOutput {
        summary: "VM 101 is stopped".to_owned(),
        data: json!({}),
    }));
    for (found, resolution) in [
        (done, Resolution::Done),
        (
            Reconciled::NotDone("no task".to_owned()),
            Resolution::NotDone,
        ),
    ] {
        let cut = |_, _| async {
            let code = ErrorCode::ToolOutcomeUnknown;
            Err(ToolError(ErrorBody::new(code, "The line was cut.")))
        };
        let tools = ScriptedTools::new()
            .with_body(spec("cut", Tier::Yellow, Recovery::Reconcilable), cut)
            .with_found("cut", found);
        let scripts = vec![
            Script::new().call("c", "cut", json!({})),
            Script::say("Unknown, sir."),
            Script::say("I see."),
        ];
        let world = world(scripts, tools);
        let (conversation, _) = world.run("Go").await;
        let mut watch = world.watch(conversation).await;
        let finished = watch
            .event(|body| matches!(body, EventBody::ToolFinished { .. }))
            .await;
        let EventBody::ToolFinished { call, .. } = finished.body else {
            unreachable!("it fits");
        };
        let check = Command::CheckOutcome { conversation, call };
        world.command(check.clone()).await.unwrap();
        let event = watch
            .event(|body| matches!(body, EventBody::OutcomeResolved { .. }))
            .await;
        assert!(matches!(
            event.body,
            EventBody::OutcomeResolved { resolution: found, by: None, .. } if found == resolution
        ));
        assert_eq!(code(world.command(check).await), ErrorCode::AlreadyDecided);
        let settle = Command::Resolve {
            conversation,
            call,
            resolution: Resolution::Done,
        };
        assert_eq!(code(world.command(settle).await), ErrorCode::AlreadyDecided);
        world.ask(conversation, "And now?").await;
        let told = world.model.requests()[2]
            .messages
            .last()
            .unwrap()
            .content
            .clone();
        assert!(
            told.iter()
                .any(|block| block.get().contains("outcome was unknown"))
        );
    }
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

#[tokio::test(start_paused = true)]
async fn a_stop_while_something_acts_is_remembered_by_the_next_server() {
    let ledger = Ledger::default();
    let hold = Hold::new();
    let gate = hold.clone();
    let slow = move |_, _| {
        let gate = gate.clone();
        async move {
            gate.pass().await;
            Ok(ToolOutput {
                summary: "done".to_owned(),
                data: json!({}),
            })
        }
    };
    let with_slow =
        tools(&ledger).with_body(spec("slow", Tier::Yellow, Recovery::Idempotent), slow);
    let ask = Script::new()
        .call("s", "slow", json!({}))
        .call("y", "yellow", json!({}));
    let world = world(vec![ask, Script::say("Never.")], with_slow.clone());
    let conversation = world.start("Go").await;
    hold.reached().await;
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    let mut watch = world.watch(conversation).await;
    watch
        .event(|body| matches!(body, EventBody::StopRequested { .. }))
        .await;
    assert!(watch.transcript.turn().is_some_and(|turn| turn.stopping));
    // Another server takes over, as after a crash.
    hold.open();
    let next = World::on(
        world.journal.clone(),
        world.env.clone(),
        world.model.clone(),
        with_slow,
        |_| {},
    );
    next.engine.recover().await.unwrap();
    let mut watch = next.watch(conversation).await;
    assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Stopped));
    assert!(ledger.counts("yellow").is_empty());
    let last = watch
        .transcript
        .rows()
        .iter()
        .rev()
        .find_map(|row| match &row.content {
            transcript::RowContent::Tool(tool) => Some(tool.state.clone()),
            _ => None,
        });
    assert_eq!(last, Some(ToolState::Cancelled));
}
