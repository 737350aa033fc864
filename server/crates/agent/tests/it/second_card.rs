//! A card that comes while another on the same thing waits for its decision.

use agent::ports::Recovery;
use protocol::{EventBody, Tier};
use serde_json::json;
use testkit::{Script, ScriptedModel, ScriptedTools, spec};

use crate::world::World;

#[tokio::test(start_paused = true)]
async fn the_second_card_on_a_thing_names_the_first() {
    let calls = Script::new()
        .call("a", "red", json!({ "node": "pve" }))
        .call("b", "black_out", json!({ "node": "pve" }))
        .call("c", "red", json!({ "node": "nas" }));
    let tools = ScriptedTools::new()
        .with(spec("red", Tier::Red, Recovery::Unsafe))
        .with(spec("black_out", Tier::Red, Recovery::Unsafe));
    let scripts = vec![calls, Script::say("Sir.")];
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let conversation = world.start("Restart pve and nas").await;
    let mut watch = world.watch(conversation).await;
    let mut told = Vec::new();
    for _ in 0..3 {
        let event = watch
            .event(|body| matches!(body, EventBody::ConfirmationRequested { .. }))
            .await;
        if let EventBody::ConfirmationRequested { confirmation, .. } = event.body {
            let waits = confirmation
                .risks
                .iter()
                .filter(|it| it.contains("waiting"));
            let waits: Vec<String> = waits.cloned().collect();
            told.push((confirmation.target, waits));
        }
    }
    told.sort();
    let with: Vec<_> = told.iter().filter(|(_, waits)| !waits.is_empty()).collect();
    let [(target, waits)] = &with[..] else {
        panic!("{told:?}");
    };
    assert!(target.contains("pve"), "{told:?}");
    let begins = format!("Another request on {target} is waiting for a decision: Run ");
    assert!(waits[0].starts_with(&begins), "{told:?}");
}
