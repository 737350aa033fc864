//! Cards whose input has tokens: people see what the tokens stand for, and approve that.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent::ports::{Person, Recovery};
use protocol::{EventBody, Role, Seq, Tier, ToolOutcome, TurnOutcome};
use serde_json::json;
use testkit::{Ledger, ListedValues, Script, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::{APPROVE, question},
    world::{Watch, World, flat},
};

#[tokio::test(start_paused = true)]
async fn a_person_approves_the_value_behind_a_token_and_the_tool_gets_the_token() {
    // The first look finds one value, each later one another.
    let looks = Arc::new(AtomicUsize::new(0));
    let ledger = Ledger::default();
    let tools = ScriptedTools::new()
        .hiding(&ListedValues::new(&[("nightjar", "name-1")]))
        .with(spec("red", Tier::Red, Recovery::Unsafe))
        .with_ledger(&ledger)
        .showing(move |_| match looks.fetch_add(1, Ordering::SeqCst) {
            0 => json!({ "node": "nightjar" }),
            _ => json!({ "node": "magpie" }),
        });
    let scripts = vec![
        Script::new().call("a", "red", json!({ "node": "name-1" })),
        Script::say("Done, sir."),
    ];
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let conversation = world.start("Restart nightjar").await;
    let mut watch = world.watch(conversation).await;
    let (call, first) = question(&mut watch).await;
    assert_eq!(first.input, json!({ "node": "name-1" }));
    assert_eq!(first.shown, Some(json!({ "node": "nightjar" })));
    let approved = world.decide(conversation, call, &first.digest, APPROVE);
    approved.await.unwrap();

    // What was approved is no longer what the token stands for.
    let (_, second) = question(&mut watch).await;
    assert_eq!(second.shown, Some(json!({ "node": "magpie" })));
    assert_ne!(second.digest, first.digest);
    assert!(ledger.entries().is_empty());
    let approved = world.decide(conversation, call, &second.digest, APPROVE);
    approved.await.unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let events = world.journal.events(conversation);
    let result = events.iter().find_map(|event| match &event.body {
        EventBody::ToolFinished {
            outcome: ToolOutcome::Succeeded { output },
            ..
        } => Some(&output.data),
        _ => None,
    });
    assert_eq!(result, Some(&json!({ "node": "name-1" })));
    for request in world.model.requests() {
        for (_, block) in flat(&request) {
            assert!(
                !block.contains("nightjar") && !block.contains("magpie"),
                "{block}"
            );
        }
    }
    assert_eq!(world.engine.hides_values(conversation).await, Ok(true));
}

#[tokio::test(start_paused = true)]
async fn a_sign_in_that_only_reads_gets_the_token() {
    let tools = ScriptedTools::new()
        .hiding(&ListedValues::new(&[("nightjar", "name-1")]))
        .with(spec("red", Tier::Red, Recovery::Unsafe))
        .with_ledger(&Ledger::default())
        .showing(|_| json!({ "node": "nightjar" }));
    let scripts = vec![Script::new().call("a", "red", json!({ "node": "name-1" }))];
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let conversation = world.start("Restart the node").await;
    let reader = Person {
        role: Role::Viewer,
        ..Person::from(world.user)
    };
    let following = world
        .engine
        .subscribe(reader.clone(), conversation, Seq(0))
        .await;
    let mut following = Watch::new(following.unwrap());
    let mut deciding = world.watch(conversation).await;
    let (_, card) = question(&mut deciding).await;
    assert_eq!(card.shown, Some(json!({ "node": "nightjar" })));
    let (_, card) = question(&mut following).await;
    assert_eq!(card.shown, None);
    assert_eq!(card.input, json!({ "node": "name-1" }));
    for (person, sees) in [(reader, false), (Person::from(world.user), true)] {
        let events = world
            .engine
            .events(&person, conversation, Seq(0), Seq(u64::MAX));
        let events = serde_json::to_string(&events.await.unwrap()).unwrap();
        assert_eq!(events.contains("nightjar"), sees, "{events}");
    }
    // The role counts as it is now, not as it was when the card was made.
    world.journal.set_role(world.user, Some(Role::Viewer));
    let mut demoted = world.watch(conversation).await;
    assert_eq!(question(&mut demoted).await.1.shown, None);
}
