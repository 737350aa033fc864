//! The cost of a turn for the journal, counted in writes: each is a transaction.

use agent::ports::Recovery;
use protocol::{Tier, TurnOutcome};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::{APPROVE, question, tools},
    world::World,
};

/// Writes of a turn with these answers of the model, once the conversation has begun.
async fn writes(answers: Vec<Script>, approved: bool) -> usize {
    let mut scripts = vec![Script::say("Good evening, sir.")];
    scripts.extend(answers);
    let tools: ScriptedTools =
        tools(&Ledger::default()).with(spec("look", Tier::Green, Recovery::Pure));
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let conversation = world.start("Hello").await;
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    let before = world.journal.writes();
    world.send(conversation, "See to pve").await.unwrap();
    if approved {
        let (call, card) = question(&mut watch).await;
        let decided = world.decide(conversation, call, &card.digest, APPROVE);
        decided.await.unwrap();
    }
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    world.journal.writes() - before
}

/// Look at a budget that is too small twice before it is raised: each write is felt as latency.
#[tokio::test(start_paused = true)]
async fn writes_of_a_turn() {
    let looks = |count: usize| {
        let script = (0..count).fold(Script::new(), |script, n| {
            script.call(&format!("c{n}"), "look", json!({ "n": n }))
        });
        vec![script, Script::say("All is well, sir.")]
    };
    let long = vec![Script::say(&"word ".repeat(2_000))];
    let red = vec![
        Script::new().call("r", "red", json!({ "node": "pve" })),
        Script::say("Done, sir."),
    ];
    for (what, answers, approved, budget) in [
        ("an answer of 2,000 words", long, false, 4),
        ("a call that reads", looks(1), false, 8),
        ("eight calls that read", looks(8), false, 8),
        ("an approved call", red, true, 10),
    ] {
        let found = writes(answers, approved).await;
        assert!(found <= budget, "{what}: {found} writes, not {budget}");
    }
}
