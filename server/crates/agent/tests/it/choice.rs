//! The choice of model and effort: made by a person, kept in the journal, in force from the next
//! turn on.

use std::sync::Arc;

use agent::ports::ModelErrorKind;
use protocol::{Command, Effort, EventBody, ModelChoice, TurnOutcome};
use testkit::{Hold, Script, ScriptedModel, ScriptedTools};

use crate::world::{World, flat};

fn choice(model: &str, effort: Option<Effort>) -> ModelChoice {
    ModelChoice {
        model: model.to_owned(),
        effort,
    }
}

fn asked(world: &World) -> Vec<(String, Option<Effort>)> {
    let requests = world.model.requests();
    requests
        .into_iter()
        .map(|request| (request.model, request.effort))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_next_turn_and_the_next_server_run_with_it() {
    let hold = Hold::new();
    let held = hold.clone();
    let model = ScriptedModel::by(move |request| match request.messages.len() {
        1 => Script::new()
            .think("hm")
            .text_held("One ", &held, "moment."),
        _ => Script::new().think("hm").text("Sir."),
    });
    let world = World::new(model, ScriptedTools::new());
    let id = world.conversation_id();
    world
        .command(Command::Start {
            conversation: id,
            mode: protocol::Mode::Default,
            text: "Hello".to_owned(),
            from: None,
            plan: None,
            choice: Some(choice("smart", Some(Effort::High))),
            references: Vec::new(),
            packs: None,
        })
        .await
        .unwrap();
    let mut watch = world.watch(id).await;
    hold.reached().await;
    let choose = |model: &str, effort| {
        world.command(Command::Choose {
            conversation: id,
            choice: choice(model, effort),
        })
    };
    // The running turn keeps its own.
    choose("fast", None).await.unwrap();
    choose("fast", None).await.unwrap();
    hold.open();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(world.ask(id, "More").await, TurnOutcome::Answered);
    assert_eq!(
        asked(&world),
        [
            ("smart".to_owned(), Some(Effort::High)),
            ("fast".to_owned(), None)
        ]
    );
    // Another model is not sent this one's thinking.
    let thought = |n: usize| {
        let blocks = flat(&world.model.requests()[n]);
        blocks
            .iter()
            .filter(|(_, block)| block.contains("thinking"))
            .count()
    };
    assert_eq!(thought(1), 0);
    assert_eq!(world.ask(id, "Even more").await, TurnOutcome::Answered);
    assert_eq!(thought(2), 1, "its own thinking it gets back");

    let names = world.names(id);
    let chosen = names.iter().filter(|name| *name == "model_chosen").count();
    assert_eq!(chosen, 2, "the same choice once more is none");
    assert!(matches!(
        &world.journal.events(id)[1].body,
        EventBody::ModelChosen { model, effort: Some(Effort::High), .. } if model == "smart"
    ));

    // A restart keeps it.
    choose("fast", Some(Effort::Low)).await.unwrap();
    let next = World::on(
        world.journal.clone(),
        world.env.clone(),
        Arc::new(ScriptedModel::by(|_| Script::say("Sir."))),
        ScriptedTools::new(),
        |_| {},
    );
    // Its client is another one, with its own ids.
    for _ in 0..100 {
        next.command_id();
    }
    assert_eq!(next.ask(id, "After that").await, TurnOutcome::Answered);
    assert_eq!(asked(&next), [("fast".to_owned(), Some(Effort::Low))]);
}

#[tokio::test(start_paused = true)]
async fn a_turn_whose_model_is_gone_goes_on_with_another() {
    let model = ScriptedModel::by(|request| match request.model.as_str() {
        "gone" => Script::new().fail(ModelErrorKind::NotFound, false),
        _ => Script::say("Sir."),
    });
    let world = World::with(model, ScriptedTools::new(), |config| {
        config.model = "gone".to_owned();
    });
    let (conversation, outcome) = world.run("Hello").await;
    let TurnOutcome::Failed { error } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.code, protocol::ErrorCode::ModelNotFound);
    assert!(error.help.unwrap().contains("Choose another model"));
    let turn = world.last_turn(conversation);
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    let choice = choice("here", None);
    let chosen = Command::Choose {
        conversation,
        choice,
    };
    world.command(chosen).await.unwrap();
    world
        .command(Command::Retry { conversation, turn })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await, (turn, TurnOutcome::Answered));
    let models: Vec<_> = asked(&world).into_iter().map(|(model, _)| model).collect();
    assert_eq!(models, ["gone", "here"]);
}
