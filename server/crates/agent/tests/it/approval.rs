//! The approval that a tool is told of: the one that lets its call run, also after a restart.

use std::sync::Arc;

use agent::ports::{Approval, Recovery, ToolError};
use protocol::{
    Command, ConversationId, Decision, ErrorBody, ErrorCode, EventBody, GrantTerms, Role, Tier,
    Timestamp, TurnOutcome,
};
use serde_json::json;
use testkit::{ApprovedBy, Hold, Script, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::{APPROVE, question},
    second::{all, decide, petra},
    world::World,
};

fn tools(noted: &ApprovedBy) -> ScriptedTools {
    ScriptedTools::new()
        .with(spec("green", Tier::Green, Recovery::Pure))
        .with(spec("red", Tier::Red, Recovery::Reconcilable))
        .noting_approvals(noted)
}

fn red(id: &str) -> Script {
    Script::new().call(id, "red", json!({ "node": "pve" }))
}

/// The approvals of one kind of question to the tool.
fn of(noted: &ApprovedBy, what: &str) -> Vec<Option<Approval>> {
    let noted = noted.lock().unwrap();
    let fitting = noted.iter().filter(|(which, _)| *which == what);
    fitting.map(|(_, approval)| approval.clone()).collect()
}

fn decided_at(world: &World, conversation: ConversationId) -> Timestamp {
    let mut events = world.journal.events(conversation).into_iter();
    let decided = events.find(|event| matches!(event.body, EventBody::ConfirmationDecided { .. }));
    decided.unwrap().at
}

#[tokio::test(start_paused = true)]
async fn a_tool_is_told_the_approval_that_lets_its_call_run() {
    let noted = ApprovedBy::default();
    let scripts = vec![
        Script::new().call("a", "green", json!({})),
        red("b"),
        red("c"),
        Script::say("Done."),
    ];
    let world = World::new(ScriptedModel::in_order(scripts), tools(&noted));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let terms = GrantTerms {
        uses: 1,
        until: Timestamp(1_795_348_800_000 + 60_000),
    };
    let approve = Decision::Approve {
        grant: Some(terms),
        word: None,
    };
    let decided = world.decide(conversation, call, &card.digest, approve);
    decided.await.unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let given = Some(Approval {
        digest: card.digest,
        by: vec![world.user.to_string()],
        at: decided_at(&world, conversation),
    });
    let (first, granted) = (given.clone(), given.clone());
    assert_eq!(of(&noted, "call"), [None, first, granted]);
    // A look for the card, one before the call runs, and one for the grant.
    assert_eq!(of(&noted, "preview"), [None, given, None]);
}

#[tokio::test(start_paused = true)]
async fn a_restart_does_not_lose_the_approval() {
    let (noted, hold) = (ApprovedBy::default(), Hold::new());
    let tools = |noted: &ApprovedBy| {
        let red = spec("red", Tier::Red, Recovery::Reconcilable);
        let never = hold.clone();
        let body = move |_, _| {
            let never = never.clone();
            async move {
                never.pass().await;
                Err(ToolError(ErrorBody::new(ErrorCode::Internal, "It ended.")))
            }
        };
        ScriptedTools::new()
            .with_body(red, body)
            .noting_approvals(noted)
    };
    let world = World::new(ScriptedModel::in_order(vec![red("a")]), tools(&noted));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let decided = world.decide(conversation, call, &card.digest, APPROVE);
    decided.await.unwrap();
    hold.reached().await;

    let later = ApprovedBy::default();
    let model = Arc::new(ScriptedModel::by(|_| Script::say("Unknown.")));
    let (journal, env) = (world.journal.clone(), world.env.clone());
    let again = World::on(journal, env, model, tools(&later), |_| {});
    again.engine.recover().await.unwrap();
    let mut watch = again.watch(conversation).await;
    watch.turn_end().await;
    let given = Some(Approval {
        digest: card.digest,
        by: vec![world.user.to_string()],
        at: decided_at(&world, conversation),
    });
    assert_eq!(of(&later, "reconcile"), std::slice::from_ref(&given));
    // The outcome is still unknown, and a person has it looked at again.
    let check = Command::CheckOutcome { conversation, call };
    again.command(check).await.unwrap();
    watch
        .event(|body| matches!(body, EventBody::OutcomeResolved { .. }))
        .await;
    assert_eq!(of(&later, "reconcile"), [given.clone(), given]);
}

#[tokio::test(start_paused = true)]
async fn two_persons_stand_behind_a_call_that_takes_two() {
    let noted = ApprovedBy::default();
    let scripts = vec![red("a"), Script::say("Done.")];
    let world = World::with(ScriptedModel::in_order(scripts), tools(&noted), |config| {
        config.rules = all();
    });
    world.journal.set_role(petra(), Some(Role::Operator));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let approved = decide(&world, petra(), conversation, (call, &card), APPROVE);
    approved.await.unwrap();
    watch.turn_end().await;
    let calls = of(&noted, "call");
    let by = &calls[0].as_ref().unwrap().by;
    assert_eq!(*by, [card.second.unwrap().asker, petra().to_string()]);
}
