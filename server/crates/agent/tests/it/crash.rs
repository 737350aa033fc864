//! A server that is killed at any write: the next one continues, and nothing happens twice.

use std::collections::HashMap;

use agent::ports::{ModelErrorKind, Recovery};
use proptest::prelude::*;
use protocol::{
    Command, CommandId, ContentBlock, ConversationId, EventBody, StopReason, Tier, Timestamp,
    ToolOutcome,
};
use serde_json::json;
use testkit::{FreezePoint, Lasting, Script, ScriptedModel, ScriptedTools, spec};

use crate::{prompt::well_formed, world::World};

const TOOLS: [(&str, Recovery); 4] = [
    ("pure", Recovery::Pure),
    ("idempotent", Recovery::Idempotent),
    ("reconcilable", Recovery::Reconcilable),
    ("unsafe", Recovery::Unsafe),
];

/// One answer of the model.
#[derive(Debug, Clone)]
enum Answer {
    Calls(Vec<usize>),
    Cut,
    Paused,
}

fn answers() -> impl Strategy<Value = Vec<Answer>> {
    let answer = prop_oneof![
        4 => prop::collection::vec(0..TOOLS.len(), 1..4).prop_map(Answer::Calls),
        1 => Just(Answer::Cut),
        1 => Just(Answer::Paused),
    ];
    prop::collection::vec(answer, 0..5)
}

/// Turns of answers, each with a final one at its end.
fn script(turns: &[Vec<Answer>]) -> Vec<Script> {
    let mut scripts = Vec::new();
    for answers in turns {
        for answer in answers {
            let n = scripts.len();
            let script = match answer {
                Answer::Calls(tools) => tools.iter().enumerate().fold(
                    Script::new().think("hm").text("I look."),
                    |script, (k, tool)| {
                        let (name, _) = TOOLS[*tool];
                        script.call(&format!("c{n}-{k}"), name, json!({ "n": n }))
                    },
                ),
                Answer::Cut => Script::new()
                    .call(&format!("c{n}"), "pure", json!({}))
                    .stop(StopReason::MaxTokens),
                Answer::Paused => Script::say("A moment.").stop(StopReason::Pause),
            };
            scripts.push(script);
        }
        scripts.push(Script::say(&format!("Answer {}, sir.", scripts.len())));
    }
    scripts
}

/// The model's answers do not depend on how often it is asked: their place is the length of the
/// history. Paused answers are joined to the next, so that blocks of text tell the place.
fn model(turns: &[Vec<Answer>]) -> ScriptedModel {
    let scripts = script(turns);
    ScriptedModel::by(move |request| {
        let said = |block: &str| {
            block.contains(r#""type":"text""#)
                && ["I look.", "A moment.", "Answer "]
                    .iter()
                    .any(|text| block.contains(text))
                || block.contains(r#""type":"tool_use""#) && block.contains(r#""input":{}"#)
        };
        let place = crate::world::flat(request)
            .iter()
            .filter(|(role, block)| role == "Assistant" && said(block))
            .count();
        match scripts.get(place) {
            Some(script) => script.clone(),
            None => Script::new().fail(ModelErrorKind::InvalidRequest, false),
        }
    })
}

fn tools() -> ScriptedTools {
    TOOLS
        .iter()
        .fold(ScriptedTools::new(), |tools, (name, recovery)| {
            tools.with(spec(name, Tier::Green, *recovery))
        })
}

/// The commands of a client, in order, each under its own id.
fn commands(turns: usize) -> (ConversationId, Vec<(CommandId, Command)>) {
    let conversation = ConversationId::new(Timestamp(1), 1);
    let commands = (0..turns)
        .map(|n| {
            let text = format!("question {n}");
            let command = match n {
                0 => Command::start(conversation, text),
                _ => Command::Send {
                    conversation,
                    text,
                    withdraw: false,
                    references: Vec::new(),
                },
            };
            (CommandId::new(Timestamp(1), n as u128 + 1), command)
        })
        .collect();
    (conversation, commands)
}

struct Lab {
    turns: Vec<Vec<Answer>>,
    lasting: Lasting,
}

impl Lab {
    fn new(turns: &[Vec<Answer>]) -> Self {
        Self {
            turns: turns.to_vec(),
            lasting: Lasting::default(),
        }
    }

    /// One life of a server and of a client that sends all its commands again until each was
    /// accepted.
    fn live(&self) -> bool {
        self.lasting.live(self.work())
    }

    async fn work(&self) {
        let world = World::life(&self.lasting, model(&self.turns), tools());
        world.engine.recover().await.unwrap();
        let (conversation, commands) = commands(self.turns.len());
        for (n, (id, command)) in commands.into_iter().enumerate() {
            let sent = world.engine.command(world.user, id, command);
            sent.await.unwrap();
            let mut watch = world.watch(conversation).await;
            for _ in 0..=n {
                watch.turn_end().await;
            }
        }
        for request in world.model.requests() {
            if !self.pauses() {
                well_formed(&request);
            }
        }
    }

    fn pauses(&self) -> bool {
        let mut answers = self.turns.iter().flatten();
        answers.any(|answer| matches!(answer, Answer::Paused))
    }

    /// The story that a person reads in the end, without ids and times.
    fn story(&self) -> Vec<String> {
        let (conversation, _) = commands(0);
        let mut names = HashMap::new();
        let mut story = Vec::new();
        let mut ends = Vec::new();
        for event in self.lasting.journal.events(conversation) {
            match event.body {
                EventBody::TurnStarted { text, .. } => story.push(text),
                EventBody::AssistantMessage { blocks, stop, .. } => {
                    story.append(&mut ends);
                    for block in blocks {
                        match block {
                            ContentBlock::Text { text } => story.push(text),
                            ContentBlock::ToolUse { call, name, .. } => {
                                names.insert(call, (names.len(), name));
                            }
                            _ => {}
                        }
                    }
                    story.push(format!("{stop:?}"));
                }
                EventBody::ToolFinished { call, outcome, .. } => {
                    let (n, name) = &names[&call];
                    let outcome = match outcome {
                        ToolOutcome::Succeeded { .. } => "done",
                        ToolOutcome::OutcomeUnknown { .. } => "unknown",
                        other => panic!("{other:?}"),
                    };
                    ends.push(format!("{n:03} {name} {outcome}"));
                    ends.sort();
                }
                EventBody::ToolBlocked { reason, .. } => story.push(format!("{reason:?}")),
                EventBody::TurnFinished { outcome, usage, .. } => {
                    story.append(&mut ends);
                    story.push(format!("{outcome:?} {usage:?}"));
                }
                _ => {}
            }
        }
        story
    }
}

/// Kills the server at a point, lets the next one continue, and compares with a run without a kill.
/// Returns the number of lives that were cut short and of outcomes that stayed unknown.
fn check(turns: &[Vec<Answer>], points: &[FreezePoint]) -> (usize, usize) {
    let calm = Lab::new(turns);
    assert!(calm.live());
    let lab = Lab::new(turns);
    let mut kills = 0;
    for point in points {
        lab.lasting.journal.freeze_at(*point);
        kills += usize::from(!lab.live());
    }
    assert!(lab.live(), "the last life ends");
    let told = |story: Vec<String>| -> Vec<String> {
        let tell = |line: &String| line.replace("unknown", "done");
        story.iter().map(tell).collect()
    };
    assert_eq!(told(lab.story()), calm.story(), "{points:?}");
    for (name, recovery) in TOOLS {
        let twice = lab
            .lasting
            .ledger
            .counts(name)
            .values()
            .any(|count| *count > 1);
        let may_run_twice = matches!(recovery, Recovery::Pure | Recovery::Idempotent);
        assert!(!twice || may_run_twice, "{name} ran twice: {points:?}");
    }
    // An outcome is unknown only where it must be.
    let story = lab.story();
    let unknown: Vec<_> = story
        .iter()
        .filter(|line| line.ends_with("unknown"))
        .collect();
    for line in &unknown {
        assert!(
            line.contains("unsafe") || line.contains("reconcilable"),
            "{line}"
        );
    }
    (kills, unknown.len())
}

#[test]
fn a_kill_at_every_write_of_a_rich_run_changes_nothing() {
    let turns = [
        vec![Answer::Calls(vec![0, 1, 2, 3]), Answer::Cut],
        vec![Answer::Paused, Answer::Calls(vec![3, 3, 0])],
    ];
    let calm = Lab::new(&turns);
    assert!(calm.live());
    let writes = calm.lasting.journal.writes();
    assert!(writes > 15, "{writes}");
    let mut unknown = 0;
    for n in 1..=writes {
        for point in [FreezePoint::Before(n), FreezePoint::After(n)] {
            let (kills, lost) = check(&turns, &[point]);
            assert_eq!(kills, 1, "{point:?} kills");
            unknown += lost;
        }
    }
    // Otherwise no kill ever hit a call that acts.
    assert!(unknown > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kills_anywhere_change_nothing(
        turns in prop::collection::vec(answers(), 1..3),
        points in prop::collection::vec((1..60usize, any::<bool>()), 1..4),
    ) {
        let mut points = points;
        points.sort_unstable();
        let points: Vec<_> = points
            .into_iter()
            .map(|(n, before)| if before { FreezePoint::Before(n) } else { FreezePoint::After(n) })
            .collect();
        check(&turns, &points);
    }
}
