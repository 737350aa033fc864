//! Scenarios about a field device: a run that was approved happens at most once, and what is reported of it
//! is what the device did.

use std::sync::Arc;

use serde_json::json;

use crate::{
    field_device::{FieldGround, MORE_STEPS, PROPOSAL, STEP},
    ground::Ground,
    scenario::{Act, End, Scenario, approve},
};

/// Each answer to a device is in the server's database first, and a kill may come in between.
const POINTS: &[&str] = &[
    "committed, not heard: confirmation_decided",
    "before the queue: a run",
    "committed, not heard: a queued job",
    "committed, not heard: a claim",
    "committed, not heard: the start of a job",
    "committed, not heard: output of a job",
    "committed, not heard: the end of a job",
];

pub(super) async fn all(ground: &Ground) -> anyhow::Result<Vec<Scenario>> {
    let field = Arc::new(Box::pin(FieldGround::make(ground)).await?);
    let twice = Scenario {
        again: true,
        ..run(&field, "field: a run, killed twice")
    };
    Ok(vec![
        run(&field, "field: a run").short(POINTS),
        twice.short(&["committed, not heard: the start of a job"]),
    ])
}

/// The model asks for the run of a script, and the person approves it.
fn run(field: &Arc<FieldGround>, name: &'static str) -> Scenario {
    let input = json!({ "proposal": PROPOSAL, "version": 1, "device": field.device });
    let act = Act::new("run_script", input, STEP, End::Authorised).with(MORE_STEPS);
    let scenario = super::one_step(name, &["Run the proposed look."], "look", vec![act]);
    let scenario = scenario.person(|card| {
        if card.lapsed {
            Vec::new()
        } else {
            vec![approve()]
        }
    });
    Scenario {
        // Only a conversation about one of them has the tools of the devices.
        about: Some(("proposal", PROPOSAL)),
        field: Some(Arc::clone(field)),
        ..scenario
    }
}
