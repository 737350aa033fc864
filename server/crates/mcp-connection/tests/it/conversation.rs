//! A conversation that has the tools of one server, with a model that makes the test's calls.

use std::sync::Arc;

use agent::{Deps, Engine, EngineConfig};
use mcp_client::{OutsideToolset, ServedTool};
use protocol::{
    CallId, Command, CommandId, Confirmation, ConversationId, Decision, Event, EventBody,
    Timestamp, ToolOutcome, UserId,
};
use testkit::{FixedEnv, MemoryJournal, Script, ScriptedModel};

use crate::evil::until;

pub(crate) struct TestConversation {
    pub(crate) engine: Engine,
    pub(crate) toolset: OutsideToolset,
    journal: Arc<MemoryJournal>,
    id: ConversationId,
    commands: u128,
}

impl TestConversation {
    pub(crate) fn new(toolset: OutsideToolset, scripts: Vec<Script>) -> Self {
        let journal = Arc::new(MemoryJournal::new());
        let deps = Deps {
            journal: journal.clone(),
            model: Arc::new(ScriptedModel::in_order(scripts)),
            toolsets: vec![Arc::new(toolset.clone())],
            env: Arc::new(FixedEnv::default()),
        };
        Self {
            engine: Engine::new(deps, EngineConfig::new("scripted-model")).unwrap(),
            toolset,
            journal,
            id: ConversationId::new(Timestamp(1), 1),
            commands: 0,
        }
    }

    /// Takes in the lists that a connection reads.
    pub(crate) fn listener(&self) -> impl Fn(Vec<ServedTool>) + Send + Sync + use<> {
        let (toolset, engine) = (self.toolset.clone(), self.engine.clone());
        move |tools| {
            if toolset.list(tools) {
                engine.tools_arrived();
            }
        }
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.journal.events(self.id)
    }

    /// Sends a message, and waits until its turn has ended or asks.
    pub(crate) async fn turn(&mut self, text: &str) {
        let command = if self.commands == 0 {
            Command::start(self.id, text)
        } else {
            Command::Send {
                conversation: self.id,
                text: text.to_owned(),
                withdraw: false,
                references: Vec::new(),
            }
        };
        self.command(command).await;
    }

    /// The first card.
    pub(crate) fn card(&self) -> (CallId, Box<Confirmation>) {
        let mut events = self.events().into_iter();
        let card = events.find_map(|event| match event.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => Some((call, confirmation)),
            _ => None,
        });
        card.unwrap()
    }

    /// Decides on the first card, and waits until the turn has ended or asks again.
    pub(crate) async fn decide(&mut self, decision: Decision) {
        let (call, card) = self.card();
        self.command(Command::Decide {
            conversation: self.id,
            call,
            digest: card.digest,
            decision,
        })
        .await;
    }

    /// The outcomes of the calls, in their order.
    pub(crate) fn outcomes(&self) -> Vec<ToolOutcome> {
        let events = self.events().into_iter();
        let outcomes = events.filter_map(|event| match event.body {
            EventBody::ToolFinished { outcome, .. } => Some(outcome),
            _ => None,
        });
        outcomes.collect()
    }

    async fn command(&mut self, command: Command) {
        let before = self.events().len();
        self.commands += 1;
        let id = CommandId::new(Timestamp(1), self.commands);
        let user = UserId::new(Timestamp(0), 1);
        self.engine.command(user, id, command).await.unwrap();
        let is_rest = |event: &Event| {
            matches!(
                event.body,
                EventBody::TurnFinished { .. } | EventBody::ConfirmationRequested { .. }
            )
        };
        until("the turn rests", || {
            let events = self.events();
            let new = events.get(before..);
            new.is_some_and(|new| new.iter().any(is_rest))
        })
        .await;
    }
}
