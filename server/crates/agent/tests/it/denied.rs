//! The meaning of a denial: the same call is asked for again until the person speaks, whatever else
//! allows it.

use std::sync::Arc;

use protocol::{Command, Decision, GrantTerms, Timestamp};
use serde_json::json;
use testkit::{Hold, Ledger, Script, ScriptedModel};

use crate::{
    confirm::{APPROVE, question, tools},
    world::World,
};

fn red(id: &str, node: &str) -> Script {
    Script::new().call(id, "red", json!({ "node": node }))
}

/// The kind of message that was sent before the denial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    Steered,
    Queued,
}

/// A conversation with a grant for a call, in which the same call in another spelling was denied
/// and the server has stopped since: in a step that has read the message sent before.
async fn denied_under_a_grant(
    ledger: &Ledger,
    sent: Option<Sent>,
) -> (World, protocol::ConversationId) {
    let hold = Hold::new();
    let mut scripts = vec![red("a", "pve"), red("b", "pve"), red("c", "PVE")];
    if sent == Some(Sent::Queued) {
        scripts.push(Script::say("Sir?"));
    }
    scripts.push(Script::new().hold(&hold).text("Sir?"));
    let world = World::new(ScriptedModel::in_order(scripts), tools(ledger));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let terms = GrantTerms {
        uses: 9,
        until: Timestamp(1_795_348_800_000 + 60_000),
    };
    let grant = Decision::Approve {
        grant: Some(terms),
        word: None,
    };
    world
        .decide(conversation, call, &card.digest, grant)
        .await
        .unwrap();
    // The second runs under the grant; the third counts as another call.
    let (call, card) = question(&mut watch).await;
    assert_eq!(card.input, json!({ "node": "PVE" }));
    assert_eq!(ledger.entries().len(), 2);
    let text = "Restart pve again".to_owned();
    match sent {
        None => {}
        Some(Sent::Steered) => {
            let steer = Command::Steer {
                conversation,
                text,
                references: Vec::new(),
            };
            world.command(steer).await.unwrap();
        }
        Some(Sent::Queued) => world.send(conversation, &text).await.unwrap(),
    }
    let comment = Some("restart pve later".to_owned());
    let deny = Decision::Deny { comment };
    world
        .decide(conversation, call, &card.digest, deny)
        .await
        .unwrap();
    hold.reached().await;
    world.engine.shutdown().await;
    (world, conversation)
}

/// The next life of the server, in which the model follows these scripts.
fn again(world: &World, ledger: &Ledger, scripts: Vec<Script>) -> World {
    let model = Arc::new(ScriptedModel::in_order(scripts));
    let (journal, env) = (world.journal.clone(), world.env.clone());
    World::on(journal, env, model, tools(ledger), |_| {})
}

#[tokio::test(start_paused = true)]
async fn a_denied_call_is_asked_again_under_any_grant_and_after_a_restart() {
    let ledger = Ledger::default();
    let (world, conversation) = denied_under_a_grant(&ledger, None).await;
    let scripts = vec![red("d", "pve"), red("e", "pve"), Script::say("Sir.")];
    let world = again(&world, &ledger, scripts);
    world.engine.recover().await.unwrap();
    let mut watch = world.watch(conversation).await;
    // The cards of before.
    for _ in 0..2 {
        question(&mut watch).await;
    }
    let (call, card) = question(&mut watch).await;
    assert_eq!(card.input, json!({ "node": "pve" }));
    assert!(
        card.risks.iter().any(|risk| risk.contains("denied before")),
        "{:?}",
        card.risks
    );
    assert_eq!(ledger.entries().len(), 2);
    // Approving it once says nothing about the next one.
    world
        .decide(conversation, call, &card.digest, APPROVE)
        .await
        .unwrap();
    question(&mut watch).await;
    assert_eq!(ledger.entries().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_persons_next_message_ends_it() {
    let ledger = Ledger::default();
    let (world, conversation) = denied_under_a_grant(&ledger, None).await;
    let scripts = vec![Script::say("Sir?"), red("d", "pve"), Script::say("Done.")];
    let world = again(&world, &ledger, scripts);
    world.engine.recover().await.unwrap();
    world.watch(conversation).await.turn_end().await;
    world.ask(conversation, "Now you may").await;
    assert_eq!(ledger.entries().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_message_from_before_the_denial_does_not_end_it() {
    for sent in [Sent::Steered, Sent::Queued] {
        let ledger = Ledger::default();
        let (world, conversation) = denied_under_a_grant(&ledger, Some(sent)).await;
        let names = world.names(conversation);
        let read = match sent {
            Sent::Steered => "message_read",
            Sent::Queued => "turn_started",
        };
        let last = |of: &str| names.iter().rposition(|name| name == of);
        assert!(last("confirmation_decided") < last(read), "{names:?}");
        let scripts = vec![red("d", "pve"), Script::say("Sir.")];
        let world = again(&world, &ledger, scripts);
        world.engine.recover().await.unwrap();
        let mut watch = world.watch(conversation).await;
        // The cards of before.
        for _ in 0..2 {
            question(&mut watch).await;
        }
        let (_, card) = question(&mut watch).await;
        assert!(
            card.risks.iter().any(|risk| risk.contains("denied before")),
            "{sent:?}: {:?}",
            card.risks
        );
        assert_eq!(ledger.entries().len(), 2, "{sent:?}");
    }
}
