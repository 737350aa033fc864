//! The real toolset with a scripted model: mappings and queries are real, results are scripted.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{
        Assessment, ContextPart, OnStop, Preview, Progress, Reconciled, Tool, ToolCall, ToolError,
        ToolSpec, Toolset,
    },
};
use async_trait::async_trait;
use homelab::Homelab;
use protocol::{
    CallId, Command, CommandId, Confirmation, ConversationId, ErrorBody, ErrorCode, EventBody,
    Mode, Reference, Seq, Tier, Timestamp, ToolOutput, UserId,
};
use serde_json::{Value, json};
use testkit::{FixedEnv, MemoryJournal, Script, ScriptedModel};

use crate::{lab::Lab, sshd};

/// The kind of an entity whose description is hostile.
pub(super) const NOTE: &str = "note";

/// The toolset with its real mapping of names, but scripted results and actions.
pub(super) struct Played {
    pub(super) real: Homelab,
    pub(super) summary: Vec<ContextPart>,
    /// Text added to the summary, and the results of the next tools.
    pub(super) hostile: Mutex<Option<String>>,
    /// The description of a note.
    pub(super) note: Mutex<String>,
    pub(super) brings: Arc<Mutex<VecDeque<Result<String, String>>>>,
    pub(super) ran: Arc<Mutex<Vec<String>>>,
}

/// One of its tools.
struct PlayedTool {
    real: Arc<dyn Tool>,
    brings: Arc<Mutex<VecDeque<Result<String, String>>>>,
    ran: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Toolset for Played {
    fn name(&self) -> &'static str {
        self.real.name()
    }

    fn system_prompt(&self) -> String {
        String::new()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let played = |real| -> Arc<dyn Tool> {
            Arc::new(PlayedTool {
                real,
                brings: Arc::clone(&self.brings),
                ran: Arc::clone(&self.ran),
            })
        };
        self.real.tools().into_iter().map(played).collect()
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        let hostile = self.hostile.lock().unwrap().clone();
        let hostile = hostile.map(|text| ContextPart {
            source: "notes",
            data: Ok(json!({ "text": text })),
        });
        self.summary.iter().cloned().chain(hostile).collect()
    }

    fn refers(&self, reference: &Reference) -> bool {
        reference.kind == NOTE || self.real.refers(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        if reference.kind == NOTE {
            Ok(json!({ "text": *self.note.lock().unwrap() }))
        } else {
            self.real.describe(reference).await
        }
    }
}

#[async_trait]
impl Tool for PlayedTool {
    fn spec(&self) -> ToolSpec {
        self.real.spec()
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.real.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.real.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        self.real.assess(input)
    }

    fn on_stop(&self) -> OnStop {
        self.real.on_stop()
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        unreachable!("nothing is cut off")
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        Ok(Preview::new(format!("Run {}.", call.name), "a target"))
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        if self.real.spec().tier > Tier::Green {
            self.ran
                .lock()
                .unwrap()
                .push(format!("{} {}", call.name, call.input));
        }
        let brings = self.brings.lock().unwrap().pop_front();
        match brings.unwrap_or(Ok("nothing".to_owned())) {
            Ok(text) => Ok(ToolOutput {
                summary: "done".to_owned(),
                data: json!({ "log": text }),
                images: Vec::new(),
            }),
            Err(why) => Err(ToolError(ErrorBody::new(ErrorCode::ToolFailed, why))),
        }
    }
}

pub(super) struct World {
    pub(super) engine: Engine,
    pub(super) journal: Arc<MemoryJournal>,
    pub(super) tools: Arc<Played>,
    pub(super) scripts: Arc<Mutex<VecDeque<Script>>>,
    pub(super) user: UserId,
    next: Mutex<u128>,
    /// Keeps the folder with the SSH key.
    _folder: tempfile::TempDir,
}

impl World {
    pub(super) async fn new(lab: &Lab) -> Self {
        let mut config = lab.config(&lab.sim.admin_token());
        let services = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        config.services = [
            ("pve".to_owned(), services(&["smbd", "nginx", "nfs-server"])),
            (
                "Home".to_owned(),
                services(&["postfix", "nginx", "mosquitto"]),
            ),
        ]
        .into();
        let folder = tempfile::tempdir().unwrap();
        config.ssh = Some(sshd::nowhere(folder.path(), ["pve", "Home"]));
        let real = lab.connect(config);
        // Once is enough: the simulated cluster does not change.
        let summary = real.context(&[]).await;
        assert!(real.names().await.unwrap().len() > 10);
        let tools = Arc::new(Played {
            real,
            summary,
            hostile: Mutex::default(),
            note: Mutex::default(),
            brings: Arc::default(),
            ran: Arc::default(),
        });
        let scripts: Arc<Mutex<VecDeque<Script>>> = Arc::default();
        let left = Arc::clone(&scripts);
        let model = ScriptedModel::by(move |_| {
            let next = left.lock().unwrap().pop_front();
            next.unwrap_or_else(|| Script::say("Sir."))
        });
        let journal = Arc::new(MemoryJournal::new());
        let deps = Deps {
            journal: journal.clone(),
            model: Arc::new(model),
            toolsets: vec![tools.clone()],
            env: Arc::new(FixedEnv::default()),
        };
        Self {
            engine: Engine::new(deps, EngineConfig::new("scripted")).unwrap(),
            journal,
            tools,
            scripts,
            user: UserId::new(Timestamp(0), 1),
            next: Mutex::new(1),
            _folder: folder,
        }
    }

    pub(super) fn number(&self) -> u128 {
        let mut next = self.next.lock().unwrap();
        *next += 1;
        *next
    }

    pub(super) async fn command(&self, command: Command) {
        let id = CommandId::new(Timestamp(1), self.number());
        self.engine.command(self.user, id, command).await.unwrap();
    }

    pub(super) fn script(&self, script: Script) {
        self.scripts.lock().unwrap().push_back(script);
    }

    /// Starts a conversation with its toolset.
    pub(super) async fn start(
        &self,
        text: &str,
        from: Option<(ConversationId, protocol::MessageId)>,
        references: Vec<Reference>,
        mode: Mode,
    ) -> ConversationId {
        let conversation = ConversationId::new(Timestamp(1), self.number());
        let start = Command::Start {
            conversation,
            mode,
            text: text.to_owned(),
            from: from.map(|(from, _)| from),
            plan: from.map(|(_, plan)| plan),
            choice: None,
            references,
            packs: None,
        };
        self.command(start).await;
        conversation
    }

    /// The next card after an event; `None` if the turn ends before.
    pub(super) async fn question(
        &self,
        conversation: ConversationId,
        after: &mut Seq,
    ) -> Option<(CallId, Confirmation)> {
        for _ in 0..20_000 {
            for event in self.journal.events(conversation) {
                if event.seq <= *after {
                    continue;
                }
                *after = event.seq;
                match event.body {
                    EventBody::ConfirmationRequested {
                        call, confirmation, ..
                    } => return Some((call, *confirmation)),
                    EventBody::TurnFinished { .. } => return None,
                    _ => {}
                }
            }
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        panic!("nothing happens any more");
    }
}
