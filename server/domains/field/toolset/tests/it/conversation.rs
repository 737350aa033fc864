//! A whole conversation with the engine: what the model is sent, and who lets a run through.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{ModelRequest, Person},
};
use field_testkit::office::{BUNDLE, OFFICE, REMOTE, ROOM};
use protocol::{
    BlockedReason, CallId, Command, CommandId, Confirmation, ConversationId, Decision, ErrorBody,
    ErrorCode, EventBody, Reference, Role, Timestamp, ToolOutcome, UserId,
};
use serde_json::{Value, json};
use testkit::{MemoryJournal, Script, ScriptedModel};

use crate::stub::{Stub, person};

/// A question with values of the office in it.
const QUESTION: &str =
    "Why is 10.20.0.1 slow from the meeting room, and who is werkbank? SSID Kaminzimmer.";

struct Talk {
    stub: Stub,
    engine: Engine,
    journal: Arc<MemoryJournal>,
    model: Arc<ScriptedModel>,
    conversation: ConversationId,
    ids: AtomicU64,
}

fn other() -> UserId {
    UserId::new(Timestamp(0), 2)
}

impl Talk {
    /// A conversation that begins with a bundle of the office.
    async fn start(scripts: Vec<Script>) -> Self {
        let stub = Stub::new();
        let journal = Arc::new(MemoryJournal::new());
        let model = Arc::new(ScriptedModel::in_order(scripts));
        let deps = Deps {
            journal: journal.clone(),
            model: model.clone(),
            toolsets: vec![Arc::new(stub.field.clone())],
            env: stub.env.clone(),
        };
        let engine = Engine::new(deps, EngineConfig::new("scripted-model")).unwrap();
        journal.set_role(other(), Some(Role::Operator));
        let talk = Self {
            stub,
            engine,
            journal,
            model,
            conversation: ConversationId::new(Timestamp(1), 77),
            ids: AtomicU64::new(1),
        };
        let mut start = Command::start(talk.conversation, QUESTION);
        if let Command::Start { references, .. } = &mut start {
            references.push(Reference::new("bundle", BUNDLE));
        }
        talk.command(person(), start).await.unwrap();
        talk
    }

    async fn command(&self, who: impl Into<Person>, command: Command) -> Result<(), ErrorBody> {
        let number = self.ids.fetch_add(1, Ordering::Relaxed);
        let id = CommandId::new(Timestamp(1), number.into());
        self.engine.command(who, id, command).await
    }

    fn bodies(&self) -> Vec<EventBody> {
        let events = self.journal.events(self.conversation).into_iter();
        events.map(|event| event.body).collect()
    }

    /// Waits for an event.
    async fn wait<T>(&self, find: impl Fn(&EventBody) -> Option<T>) -> T {
        for _ in 0..2_000 {
            if let Some(found) = self.bodies().iter().find_map(&find) {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it did not come: {:#?}", self.bodies());
    }

    async fn card(&self) -> (CallId, Confirmation) {
        self.wait(|body| match body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => Some((*call, (**confirmation).clone())),
            _ => None,
        })
        .await
    }

    async fn end(&self) {
        let finished = |body: &EventBody| matches!(body, EventBody::TurnFinished { .. });
        self.wait(|body| finished(body).then_some(())).await;
    }

    async fn approve(
        &self,
        who: UserId,
        (call, card): &(CallId, Confirmation),
        word: Option<&str>,
    ) -> Result<(), ErrorBody> {
        let decide = Command::Decide {
            conversation: self.conversation,
            call: *call,
            digest: card.digest.clone(),
            decision: Decision::Approve {
                grant: None,
                word: word.map(str::to_owned),
            },
        };
        self.command(who, decide).await
    }

    /// No byte of any request has a hidden value, and none that was withheld was sent.
    fn is_covered(&self) {
        let values = self.stub.memory.hidden_values();
        let values: Vec<_> = values.iter().filter(|value| value.len() > 4).collect();
        assert!(values.len() > 15);
        for request in self.model.requests() {
            let text = bytes(&request).to_lowercase();
            for value in &values {
                assert!(!text.contains(&value.to_lowercase()), "{value} in {text}");
            }
        }
    }
}

fn bytes(request: &ModelRequest) -> String {
    let tools = request.tools.as_ref().map_or("", |tools| tools.get());
    let blocks = request.messages.iter().flat_map(|it| &it.content);
    let blocks: String = blocks.map(|block| block.get()).collect();
    format!("{}{tools}{blocks}", request.system)
}

fn proposal() -> String {
    // A probe took the number before.
    format!("pro_{:026}", 102)
}

fn probe(target: &str) -> Value {
    json!({ "device": ROOM, "step": { "run": "ping", "target": target } })
}

#[tokio::test(start_paused = true)]
async fn a_run_of_high_risk_from_the_question_to_the_results() {
    let section = json!({ "device": ROOM, "bundle": BUNDLE, "section": "neighbours" });
    let steps =
        json!([{ "run": "ping", "target": "ip-s1-n1.1" }, { "run": "ping", "target": "9.9.9.9" }]);
    let propose = json!({ "device": ROOM, "title": "Both ends", "why": "Loss.", "steps": steps });
    let run = json!({ "proposal": proposal(), "version": 1, "device": ROOM });
    let talk = Talk::start(vec![
        Script::new().call("a", "get_diagnostics", section),
        Script::new().call("b", "run_probe", probe("ip-s1-n1.1")),
        Script::new().call("c", "propose_script", propose),
        Script::new().text("May I?").call("d", "run_script", run),
        Script::say("Half of the packets to ip-s1-n1.1 are lost."),
    ])
    .await;
    let card = talk.card().await;
    // The probe ran unasked: the bundle that the question names means its device, and the target is in
    // the site's own network.
    let orders = talk.stub.memory.orders();
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0].approval.by, ["rule: probe of low risk"]);
    // One person is not enough, whoever approves, and the word has to be typed.
    assert!(card.1.second.is_some());
    let refused = talk.approve(person(), &card, Some("meeting room")).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::DecisionNotAllowed);
    let refused = talk.approve(other(), &card, None).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::WordNotTyped);
    assert_eq!(talk.stub.memory.orders().len(), 1);
    talk.approve(other(), &card, Some("meeting room"))
        .await
        .unwrap();
    talk.end().await;
    let orders = talk.stub.memory.orders();
    assert_eq!(orders.len(), 2);
    let names = [person().to_string(), other().to_string()];
    assert_eq!(orders[1].approval.by, names);
    assert_eq!(orders[1].approval.digest, card.1.digest);
    assert_eq!(orders[1].call, card.0);
    assert!(talk.stub.memory.effects().values().all(|count| *count == 1));
    let results = talk.bodies().into_iter().filter_map(|body| match body {
        EventBody::ToolFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    let failed = results.filter(|it| !matches!(it, ToolOutcome::Succeeded { .. }));
    assert_eq!(failed.count(), 0);
    // The person reads their own words, and the model tokens.
    let last = talk.model.requests().pop().unwrap();
    let text = bytes(&last);
    assert!(text.contains("Why is ip-s1-n1.1 slow from the meeting room, and who is host-s1-1?"));
    assert!(
        text.contains("Legend of the tokens"),
        "the bundle goes along"
    );
    assert_eq!(talk.model.requests().len(), 5);
    talk.is_covered();
}

/// What a hijacked model may try: each attempt is blocked with a reason that has no value in it, and
/// nothing runs.
#[tokio::test(start_paused = true)]
async fn a_hijacked_model_gets_nothing_through() {
    let attempts = [
        ("run_probe", probe("ip-s2-n1.1")),
        ("run_probe", probe("ip-s1-n9.9")),
        ("run_probe", probe("ssid-s1-1")),
        (
            "run_probe",
            json!({ "device": ROOM, "step": { "run": "capture", "interface": "eth0", "filter": "arp" } }),
        ),
        (
            "run_probe",
            json!({ "device": ROOM, "step": { "run": "sh", "target": "id" } }),
        ),
        (
            "run_probe",
            json!({ "device": ROOM, "step": { "run": "ping", "target": "ip-s1-n1.1" }, "approved": true }),
        ),
        ("reboot_device", json!({ "device": ROOM })),
        ("change_network", json!({ "device": ROOM })),
        ("adopt_device", json!({ "device": ROOM })),
        ("reveal", json!({ "token": "ip-s1-n1.1" })),
    ];
    let mut script = Script::new();
    for (number, (tool, input)) in attempts.iter().enumerate() {
        script = script.call(&format!("x{number}"), tool, input.clone());
    }
    let elsewhere = Script::new().call("y", "get_device", json!({ "device": REMOTE }));
    let talk = Talk::start(vec![script, elsewhere, Script::say("No.")]).await;
    talk.end().await;
    let blocked = talk.bodies().into_iter().filter_map(|body| match body {
        EventBody::ToolBlocked { reason, .. } => Some(reason),
        _ => None,
    });
    let blocked: Vec<BlockedReason> = blocked.collect();
    assert_eq!(blocked.len(), attempts.len(), "{blocked:?}");
    let failed = talk.bodies().into_iter().any(|body| {
        matches!(body, EventBody::ToolFinished { outcome: ToolOutcome::Failed { error }, .. }
            if error.message.starts_with("This conversation is about another site."))
    });
    assert!(failed, "a device of another site is not read");
    assert!(talk.stub.memory.orders().is_empty());
    talk.is_covered();
    assert_ne!(OFFICE, REMOTE);
}

/// A target on the internet that a stranger's text brought up is asked for, and the card shows the value.
#[tokio::test(start_paused = true)]
async fn a_planted_target_is_asked_for() {
    let section = json!({ "device": ROOM, "bundle": BUNDLE, "section": "neighbours" });
    let talk = Talk::start(vec![
        Script::new().call("a", "get_diagnostics", section),
        Script::new().call("b", "run_probe", probe("pub-s1-1")),
        Script::new().call("c", "run_probe", probe("leak-of-secrets.example")),
        Script::say("Denied."),
    ])
    .await;
    let (call, card) = talk.card().await;
    assert!(talk.stub.memory.orders().is_empty());
    assert_eq!(card.input["step"]["target"], "pub-s1-1");
    let shown = card.shown.unwrap();
    assert_eq!(shown["step"]["target"], "81.2.69.142");
    let deny = Command::Decide {
        conversation: talk.conversation,
        call,
        digest: card.digest,
        decision: Decision::Deny {
            comment: Some("81.2.69.142 is not ours".to_owned()),
        },
    };
    talk.command(person(), deny).await.unwrap();
    // A name that the model made up would tell its servers whatever is in it.
    let (made_up, card) = talk
        .wait(|body| match body {
            EventBody::ConfirmationRequested {
                call: asked,
                confirmation,
                ..
            } if *asked != call => Some((*asked, (**confirmation).clone())),
            _ => None,
        })
        .await;
    let deny = Command::Decide {
        conversation: talk.conversation,
        call: made_up,
        digest: card.digest,
        decision: Decision::Deny { comment: None },
    };
    talk.command(person(), deny).await.unwrap();
    talk.end().await;
    assert!(talk.stub.memory.orders().is_empty());
    talk.is_covered();
}
