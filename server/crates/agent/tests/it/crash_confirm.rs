//! A server that is killed at any write while calls act and people decide: nothing runs without a
//! decision, nothing runs twice, nothing is lost.

use std::collections::HashSet;

use agent::ports::{ModelErrorKind, Recovery};
use protocol::{
    CallId, Command, CommandId, ConversationId, Decision, ErrorCode, EventBody, ServerFrame, Tier,
    Timestamp, ToolOutcome, Verdict,
};
use serde_json::json;
use testkit::{FreezePoint, Lasting, Script, ScriptedModel, ScriptedTools, spec};

use crate::world::{World, flat};

fn conversation() -> ConversationId {
    ConversationId::new(Timestamp(1), 1)
}

/// A mixed batch, then another call, then an answer; the place is the length of the history.
fn model() -> ScriptedModel {
    ScriptedModel::by(|request| {
        let answers = flat(request)
            .iter()
            .filter(|(role, block)| role == "Assistant" && block.contains(r#""id":"first"#))
            .count()
            + flat(request)
                .iter()
                .filter(|(role, block)| role == "Assistant" && block.contains(r#""id":"second"#))
                .count();
        match answers {
            0 => Script::new()
                .call("first", "green", json!({ "n": 1 }))
                .call("b", "yellow", json!({ "n": 2 }))
                .call("c", "red", json!({ "n": 3 }))
                .call("d", "red", json!({ "n": 4 }))
                .call("e", "yellow", json!({ "n": 5 })),
            1 => Script::new().call("second", "red", json!({ "n": 6 })),
            2 => Script::say("Done, sir."),
            _ => Script::new().fail(ModelErrorKind::InvalidRequest, false),
        }
    })
}

#[derive(Default)]
struct Lab {
    lasting: Lasting,
}

impl Lab {
    /// One life of a server and its client. Returns true if everything was done in it.
    fn live(&self) -> bool {
        self.lasting.live(self.work())
    }

    async fn work(&self) {
        let tools = ScriptedTools::new()
            .with(spec("green", Tier::Green, Recovery::Pure))
            .with(spec("yellow", Tier::Yellow, Recovery::Unsafe))
            .with(spec("red", Tier::Red, Recovery::Unsafe));
        let world = World::life(&self.lasting, model(), tools);
        world.engine.recover().await.unwrap();
        let start = Command::start(conversation(), "Do 1, 2, 3, 4, 5 and 6");
        let id = CommandId::new(Timestamp(1), 1);
        world.engine.command(world.user, id, start).await.unwrap();
        let mut watch = world.watch(conversation()).await;
        loop {
            let ServerFrame::Events { events, .. } = watch.frame().await else {
                continue;
            };
            for event in events {
                match event.body {
                    EventBody::ConfirmationRequested {
                        call, confirmation, ..
                    } => {
                        let decision = match confirmation.input["n"].as_i64() {
                            Some(4) => Decision::Deny { comment: None },
                            _ => Decision::Approve {
                                grant: None,
                                word: None,
                            },
                        };
                        // Decided in a former life, or now.
                        let decide = Command::Decide {
                            conversation: conversation(),
                            call,
                            digest: confirmation.digest,
                            decision,
                        };
                        match world.command(decide).await {
                            Ok(()) => {}
                            Err(error) => assert!(
                                matches!(
                                    error.code,
                                    ErrorCode::AlreadyDecided | ErrorCode::CardChanged
                                ),
                                "{error:?}"
                            ),
                        }
                    }
                    EventBody::TurnFinished { .. } => return,
                    _ => {}
                }
            }
        }
    }

    /// Checks the invariants, however often the server was killed. Returns the number of outcomes
    /// that stayed unknown.
    fn check(&self) -> usize {
        let mut approved = HashSet::new();
        let mut ended: HashSet<CallId> = HashSet::new();
        let mut denied = HashSet::new();
        let mut unknown = HashSet::new();
        let mut ran_red = HashSet::new();
        for event in self.lasting.journal.events(conversation()) {
            match event.body {
                EventBody::ConfirmationDecided { call, verdict, .. } => {
                    match verdict {
                        Verdict::Approved => assert!(approved.insert(call), "approved twice"),
                        _ => assert!(denied.insert(call)),
                    };
                }
                EventBody::ToolStarted {
                    call,
                    tier: Tier::Red,
                    ..
                } => {
                    assert!(
                        approved.contains(&call),
                        "a RED call ran without a decision"
                    );
                    assert!(ran_red.insert(call), "a RED call began twice");
                }
                EventBody::ToolFinished { call, outcome, .. } => {
                    assert!(ended.insert(call), "two ends");
                    if matches!(outcome, ToolOutcome::OutcomeUnknown { .. }) {
                        unknown.insert(call);
                    }
                }
                _ => {}
            }
        }
        for tool in ["yellow", "red"] {
            for (call, count) in self.lasting.ledger.counts(tool) {
                assert_eq!(count, 1, "{tool} took effect twice");
                assert!(!denied.contains(&call), "{tool} ran though it was denied");
                assert!(ended.contains(&call), "an effect without an end");
            }
        }
        for call in &ran_red {
            let took_effect = self.lasting.ledger.counts("red").contains_key(call);
            assert!(
                took_effect || unknown.contains(call),
                "a call that began was lost"
            );
        }
        unknown.len()
    }
}

#[test]
fn a_kill_at_every_write_while_people_decide() {
    let calm = Lab::default();
    assert!(calm.live());
    assert_eq!(calm.check(), 0);
    assert_eq!(calm.lasting.ledger.counts("red").len(), 2);
    assert_eq!(calm.lasting.ledger.counts("yellow").len(), 2);
    let writes = calm.lasting.journal.writes();
    assert!(writes > 15, "{writes}");
    let mut unknown = 0;
    for n in 1..=writes {
        for point in [FreezePoint::Before(n), FreezePoint::After(n)] {
            let lab = Lab::default();
            lab.lasting.journal.freeze_at(point);
            assert!(!lab.live(), "{point:?} kills");
            assert!(lab.live(), "{point:?}: the next life ends the turn");
            unknown += lab.check();
        }
    }
    assert!(unknown > 0, "no kill ever hit a call that acts");
}
