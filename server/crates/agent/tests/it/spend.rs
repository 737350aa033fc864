//! Budgets: a turn stops between its steps, everything that was found stays, and no usage is
//! forgotten.

use std::sync::{Arc, Mutex};

use agent::{
    EngineConfig,
    ports::{Journal, Recovery},
};
use protocol::{
    BudgetLimit, Command, ConversationId, Cost, ErrorCode, EventBody, ModelChoice, Tier, Timestamp,
    TurnOutcome, UserId,
};
use serde_json::json;
use testkit::{FixedEnv, FreezePoint, Lasting, Ledger, Script, ScriptedModel, ScriptedTools, spec};

use crate::world::{World, gist};

/// Each answer takes 110 tokens, and a millionth of a dollar for each.
const CALL: u64 = 110;

fn act(n: usize) -> Script {
    Script::new().call(&format!("c{n}"), "act", json!({}))
}

fn tools() -> ScriptedTools {
    ScriptedTools::new().with(spec("act", Tier::Yellow, Recovery::Idempotent))
}

fn answers() -> Vec<Script> {
    vec![act(0), act(1), act(2), Script::say("Done, sir.")]
}

fn of_conversation(tokens: u64) -> impl FnOnce(&mut EngineConfig) {
    move |config| config.budgets.conversation.tokens = Some(tokens)
}

fn limit_of(outcome: &TurnOutcome) -> Option<ErrorCode> {
    match outcome {
        TurnOutcome::Limited { error } => Some(error.code),
        _ => None,
    }
}

fn count(world: &World, conversation: ConversationId, name: &str) -> usize {
    let names = world.names(conversation);
    names.iter().filter(|known| *known == name).count()
}

#[tokio::test(start_paused = true)]
async fn a_turn_stops_between_steps_and_goes_on_when_the_budget_is_raised() {
    let ledger = Ledger::default();
    let tools = tools().with_ledger(&ledger);
    let model = ScriptedModel::by_position(answers());
    let world = World::with(model, tools, of_conversation(2 * CALL));
    let (conversation, outcome) = world.run("Act three times").await;
    let TurnOutcome::Limited { error } = &outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.code, ErrorCode::BudgetReached);
    assert_eq!(
        error.message,
        "The budget of this conversation is used up: 220 tokens of 220 tokens."
    );
    assert!(
        error
            .help
            .as_ref()
            .unwrap()
            .contains("An admin can raise it")
    );
    // Both calls that were asked for have run to their end, and the third was never asked for.
    assert_eq!(world.model.requests().len(), 2);
    assert_eq!(count(&world, conversation, "tool_finished"), 2);

    // Nothing that costs begins, and the reason is the same.
    let before = world.journal.events(conversation).len();
    let sent = world.send(conversation, "And now?").await.unwrap_err();
    assert_eq!(&sent, error);
    let turn = world.last_turn(conversation);
    let retry = || world.command(Command::Retry { conversation, turn });
    assert_eq!(retry().await.unwrap_err(), *error);
    assert_eq!(world.journal.events(conversation).len(), before);

    world.engine.reconfigure(of_conversation(100 * CALL));
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    retry().await.unwrap();
    assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Answered));
    let last = world.model.requests().pop().unwrap();
    assert_eq!(
        gist(&last),
        [
            "U: Act three times",
            "A: call c0",
            "U: result c0",
            "A: call c1",
            "U: result c1",
            "A: call c2",
            "U: result c2",
        ]
    );
    assert_eq!(count(&world, conversation, "tool_finished"), 3);
}

#[tokio::test(start_paused = true)]
async fn most_of_a_budget_is_told_once() {
    let answers = (0..6).map(act).chain([Script::say("Done.")]).collect();
    let world = World::with(ScriptedModel::by_position(answers), tools(), |config| {
        config.budgets.conversation.cost = Some(Cost(5 * CALL + 50));
    });
    let (conversation, outcome) = world.run("Act").await;
    assert_eq!(limit_of(&outcome), Some(ErrorCode::BudgetReached));
    assert_eq!(
        world.model.requests().len(),
        6,
        "the last one went beyond it"
    );
    let events = world.journal.events(conversation);
    let told: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::BudgetNear { message, .. } => Some(message.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        ["91 % of the budget of this conversation is used: $0.0005 of $0.0006."]
    );
}

#[tokio::test(start_paused = true)]
async fn a_day_is_all_conversations_of_a_person_until_midnight() {
    let model = ScriptedModel::by(|_| Script::say("Sir."));
    let env = Arc::new(FixedEnv::default());
    let world = World::on(
        Arc::default(),
        env.clone(),
        Arc::new(model),
        tools(),
        |config| {
            config.budgets.day = BudgetLimit {
                cost: None,
                tokens: Some(3 * CALL),
            };
        },
    );
    for _ in 0..3 {
        let (_, outcome) = world.run("Hello").await;
        assert_eq!(outcome, TurnOutcome::Answered);
    }
    let start = |user| {
        let command = Command::start(world.conversation_id(), "Hello");
        world.engine.command(user, world.command_id(), command)
    };
    let refused = start(world.user).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::BudgetReached);
    assert!(refused.help.unwrap().contains("midnight (UTC)"));
    assert_eq!(world.model.requests().len(), 3);
    // It is nobody else's, and it ends with the day.
    start(UserId::new(Timestamp(0), 2)).await.unwrap();
    env.advance(24 * 60 * 60 * 1000);
    start(world.user).await.unwrap();
}

#[test]
fn whoever_is_killed_wherever_spends_no_more_than_one_call_beyond_the_budget() {
    for write in 1.. {
        let lasting = Lasting::default();
        lasting.journal.freeze_at(FreezePoint::After(write));
        let asked = Arc::new(Mutex::new(0));
        let mut conversation = None;
        let mut killed = false;
        for life in 0..2 {
            let counted = asked.clone();
            let scripts = answers();
            let model = ScriptedModel::by(move |request| {
                *counted.lock().unwrap() += 1;
                let said = gist(request)
                    .iter()
                    .filter(|line| line.starts_with("A:"))
                    .count();
                scripts[said].clone()
            });
            let done = lasting.live(async {
                let world = World::life(&lasting, model, tools());
                world.engine.reconfigure(of_conversation(2 * CALL));
                if life == 0 {
                    let id = world.conversation_id();
                    conversation = Some(id);
                    let start = Command::start(id, "Act");
                    world.command(start).await.unwrap();
                } else {
                    world.engine.recover().await.unwrap();
                }
                let mut watch = world.watch(conversation.unwrap()).await;
                let (_, outcome) = watch.turn_end().await;
                assert_eq!(limit_of(&outcome), Some(ErrorCode::BudgetReached));
            });
            killed |= !done;
            if done {
                break;
            }
        }
        let events = lasting.journal.events(conversation.unwrap());
        let answers = events
            .iter()
            .filter(|event| matches!(event.body, EventBody::AssistantMessage { .. }));
        assert_eq!(answers.count(), 2, "killed after write {write}");
        // A call whose answer was never written is asked for again.
        assert!(*asked.lock().unwrap() <= 3, "killed after write {write}");
        let ran = events
            .iter()
            .filter(|event| matches!(event.body, EventBody::ToolFinished { .. }));
        assert_eq!(ran.count(), 2, "killed after write {write}");
        if !killed {
            break;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_last_step_a_person_lets_it_go_on() {
    let model = ScriptedModel::in_order(vec![
        act(0),
        Script::say("So far."),
        act(1),
        Script::say("All of it."),
    ]);
    let world = World::with(model, tools(), |config| config.max_steps = 1);
    let (conversation, outcome) = world.run("Act").await;
    assert_eq!(limit_of(&outcome), Some(ErrorCode::StepLimit));
    let turn = world.last_turn(conversation);
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    world
        .command(Command::Retry { conversation, turn })
        .await
        .unwrap();
    let (_, outcome) = watch.turn_end().await;
    assert_eq!(
        limit_of(&outcome),
        Some(ErrorCode::StepLimit),
        "another step is another limit"
    );
    let last = world.model.requests().pop().unwrap();
    let lines = gist(&last);
    assert_eq!(
        lines.iter().filter(|line| line.contains("So far.")).count(),
        1,
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("asks you to go on")),
        "{lines:?}"
    );
}

/// The other conversation used what a branch copies, once, and its choice comes along.
#[tokio::test(start_paused = true)]
async fn a_branch_has_a_budget_of_its_own() {
    let model = ScriptedModel::in_order((0..6).map(|_| Script::say("Sir.")).collect());
    let world = World::with(model, tools(), of_conversation(2 * CALL));
    let (conversation, _) = world.run("Hello").await;
    let choice = ModelChoice {
        model: "other".to_owned(),
        effort: None,
    };
    let choose = Command::Choose {
        conversation,
        choice: choice.clone(),
    };
    world.command(choose).await.unwrap();
    world.send(conversation, "Once more").await.unwrap();
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    watch.turn_end().await;
    let said = crate::branches::messages(&world, conversation);
    let steer = |conversation| {
        world.command(Command::Steer {
            conversation,
            text: "And now?".to_owned(),
            references: Vec::new(),
        })
    };
    let reached = Some(ErrorCode::BudgetReached);
    assert_eq!(steer(conversation).await.err().map(|it| it.code), reached);

    let branch = world
        .branch(conversation, said[1], None, &[])
        .await
        .unwrap();
    assert_eq!(world.model.requests().last().unwrap().model, choice.model);
    assert_eq!(
        world.journal.conversation(branch).await.unwrap().model,
        "other"
    );
    // One call of two is used.
    steer(branch).await.unwrap();
    let mut watch = world.watch(branch).await;
    for _ in 0..3 {
        watch.turn_end().await;
    }
    assert_eq!(steer(branch).await.err().map(|it| it.code), reached);
    let earlier = world
        .branch(conversation, said[0], None, &[])
        .await
        .unwrap();
    assert_ne!(world.model.requests().last().unwrap().model, choice.model);
    assert_eq!(count(&world, earlier, "model_chosen"), 0);

    // Five answers today, not one more for each copy.
    world.engine.reconfigure(|config| {
        config.budgets.conversation.tokens = None;
        config.budgets.day.tokens = Some(6 * CALL);
    });
    world
        .branch(conversation, said[0], None, &[])
        .await
        .unwrap();
    let before = world.model.requests().len();
    let refused = world.branch(conversation, said[0], None, &[]).await;
    assert_eq!(refused.err().map(|it| it.code), reached);
    assert_eq!(world.model.requests().len(), before);
}
