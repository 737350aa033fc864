//! A conversation in which a case of the table is played.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use agent::ports::{ContextPart, Files, Impact, Recovery, StoredFile, ToolError, ToolSpec};
use protocol::{
    CallId, Command, Confirmation, ConversationId, Decision, ErrorBody, ErrorCode, EventBody,
    MessageId, Mode, Reference, Seq, Tier, Timestamp, ToolOutput,
};
use serde_json::{Value, json};
use testkit::{Hold, Script, ScriptedModel, ScriptedTools, spec};

use super::{Case, imported::is_closed};
use crate::{confirm::APPROVE, files::png, world::World};

/// The results of looks, in order.
pub(super) type Brought = Arc<Mutex<VecDeque<Result<Value, String>>>>;

pub(super) fn tools(case: &Case<'_>, brought: &Brought) -> ScriptedTools {
    let acting = |name, impact| {
        let mut spec = spec(name, Tier::Yellow, Recovery::Unsafe);
        spec.input_schema = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": { "service": {}, "field": {} },
        });
        spec.editable = vec!["/service".to_owned()];
        ToolSpec { impact, ..spec }
    };
    let brought = Arc::clone(brought);
    let mut tools = ScriptedTools::new()
        .with(acting("restart", Impact::System))
        .with(acting("ssh", Impact::None))
        .with_body(
            spec("look", Tier::Green, Recovery::Pure),
            move |_, progress| {
                let next = brought.lock().unwrap().pop_front();
                async move {
                    if let Some(Ok(Value::String(name))) = &next {
                        progress.image(name, png(0));
                    }
                    match next.unwrap_or(Ok(Value::Null)) {
                        Ok(data) => Ok(ToolOutput {
                            summary: "looked".to_owned(),
                            data,
                            images: Vec::new(),
                        }),
                        Err(why) => Err(ToolError(ErrorBody::new(ErrorCode::ToolFailed, why))),
                    }
                }
            },
        );
    for (channel, text) in &case.steps {
        match *channel {
            "summary" => {
                let text = text.clone();
                tools = tools.with_context(move || {
                    let data = Ok(json!({ "overview": text.clone() }));
                    std::future::ready(vec![ContextPart {
                        source: "cluster",
                        data,
                    }])
                });
            }
            "point" => {
                let (id, _) = text.split_once(" = ").unwrap();
                tools = tools.with_thing(Reference::new("thing", id), Ok(json!({})));
            }
            _ => {}
        }
    }
    tools
}

/// A conversation in which a case is played.
struct Play {
    world: World,
    scripts: Arc<Mutex<VecDeque<Script>>>,
    brought: Brought,
    conversation: Option<ConversationId>,
    seen: Seq,
}

impl Play {
    fn new(case: &Case<'_>) -> Self {
        let scripts: Arc<Mutex<VecDeque<Script>>> = Arc::default();
        let brought = Brought::default();
        let next = Arc::clone(&scripts);
        let model = ScriptedModel::by(move |_| {
            let next = next.lock().unwrap().pop_front();
            next.unwrap_or_else(|| Script::say("Sir."))
        });
        Self {
            world: World::new(model, tools(case, &brought)),
            scripts,
            brought,
            conversation: None,
            seen: Seq(0),
        }
    }

    fn script(&self, script: Script) {
        self.scripts.lock().unwrap().push_back(script);
    }

    /// Has the model look, and gives it what it sees.
    fn look(&self, brings: Result<Value, String>) {
        self.brought.lock().unwrap().push_back(brings);
        self.script(Script::new().call("l", "look", json!({})));
    }

    /// The next event that fits, in the journal.
    async fn next(&mut self, fits: impl Fn(&EventBody) -> bool) -> EventBody {
        for _ in 0..10_000 {
            let events = self.world.journal.events(self.conversation.unwrap());
            let seen = self.seen;
            let mut new = events.into_iter().filter(|event| event.seq > seen);
            if let Some(event) = new.find(|event| fits(&event.body)) {
                self.seen = event.seq;
                return event.body;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("nothing happens any more");
    }

    /// Lets the turn that runs come to its end.
    async fn settle(&mut self) {
        let Some(conversation) = self.conversation else {
            return;
        };
        let events = self.world.journal.events(conversation);
        self.seen = events.last().unwrap().seq;
        let ended = |body: &EventBody| matches!(body, EventBody::TurnFinished { .. });
        if !ended(&events.last().unwrap().body) {
            self.next(ended).await;
        }
    }

    async fn say(&mut self, text: &str, references: Vec<Reference>) {
        let text = text.to_owned();
        let command = match self.conversation {
            Some(conversation) => Command::Send {
                conversation,
                text,
                withdraw: false,
                references,
            },
            None => {
                let conversation = self.world.conversation_id();
                self.conversation = Some(conversation);
                Command::Start {
                    conversation,
                    mode: Mode::Default,
                    text,
                    from: None,
                    plan: None,
                    choice: None,
                    references,
                    packs: None,
                }
            }
        };
        self.world.command(command).await.unwrap();
    }

    async fn keep(&self, name: &str, content: Vec<u8>) -> Reference {
        let file = StoredFile::new(content).unwrap();
        let reference = file.reference(name);
        let user = self.world.user;
        let kept = self.world.journal.keep_file(user, file, Timestamp(0));
        kept.await.unwrap();
        reference
    }

    async fn steer(&self, text: &str, references: Vec<Reference>) {
        let steer = Command::Steer {
            conversation: self.conversation.unwrap(),
            text: text.to_owned(),
            references,
        };
        self.world.command(steer).await.unwrap();
    }

    /// Carries out a plan that a model wrote in another conversation.
    async fn plan(&mut self, text: &str) {
        let world = &self.world;
        let from = world.conversation_id();
        let scripts = std::mem::take(&mut *self.scripts.lock().unwrap());
        self.script(Script::say(text));
        let start = |conversation, mode, text: &str, from, plan| Command::Start {
            conversation,
            mode,
            text: text.to_owned(),
            from,
            plan,
            choice: None,
            references: Vec::new(),
            packs: None,
        };
        let plan = start(from, Mode::Plan, "How?", None, None);
        world.command(plan).await.unwrap();
        world.watch(from).await.turn_end().await;
        *self.scripts.lock().unwrap() = scripts;
        let answer = Some(world.first_answer(from));
        let conversation = world.conversation_id();
        let act = start(
            conversation,
            Mode::Default,
            "Carry out the plan.",
            Some(from),
            answer,
        );
        world.command(act).await.unwrap();
        self.conversation = Some(conversation);
    }

    fn last_message(&self) -> MessageId {
        let events = self.world.journal.events(self.conversation.unwrap());
        let mut turns = events.iter().rev().filter_map(|event| match event.body {
            EventBody::TurnStarted { message, .. } => Some(message),
            _ => None,
        });
        turns.next().unwrap()
    }

    /// The next question, if there is one before the turn ends.
    async fn question(&mut self) -> Option<(CallId, Confirmation)> {
        let event = self.next(|body| {
            matches!(
                body,
                EventBody::ConfirmationRequested { .. } | EventBody::TurnFinished { .. }
            )
        });
        match event.await {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => Some((call, *confirmation)),
            _ => None,
        }
    }

    async fn decide(&mut self, value: &str, decision: Decision) {
        let (call, card) = self.question().await.expect(value);
        let conversation = self.conversation.unwrap();
        self.world
            .decide(conversation, call, &card.digest, decision)
            .await
            .unwrap();
    }

    /// Changes the value on the next card.
    async fn edit(&mut self, value: &str) {
        let (call, card) = self.question().await.expect(value);
        let edit = Command::Edit {
            conversation: self.conversation.unwrap(),
            call,
            digest: card.digest,
            input: json!({ "service": value }),
        };
        self.world.command(edit).await.unwrap();
    }

    /// Scripts a step of a turn that runs: what the model does is scripted first, then the person
    /// acts.
    fn prepare(&self, channel: &str, text: &str, hold: &Hold) {
        let restart = |value: &str| Script::new().call("d", "restart", json!({ "service": value }));
        match channel {
            "tool" => self.look(Ok(json!({ "log": text }))),
            "json" => self.look(Ok(serde_json::from_str(text).unwrap())),
            "error" => self.look(Err(text.to_owned())),
            // An image of this name; a text is never brought as it is.
            "shot" => self.look(Ok(json!(text))),
            "refusal" => self.script(Script::new().call("n", text, json!({}))),
            "denial" => self.script(restart("somethingelse")),
            "denied" | "approved" => self.script(restart(text)),
            "edit" | "edit denied" => self.script(restart(text.split_once(" = ").unwrap().0)),
            // For the call that the case is about.
            "edited" => {}
            "steer" | "steered picture" => {
                self.script(Script::new().hold(hold).call("l", "look", json!({})))
            }
            // Both are sent while the card of the next step waits.
            "beside" | "queue" => {}
            "model" => self.script(Script::new().text(text).call("l", "look", json!({}))),
            other => panic!("no channel {other}"),
        }
    }

    async fn act(&mut self, channel: &str, text: &str, hold: &Hold) {
        match channel {
            "beside" | "queue" => {
                // The card itself is for the step after this one.
                let seen = self.seen;
                self.question().await.expect(text);
                self.seen = seen;
                match channel {
                    "beside" => self.steer(text, Vec::new()).await,
                    _ => self.say(text, Vec::new()).await,
                }
            }
            "denial" => {
                let comment = Some(text.to_owned());
                self.decide(text, Decision::Deny { comment }).await;
            }
            "denied" => {
                let comment = Some(format!("leave {text} alone"));
                self.decide(text, Decision::Deny { comment }).await;
            }
            "approved" => self.decide(text, APPROVE).await,
            "edited" => self.edit(text).await,
            "edit" | "edit denied" => {
                let (_, value) = text.split_once(" = ").unwrap();
                self.edit(value).await;
                let decision = match channel {
                    "edit" => APPROVE,
                    _ => Decision::Deny { comment: None },
                };
                self.decide(text, decision).await;
            }
            "steer" | "steered picture" => {
                hold.reached().await;
                let references = match channel {
                    "steer" => Vec::new(),
                    _ => vec![self.keep("screen.png", png(0)).await],
                };
                self.steer(text, references).await;
                hold.open();
            }
            _ => {}
        }
    }

    /// A message, by any channel.
    async fn begin(&mut self, channel: &str, text: &str) {
        match channel {
            "user" => self.say(text, Vec::new()).await,
            "file" => {
                let reference = self.keep("notes.txt", text.as_bytes().to_vec()).await;
                self.say("Look at this file", vec![reference]).await;
            }
            "picture" => {
                let reference = self.keep("screen.png", png(0)).await;
                self.say(text, vec![reference]).await;
            }
            "point" => {
                let (id, text) = text.split_once(" = ").unwrap();
                self.say(text, vec![Reference::new("thing", id)]).await;
            }
            "plan" => self.plan(text).await,
            "branch" | "rerun" => {
                let conversation = self.world.conversation_id();
                let from = self.conversation.unwrap();
                let message = self.last_message();
                let known = self
                    .world
                    .engine
                    .left_behind(self.world.user, from, message);
                let branch = Command::Branch {
                    conversation,
                    from,
                    message,
                    text: (channel == "branch").then(|| text.to_owned()),
                    known: known.await.unwrap().into_iter().map(|it| it.call).collect(),
                };
                self.conversation = Some(conversation);
                self.world.command(branch).await.unwrap();
                self.seen = Seq(0);
            }
            other => panic!("no channel {other}"),
        }
    }
}

fn is_message(channel: &str) -> bool {
    [
        "user", "file", "picture", "point", "plan", "branch", "rerun",
    ]
    .contains(&channel)
}

/// Plays a case: the verdict, and the source of the value on the card.
pub(super) async fn play(case: &Case<'_>) -> (&'static str, Option<String>) {
    if let [("imported", text)] = &case.steps[..] {
        return if is_closed(case, text).await {
            ("closed", None)
        } else {
            ("open", None)
        };
    }
    let mut play = Play::new(case);
    let steps: Vec<_> = case
        .steps
        .iter()
        .filter(|(channel, _)| *channel != "summary")
        .collect();
    let mut at = 0;
    while at < steps.len() {
        let (channel, text) = (steps[at].0, &steps[at].1);
        let within = steps[at + 1..]
            .iter()
            .take_while(|(channel, _)| !is_message(channel));
        let within: Vec<_> = within.collect();
        at += 1 + within.len();
        play.settle().await;
        let hold = Hold::new();
        for (channel, text) in within.iter().copied() {
            play.prepare(channel, text, &hold);
        }
        let queued = within.iter().any(|(channel, _)| *channel == "queue");
        if queued {
            play.script(Script::say("Sir?"));
        }
        if at == steps.len() {
            let input = json!({ "service": case.value });
            play.script(Script::new().call("x", case.tool, input));
        }
        play.begin(channel, text).await;
        if channel == "branch" || channel == "rerun" {
            let branched = |body: &EventBody| matches!(body, EventBody::Branched { .. });
            play.next(branched).await;
        }
        for (channel, text) in within {
            play.act(channel, text, &hold).await;
        }
        if queued {
            play.next(|body| matches!(body, EventBody::TurnStarted { .. }))
                .await;
        }
    }
    match play.question().await {
        Some((_, card)) => {
            let origin = serde_json::to_value(&card.origins[0].source).unwrap();
            ("ask", origin["type"].as_str().map(ToOwned::to_owned))
        }
        None => ("act", None),
    }
}
