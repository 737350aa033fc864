//! The course of turns: stop reasons, limits, stop, queue, retry.

use agent::ports::{ModelErrorKind, Recovery, ToolChoice};
use protocol::{Command, ErrorCode, EventBody, StopReason, Tier, TurnOutcome, Usage};
use serde_json::json;
use testkit::{Act, Hold, Script, ScriptedModel, ScriptedTools, spec};

use crate::world::{World, flat, gist};

fn tools() -> ScriptedTools {
    ScriptedTools::new().with(spec("look", Tier::Green, Recovery::Pure))
}

fn call(id: &str) -> Script {
    Script::new().call(id, "look", json!({}))
}

fn code(outcome: &TurnOutcome) -> Option<ErrorCode> {
    match outcome {
        TurnOutcome::Failed { error } => Some(error.code),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn every_stop_reason_ends_as_it_should() {
    let cut = || call("c").stop(StopReason::MaxTokens);
    let pause = || Script::say("thinking").stop(StopReason::Pause);
    let failed = |code| (None, Some(code));
    let ends = |outcome| (Some(outcome), None);
    let table = [
        (vec![Script::say("Sir.")], ends(TurnOutcome::Answered)),
        (
            vec![call("a"), Script::say("Sir.")],
            ends(TurnOutcome::Answered),
        ),
        (
            vec![Script::say("So far").stop(StopReason::MaxTokens)],
            ends(TurnOutcome::Truncated),
        ),
        (
            vec![cut(), Script::say("Shorter.")],
            ends(TurnOutcome::Answered),
        ),
        (vec![cut(), cut(), cut()], ends(TurnOutcome::Truncated)),
        (
            vec![pause(), pause(), Script::say("Done.")],
            ends(TurnOutcome::Answered),
        ),
        (
            vec![pause(), pause(), pause(), pause(), pause(), pause()],
            failed(ErrorCode::ModelProtocol),
        ),
        (
            vec![Script::say("No").stop(StopReason::Refusal)],
            ends(TurnOutcome::Refused),
        ),
        (
            vec![Script::say("Full").stop(StopReason::ContextWindow)],
            ends(TurnOutcome::Truncated),
        ),
        (
            vec![call("a").stop(StopReason::ContextWindow)],
            failed(ErrorCode::ModelContextOverflow),
        ),
        (
            vec![Script::say("Odd").stop(StopReason::Unknown)],
            ends(TurnOutcome::Answered),
        ),
        // Calls of an answer that does not wait for them do not run.
        (
            vec![call("a").stop(StopReason::Unknown), Script::say("Sir.")],
            ends(TurnOutcome::Answered),
        ),
        (
            vec![Script::new(), Script::say("Sir.")],
            ends(TurnOutcome::Answered),
        ),
        (
            vec![Script::new(), Script::new()],
            failed(ErrorCode::ModelProtocol),
        ),
        (
            vec![Script::say("half").without_end()],
            failed(ErrorCode::ModelProtocol),
        ),
        (
            vec![Script::say("half").act(Act::Panic)],
            failed(ErrorCode::ModelFailed),
        ),
        (
            vec![Script::new().fail(ModelErrorKind::Overloaded, false)],
            failed(ErrorCode::ModelOverloaded),
        ),
    ];
    for (n, (scripts, (outcome, error))) in table.into_iter().enumerate() {
        let asked = scripts.len();
        let world = World::new(ScriptedModel::in_order(scripts), tools());
        let (conversation, got) = world.run("Hello").await;
        assert_eq!(code(&got), error, "row {n}: {got:?}");
        if let Some(outcome) = outcome {
            assert_eq!(got, outcome, "row {n}");
        }
        assert_eq!(world.model.requests().len(), asked, "row {n}");
        let names = world.names(conversation);
        let ends = names.iter().filter(|name| *name == "turn_finished").count();
        assert_eq!(ends, 1, "row {n}: {names:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_last_step_one_more_without_tools() {
    let model = ScriptedModel::in_order(vec![call("a"), call("b"), call("c")]);
    let world = World::with(model, tools(), |config| config.max_steps = 2);
    let (conversation, outcome) = world.run("Hello").await;
    assert_eq!(outcome, TurnOutcome::Truncated);
    let requests = world.model.requests();
    let choices: Vec<_> = requests.iter().map(|request| request.tool_choice).collect();
    assert_eq!(
        choices,
        [ToolChoice::Auto, ToolChoice::Auto, ToolChoice::None]
    );
    assert!(requests.iter().all(|request| request.tools.is_some()));
    let events = world.journal.events(conversation);
    let blocked = events.iter().filter_map(|event| match &event.body {
        EventBody::ToolBlocked { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(
        blocked.collect::<Vec<_>>(),
        [protocol::BlockedReason::StepLimit]
    );
    // A blocked call has its result, so that the conversation can continue.
    assert_eq!(events.len(), world.journal.all_records(conversation).len());
}

#[tokio::test(start_paused = true)]
async fn stop_keeps_what_was_said_and_the_model_learns_of_it() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![
        Script::new()
            .think("hm")
            .text_held("Good even", &hold, "ing, sir."),
        Script::say("As you wish."),
        Script::say("Indeed."),
    ]);
    let world = World::new(model, tools());
    let conversation = world.start("Hello").await;
    let mut watch = world.watch(conversation).await;
    hold.reached().await;
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Stopped));

    // Continuing does not double the text that is there.
    world
        .command(Command::Retry { conversation, turn })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Answered));
    assert_eq!(
        world.ask(conversation, "And now?").await,
        TurnOutcome::Answered
    );
    let go_on = "U: [Your answer above was cut off before its end. Go on from where it stops, \
                 without repeating what is there.]";
    assert_eq!(
        gist(&world.model.requests()[2]),
        [
            "U: Hello",
            "A: Good even",
            go_on,
            "A: As you wish.",
            "U: And now?"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_new_message_after_stop_says_that_it_was_stopped() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![
        Script::new().hold(&hold).text("never"),
        Script::say("Sir."),
    ]);
    let world = World::new(model, tools());
    let conversation = world.start("Hello").await;
    hold.reached().await;
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    world.ask(conversation, "Again").await;
    let request = &world.model.requests()[1];
    // Nothing was said, so the two messages are one.
    assert_eq!(request.messages.len(), 1);
    assert_eq!(gist(request), ["U: Hello", "U: Again"]);
    let text = request.messages[0].content.last().unwrap().get();
    assert!(text.contains("The operator stopped your turn"), "{text}");
    assert_eq!(
        world.names(conversation)[2..5],
        ["step_started", "step_interrupted", "turn_finished"]
    );
}

#[tokio::test(start_paused = true)]
async fn messages_queue_and_can_be_withdrawn() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![
        Script::new().hold(&hold).text("One."),
        Script::say("Two."),
        Script::say("Four."),
    ]);
    let world = World::with(model, tools(), |config| config.queue_limit = 3);
    let conversation = world.start("one").await;
    let mut watch = world.watch(conversation).await;
    hold.reached().await;
    for text in ["two", "three", "four"] {
        world.send(conversation, text).await.unwrap();
    }
    let full = world.send(conversation, "five").await.unwrap_err();
    assert_eq!(full.code, ErrorCode::QueueFull);
    let three = watch
        .event(|body| matches!(body, EventBody::MessageQueued { text, .. } if text == "three"))
        .await;
    let EventBody::MessageQueued { message, .. } = three.body else {
        unreachable!("it fits");
    };
    let withdraw = Command::Withdraw {
        conversation,
        message,
    };
    world.command(withdraw.clone()).await.unwrap();
    let gone = world.command(withdraw).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::MessageNotQueued);
    hold.open();
    for _ in 0..3 {
        assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    }
    assert_eq!(
        gist(&world.model.requests()[2]),
        ["U: one", "A: One.", "U: two", "A: Two.", "U: four"]
    );
}

#[tokio::test(start_paused = true)]
async fn stop_goes_on_with_the_queue_and_failure_holds_it() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![
        Script::new().hold(&hold),
        Script::new()
            .hold(&hold)
            .fail(ModelErrorKind::Overloaded, false),
        Script::say("Two."),
        Script::say("Three."),
    ]);
    let world = World::new(model, tools());
    let conversation = world.start("one").await;
    let mut watch = world.watch(conversation).await;
    hold.reached().await;
    world.send(conversation, "two").await.unwrap();
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Stopped);
    // The queued message is next at once.
    hold.reached_by(2).await;
    world.send(conversation, "three").await.unwrap();
    hold.open();
    let (failed, outcome) = watch.turn_end().await;
    assert_eq!(code(&outcome), Some(ErrorCode::ModelOverloaded));
    // The next would fail as well: it waits for a person, who tries again.
    tokio::time::advance(std::time::Duration::from_secs(5)).await;
    assert_eq!(world.model.requests().len(), 2);
    world
        .command(Command::Retry {
            conversation,
            turn: failed,
        })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await, (failed, TurnOutcome::Answered));
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(
        gist(&world.model.requests()[3]),
        ["U: one", "U: two", "A: Two.", "U: three"]
    );
}

#[tokio::test(start_paused = true)]
async fn retry_goes_on_without_doubling() {
    let fail = |script: Script, partial| script.fail(ModelErrorKind::Timeout, partial);
    let model = ScriptedModel::in_order(vec![
        call("a"),
        fail(Script::say("Half an"), false),
        fail(Script::say("Half an"), true),
        Script::say("answer."),
    ]);
    let world = World::new(model, tools());
    let (conversation, outcome) = world.run("Hello").await;
    assert_eq!(code(&outcome), Some(ErrorCode::ModelTimeout));
    let turn = world.last_turn(conversation);
    let retry = Command::Retry { conversation, turn };
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    world.command(retry.clone()).await.unwrap();
    watch.turn_end().await;
    world.command(retry.clone()).await.unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let refused = world.command(retry).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::TurnNotFound);
    let requests = world.model.requests();
    // An answer that the API does not take back is asked for again; one that it takes back is
    // continued.
    assert_eq!(gist(&requests[2]), ["U: Hello", "A: call a", "U: result a"]);
    assert_eq!(
        gist(&requests[3])[..4],
        ["U: Hello", "A: call a", "U: result a", "A: Half an"]
    );
    let started = world.names(conversation);
    let count = |name| started.iter().filter(|n| *n == name).count();
    assert_eq!((count("turn_started"), count("turn_resumed")), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn what_a_turn_used_is_summed_and_nothing_is_free() {
    let usage = |input, output| Usage {
        input,
        output,
        ..Usage::default()
    };
    let hold = Hold::new();
    let known = agent::ports::ModelEvent::Usage(usage(7, 1));
    let model = ScriptedModel::in_order(vec![
        call("a").usage(usage(100, 10)),
        Script::new().act(Act::Event(known)).hold(&hold),
    ]);
    let world = World::new(model, tools());
    let conversation = world.start("Hello").await;
    let mut watch = world.watch(conversation).await;
    hold.reached().await;
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    let end = watch
        .event(|body| matches!(body, EventBody::TurnFinished { .. }))
        .await;
    let EventBody::TurnFinished {
        usage: sum, cost, ..
    } = end.body
    else {
        unreachable!("it fits");
    };
    assert_eq!(sum, usage(107, 11));
    assert_eq!(cost, Some(protocol::Cost(118)));
    assert_eq!(watch.transcript.usage(), sum);
}

/// A step failed before anything of it was kept: its context was sent, so it is sent again
/// unchanged, whoever continues: the same turn, another server, or the next message.
#[tokio::test(start_paused = true)]
async fn context_that_was_sent_is_sent_again_as_it_was() {
    let looks = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let look = looks.clone();
    let tools = ScriptedTools::new().with_context(move || {
        let n = look.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        async move {
            vec![agent::ports::ContextPart {
                source: "cluster",
                data: Ok(json!({ "look": n })),
            }]
        }
    });
    let fail = || Script::new().fail(ModelErrorKind::Overloaded, false);
    let model = ScriptedModel::in_order(vec![
        fail(),
        Script::say("One."),
        fail(),
        Script::say("Three."),
        fail(),
        Script::say("Later."),
    ]);
    let world = World::new(model, tools);
    let sent = |n: usize| flat(&world.model.requests()[n]);
    let (conversation, _) = world.run("one").await;
    let retry = async || {
        let turn = world.last_turn(conversation);
        let names = world.names(conversation);
        let mut watch = world.watch(conversation).await;
        for _ in names.iter().filter(|name| *name == "turn_finished") {
            watch.turn_end().await;
        }
        world
            .command(Command::Retry { conversation, turn })
            .await
            .unwrap();
        assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    };
    retry().await;
    assert_eq!(sent(1), sent(0));
    // The next message comes after it.
    let failed = Some(ErrorCode::ModelOverloaded);
    assert_eq!(code(&world.ask(conversation, "two").await), failed);
    assert_eq!(code(&world.ask(conversation, "three").await), None);
    let (failed, next) = (sent(2), sent(3));
    assert_eq!(next[..failed.len()], failed);
    assert!(
        next.iter()
            .any(|(_, block)| block.contains("\\\"look\\\":2"))
    );
    // After a while it no longer describes the present: it stays, and another one follows.
    assert_eq!(
        code(&world.ask(conversation, "four").await),
        Some(ErrorCode::ModelOverloaded)
    );
    world.env.advance(60 * 60 * 1000);
    retry().await;
    let (failed, again) = (sent(4), sent(5));
    assert_eq!(again[..failed.len()], failed);
    assert_eq!(again.len(), failed.len() + 1);
}
