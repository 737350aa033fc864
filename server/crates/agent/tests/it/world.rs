//! An engine with everything around it, and a client that watches it.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use agent::{Engine, EngineConfig, Subscription, ports::ModelRequest};
use futures::StreamExt;
use protocol::{
    Command, CommandId, ConversationId, ErrorBody, Event, EventBody, MessageId, Seq, ServerFrame,
    Timestamp, TurnId, TurnOutcome, UserId,
};
use serde_json::Value;
use testkit::{FixedEnv, Lasting, MemoryJournal, ScriptedModel, ScriptedTools};
use transcript::Transcript;

pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) journal: Arc<MemoryJournal>,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) env: Arc<FixedEnv>,
    pub(crate) user: UserId,
    ids: AtomicU64,
}

impl World {
    pub(crate) fn new(model: ScriptedModel, tools: ScriptedTools) -> Self {
        Self::with(model, tools, |_| {})
    }

    pub(crate) fn with(
        model: ScriptedModel,
        tools: ScriptedTools,
        configure: impl FnOnce(&mut EngineConfig),
    ) -> Self {
        let journal = Arc::new(MemoryJournal::new());
        let env = Arc::new(FixedEnv::default());
        Self::on(journal, env, Arc::new(model), tools, configure)
    }

    /// One life of a server on the things that outlive it, which keeps its actors.
    pub(crate) fn life(lasting: &Lasting, model: ScriptedModel, tools: ScriptedTools) -> Self {
        Self::on(
            lasting.journal.clone(),
            lasting.env.clone(),
            Arc::new(model),
            tools.with_ledger(&lasting.ledger),
            |config| config.linger = Duration::from_secs(7200),
        )
    }

    pub(crate) fn on(
        journal: Arc<MemoryJournal>,
        env: Arc<FixedEnv>,
        model: Arc<ScriptedModel>,
        tools: ScriptedTools,
        configure: impl FnOnce(&mut EngineConfig),
    ) -> Self {
        Self {
            engine: testkit::engine(
                journal.clone(),
                env.clone(),
                model.clone(),
                tools,
                configure,
            ),
            journal,
            model,
            env,
            user: UserId::new(Timestamp(0), 1),
            ids: AtomicU64::new(1000),
        }
    }

    fn number(&self) -> u128 {
        u128::from(self.ids.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn command_id(&self) -> CommandId {
        CommandId::new(Timestamp(1), self.number())
    }

    pub(crate) fn conversation_id(&self) -> ConversationId {
        ConversationId::new(Timestamp(1), self.number())
    }

    /// The first answer in a conversation.
    pub(crate) fn first_answer(&self, conversation: ConversationId) -> MessageId {
        let mut events = self.journal.events(conversation).into_iter();
        let answer = events.find_map(|event| match event.body {
            EventBody::AssistantMessage { message, .. } => Some(message),
            _ => None,
        });
        answer.unwrap()
    }

    pub(crate) async fn command(&self, command: Command) -> Result<(), ErrorBody> {
        let id = self.command_id();
        self.engine.command(self.user, id, command).await
    }

    pub(crate) async fn start(&self, text: &str) -> ConversationId {
        let conversation = self.conversation_id();
        let start = Command::start(conversation, text);
        self.command(start).await.unwrap();
        conversation
    }

    pub(crate) async fn send(
        &self,
        conversation: ConversationId,
        text: &str,
    ) -> Result<(), ErrorBody> {
        let text = text.to_owned();
        self.command(Command::Send {
            conversation,
            text,
            withdraw: false,
            references: Vec::new(),
        })
        .await
    }

    pub(crate) async fn subscribe(&self, conversation: ConversationId, after: Seq) -> Subscription {
        let subscribed = self.engine.subscribe(self.user, conversation, after);
        subscribed.await.unwrap()
    }

    pub(crate) async fn watch(&self, conversation: ConversationId) -> Watch {
        Watch::new(self.subscribe(conversation, Seq(0)).await)
    }

    /// Starts a conversation and waits for the end of its first turn.
    pub(crate) async fn run(&self, text: &str) -> (ConversationId, TurnOutcome) {
        let conversation = self.start(text).await;
        let mut watch = self.watch(conversation).await;
        let (_, outcome) = watch.turn_end().await;
        (conversation, outcome)
    }

    /// Sends a message and waits for the end of its turn.
    pub(crate) async fn ask(&self, conversation: ConversationId, text: &str) -> TurnOutcome {
        let head = self.journal.events(conversation).last().unwrap().seq;
        self.send(conversation, text).await.unwrap();
        let mut watch = Watch::new(self.subscribe(conversation, head).await);
        watch.turn_end().await.1
    }

    /// The names of a conversation's events.
    pub(crate) fn names(&self, conversation: ConversationId) -> Vec<String> {
        let events = self.journal.events(conversation);
        events.iter().map(|event| name(&event.body)).collect()
    }

    pub(crate) fn last_turn(&self, conversation: ConversationId) -> TurnId {
        let events = self.journal.events(conversation);
        let turns = events.iter().rev().find_map(|event| match event.body {
            EventBody::TurnStarted { turn, .. } => Some(turn),
            _ => None,
        });
        turns.unwrap()
    }
}

/// The tag of an event.
pub(crate) fn name(body: &EventBody) -> String {
    let json = serde_json::to_value(body).unwrap();
    json["type"].as_str().unwrap().to_owned()
}

/// A client: reads frames and folds them as the browser does.
pub(crate) struct Watch {
    pub(crate) subscription: Subscription,
    pub(crate) transcript: Transcript,
    pub(crate) frames: Vec<ServerFrame>,
    /// Events that were received and not yet looked at.
    unseen: VecDeque<Event>,
}

impl Watch {
    pub(crate) fn new(subscription: Subscription) -> Self {
        Self {
            subscription,
            transcript: Transcript::default(),
            frames: Vec::new(),
            unseen: VecDeque::new(),
        }
    }

    /// The next frame, folded.
    pub(crate) async fn frame(&mut self) -> ServerFrame {
        let frame = self.subscription.next().await.expect("ended").unwrap();
        let frame: ServerFrame = serde_json::from_slice(frame.as_bytes()).unwrap();
        self.frames.push(frame.clone());
        match &frame {
            ServerFrame::Events { events, .. } => {
                self.unseen.extend(events.iter().cloned());
                // A client that joins later begins in the middle: its page had the rest.
                if events[0].seq == self.transcript.head().next() {
                    for event in events {
                        self.transcript.apply(event).unwrap();
                    }
                }
            }
            ServerFrame::Block {
                block,
                message,
                index,
                kind,
                text,
                ..
            } => {
                let fold = &mut self.transcript;
                fold.apply_block(*block, *message, *index, kind, text);
            }
            ServerFrame::Delta {
                block,
                offset,
                text,
            } => {
                let fold = &mut self.transcript;
                fold.apply_delta(*block, *offset, text).unwrap();
            }
            _ => {}
        }
        frame
    }

    /// The next event that fits.
    pub(crate) async fn event(&mut self, fits: impl Fn(&EventBody) -> bool) -> Event {
        loop {
            while let Some(event) = self.unseen.pop_front() {
                if fits(&event.body) {
                    return event;
                }
            }
            self.frame().await;
        }
    }

    /// The next end of a turn.
    pub(crate) async fn turn_end(&mut self) -> (TurnId, TurnOutcome) {
        let event = self
            .event(|body| matches!(body, EventBody::TurnFinished { .. }))
            .await;
        match event.body {
            EventBody::TurnFinished { turn, outcome, .. } => (turn, outcome),
            _ => unreachable!("it fits"),
        }
    }
}

/// A request's history, flat: who speaks and each block.
pub(crate) fn flat(request: &ModelRequest) -> Vec<(String, String)> {
    let of = |role| format!("{role:?}");
    request
        .messages
        .iter()
        .flat_map(|message| {
            let role = of(message.role);
            message
                .content
                .iter()
                .map(move |block| (role.clone(), block.get().to_owned()))
        })
        .collect()
}

/// The texts of the history, without context and in short: `U:` and `A:` texts, calls, results.
pub(crate) fn gist(request: &ModelRequest) -> Vec<String> {
    let mut gist = Vec::new();
    for (role, block) in flat(request) {
        let block: Value = serde_json::from_str(&block).unwrap();
        let who = &role[..1];
        let line = match block["type"].as_str().unwrap() {
            "text" => {
                let text = block["text"].as_str().unwrap();
                if text.starts_with("[Context") {
                    continue;
                }
                format!("{who}: {text}")
            }
            "tool_use" => format!("{who}: call {}", block["id"].as_str().unwrap()),
            "tool_result" => format!(
                "{who}: result {}{}",
                block["tool_use_id"].as_str().unwrap(),
                if block["is_error"] == true {
                    " error"
                } else {
                    ""
                }
            ),
            other => format!("{who}: {other}"),
        };
        gist.push(line);
    }
    gist
}
