//! Branches on a server that is killed, and of any conversation.

use agent::ports::Record;
use proptest::prelude::*;
use protocol::{Command, CommandId, ConversationId, EventBody, Tier, Timestamp};
use serde_json::json;
use testkit::{FreezePoint, Lasting, Ledger, Script, ScriptedModel};
use transcript::Transcript;

use crate::{
    branches::{acted, branched, messages, same, tools},
    world::{World, flat, name},
};

/// A person who branches, talks on and branches again, as the server is killed at a write.
async fn story(world: &World) {
    world.engine.recover().await.unwrap();
    let command = |n: u128| CommandId::new(Timestamp(1), n);
    let id = |n: u128| ConversationId::new(Timestamp(1), n);
    let user = world.user;
    let start = Command::start(id(1), "Go to 1");
    world.engine.command(user, command(1), start).await.unwrap();
    world.watch(id(1)).await.turn_end().await;
    let first = messages(world, id(1))[0];
    let branch = Command::Branch {
        conversation: id(2),
        from: id(1),
        message: first,
        text: Some("Go elsewhere, to 2".to_owned()),
        known: acted(world, id(1)),
    };
    world
        .engine
        .command(user, command(2), branch)
        .await
        .unwrap();
    let mut watch = world.watch(id(2)).await;
    watch.turn_end().await;
    let steer = Command::Steer {
        conversation: id(2),
        text: "And then?".to_owned(),
        references: Vec::new(),
    };
    world.engine.command(user, command(3), steer).await.unwrap();
    watch.turn_end().await;
}

#[test]
fn a_branch_is_made_once_and_whole_wherever_the_server_is_killed() {
    let model = || {
        ScriptedModel::by(|request| {
            let blocks = flat(request);
            let elsewhere = blocks
                .iter()
                .any(|(_, block)| block.contains("Go elsewhere"));
            let results = blocks
                .iter()
                .filter(|(_, block)| block.contains("tool_result"))
                .count();
            match (results, elsewhere) {
                (0, false) => Script::new().call("y", "yellow", json!({ "n": 1 })),
                (0, true) => Script::new().call("y", "yellow", json!({ "n": 2 })),
                _ => Script::say("Done."),
            }
        })
    };
    let run = |point: Option<FreezePoint>| {
        let lasting = Lasting::default();
        let mut lives = 0;
        if let Some(point) = point {
            lasting.journal.freeze_at(point);
        }
        while {
            lives += 1;
            assert!(lives < 4);
            let world = World::life(&lasting, model(), tools(&Ledger::default()));
            !lasting.live(async move { story(&world).await })
        } {}
        lasting
    };
    let calm = run(None);
    let writes = calm.journal.writes();
    assert!(writes > 10);
    for n in 1..=writes {
        for point in [FreezePoint::Before(n), FreezePoint::After(n)] {
            let lasting = run(Some(point));
            let id = |n: u128| ConversationId::new(Timestamp(1), n);
            let names = |n| {
                let events = lasting.journal.events(id(n));
                events
                    .iter()
                    .map(|event| name(&event.body))
                    .collect::<Vec<_>>()
            };
            let two = names(2);
            let count = |name: &str| two.iter().filter(|it| *it == name).count();
            assert_eq!(count("branched"), 1, "{point:?}");
            assert_eq!(count("turn_started"), 2, "{point:?}: {two:?}");
            assert!(two.ends_with(&["turn_finished".to_owned()]), "{point:?}");
            for count in lasting.ledger.counts("yellow").values() {
                assert_eq!(*count, 1, "{point:?}");
            }
            assert!(lasting.ledger.counts("yellow").len() <= 2, "{point:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The fold of a copy is the fold of what was copied, without what lived in it.
    #[test]
    fn a_copy_folds_to_the_same_history(turns in prop::collection::vec(0..4usize, 1..6), at in any::<prop::sample::Index>()) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(Box::pin(async move {
            let at = at.index(turns.len());
            let texts: Vec<_> = turns.iter().map(|kind| ["hello", "look", "act", "both"][*kind]).collect();
            let model = ScriptedModel::by(|request| {
                let (_, last) = flat(request).pop().unwrap();
                let asked = flat(request)
                    .into_iter()
                    .rfind(|(role, block)| {
                        role == "User"
                            && ["hello", "look", "act", "both"].iter().any(|it| block.contains(&format!("\"{it}\"")))
                    });
                let (_, asked) = asked.unwrap();
                let script = Script::new();
                match last.contains("tool_result") {
                    false if asked.contains("\"look\"") => script.call("g", "green", json!({})),
                    false if asked.contains("\"act\"") => script.text("So.").call("y", "yellow", json!({})),
                    false if asked.contains("\"both\"") => {
                        script.call("g", "green", json!({})).call("y", "yellow", json!({}))
                    }
                    _ => Script::say("Sir."),
                }
            });
            let world = World::new(model, tools(&Ledger::default()));
            let (one, _) = world.run(texts[0]).await;
            for text in &texts[1..] {
                world.ask(one, text).await;
            }
            let records = world.journal.all_records(one);
            let message = messages(&world, one)[at];
            let two = world.branch(one, message, Some("hello"), &acted(&world, one)).await.unwrap();
            let copied = world.journal.all_records(two);
            let (mark, effects) = branched(&world, two);
            let kept = usize::try_from(mark.0).unwrap() - 1;
            same(&records[..kept], &copied[..kept]);
            let events = |records: &[Record]| records.iter().map(|it| it.event.clone()).collect::<Vec<_>>();
            let before = Transcript::from_events(&events(&records[..kept])).unwrap();
            let after = Transcript::from_events(&events(&copied[..=kept])).unwrap();
            assert_eq!(before.rows().len(), after.rows().len());
            for (before, after) in before.rows().iter().zip(after.rows()) {
                assert_eq!((before.key, before.turn, before.at), (after.key, after.turn, after.at));
            }
            assert!(after.turn().is_none() && after.queue().is_empty() && after.grants().is_empty());
            // Each call that acted is above or is told, and never both.
            let told: Vec<_> = effects.iter().map(|effect| effect.call).collect();
            let above = copied[..kept].iter().filter_map(|record| match record.event.body {
                EventBody::ToolStarted { call, tier, .. } if tier > Tier::Green => Some(call),
                _ => None,
            });
            let mut all: Vec<_> = above.chain(told).collect();
            all.sort();
            assert_eq!(all, acted(&world, one));
        }));
    }
}
