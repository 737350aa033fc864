//! An answer that asks for far too much: the cards that a person gets, and the refusals that the
//! model reads.

use protocol::{BlockedReason, Command, EventBody, TurnOutcome};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedModel};

use crate::{
    confirm::{APPROVE, question, tools},
    world::{World, flat},
};

#[tokio::test(start_paused = true)]
async fn two_thousand_red_calls_are_a_few_cards() {
    let ledger = Ledger::default();
    let calls = (0..2_000).fold(Script::new(), |script, n| {
        script.call(&format!("c{n}"), "red", json!({ "node": format!("n{n}") }))
    });
    let model = ScriptedModel::in_order(vec![calls, Script::say("Fewer, sir.")]);
    let world = World::with(model, tools(&ledger), |config| {
        config.max_calls = 30;
        config.max_cards = 10;
    });
    let conversation = world.start("Restart everything").await;
    let mut watch = world.watch(conversation).await;
    let mut cards = Vec::new();
    for _ in 0..10 {
        cards.push(question(&mut watch).await);
    }
    let blocked = || {
        let events = world.journal.events(conversation);
        let messages = events.into_iter().filter_map(|event| match event.body {
            EventBody::ToolBlocked {
                reason: BlockedReason::CallLimit,
                message,
                ..
            } => Some(message),
            _ => None,
        });
        messages.collect::<Vec<_>>()
    };
    let (asked_for_too_much, too_many_cards): (Vec<_>, Vec<_>) = blocked()
        .into_iter()
        .partition(|message| message.starts_with("Not run: one answer may ask for 30 calls"));
    assert_eq!(asked_for_too_much.len(), 1_970);
    assert_eq!(too_many_cards.len(), 20);
    let why = "Not asked: 10 calls of this conversation wait for a person already.";
    assert!(
        too_many_cards
            .iter()
            .all(|message| message.starts_with(why))
    );
    assert!(ledger.entries().is_empty());

    // The first of them are asked for as ever.
    let (call, card) = &cards[0];
    world
        .decide(conversation, *call, &card.digest, APPROVE)
        .await
        .unwrap();
    watch
        .event(|body| matches!(body, EventBody::ToolFinished { .. }))
        .await;
    assert_eq!(ledger.entries().len(), 1);
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Stopped);
    // The model reads why.
    assert_eq!(
        world.ask(conversation, "And now?").await,
        TurnOutcome::Answered
    );
    let request = flat(&world.model.requests()[1]);
    let reads = |text: &str| request.iter().filter(|(_, it)| it.contains(text)).count();
    assert_eq!(reads("one answer may ask for 30 calls at most"), 1_970);
    assert_eq!(reads(why), 20);
}
