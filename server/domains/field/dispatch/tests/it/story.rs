//! Both halves together: the toolset's tools on the dispatch, with a simulated device that works over HTTP.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::ports::{Approval, CallActor, CallOrigin, Env, Progress, Tool, ToolCall, Toolset as _};
use async_trait::async_trait;
use field::field_package::policy::NamedDestinations;
use field::ports::{FieldPorts, FieldRuns as _};
use field::{Field, FieldConfig};
use field_dispatch::{BackendParts, CoverSource, FieldBackend, LookRights};
use protocol::{CallId, ConversationId, ErrorBody, Tier, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};
use simfleet::{
    FleetDevice, FleetDeviceOptions, ManualSimFleetClock, OfficeDevice, SimFleetClock as _,
};
use tokio::task::JoinHandle;

use crate::office::{Office, SITE, evidence};

struct Everybody;

#[async_trait]
impl LookRights for Everybody {
    async fn may_see_values(&self, _person: UserId) -> bool {
        true
    }

    async fn name(&self, _: UserId) -> Option<String> {
        Some("Ann".to_owned())
    }
}

/// The clock of the office.
struct OfficeEnv(ManualSimFleetClock);

impl Env for OfficeEnv {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.now_ms() as i64)
    }

    fn random(&self) -> u128 {
        7
    }
}

struct Story {
    office: Office,
    field: Field,
    device: String,
    tasks: Vec<JoinHandle<()>>,
}

impl Drop for Story {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

pub(crate) async fn ports(office: &Office) -> (FieldPorts, Arc<FieldBackend>) {
    let parts = BackendParts {
        rights: Arc::new(Everybody),
        named: NamedDestinations::default(),
        server_names: BTreeSet::new(),
    };
    let backend = FieldBackend::open(office.dispatch.clone(), parts)
        .await
        .unwrap();
    let ports = FieldPorts {
        memory: backend.clone(),
        values: backend.clone(),
        bundles: backend.clone(),
        proposals: backend.clone(),
        runs: backend.clone(),
        administration: backend.clone(),
        env: Arc::new(OfficeEnv(office.clock.clone())),
    };
    (ports, backend)
}

impl Story {
    /// An office whose device lives: it asks for work all the time.
    async fn begin(kind: OfficeDevice) -> Self {
        let office = Office::open().await;
        let token = office.token(kind.name()).await;
        let options = FleetDeviceOptions {
            wait_s: 5,
            ..office.options(kind, token)
        };
        let mut device = office.adopt(FleetDevice::new(options).unwrap()).await;
        let id = office.id_of(&device).await;
        let (ports, backend) = ports(&office).await;
        let field = Field::new(FieldConfig::default(), ports).unwrap();
        let life = tokio::spawn(async move {
            loop {
                Box::pin(device.turn()).await.unwrap();
            }
        });
        let follow = tokio::spawn(async move { backend.follow().await });
        Self {
            office,
            field,
            device: id,
            tasks: vec![life, follow],
        }
    }

    fn tool(&self, name: &str) -> Arc<dyn Tool> {
        let mut tools = self.field.tools().into_iter();
        tools.find(|tool| tool.spec().name == name).unwrap()
    }

    /// Runs a call as the engine does: what a person approves is shown just before, and again if what is known
    /// of the office has grown in between, which its devices see to at any time.
    async fn run(&self, call: ToolCall) -> Result<ToolOutput, ErrorBody> {
        let tool = self.tool(&call.name);
        let mut again = 3;
        loop {
            if tool.spec().tier == Tier::Red {
                tool.preview(&call).await?;
            }
            let done = tool.call(call.clone(), Progress::ignored()).await;
            match done.map_err(|error| error.0) {
                Err(error) if again > 0 && error.message.contains("not what its card showed") => {
                    again -= 1;
                }
                done => return done,
            }
        }
    }

    async fn call(&self, number: u128, name: &str, input: Value) -> ToolOutput {
        self.run(call(number, name, input)).await.unwrap()
    }
}

fn call(number: u128, name: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), number),
        name: name.to_owned(),
        input,
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            person: UserId::new(Timestamp(1), 1),
            turn: None,
            message: None,
            actor: CallActor::Model,
        },
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_is_the_meeting_room_so_slow() {
    let story = Story::begin(OfficeDevice::MeetingRoom).await;
    let device = story.device.clone();
    let mut read = Vec::new();
    let collected = story
        .call(1, "collect_diagnostics", json!({ "device": device }))
        .await;
    read.push(collected.data.to_string());
    let gateway = story
        .office
        .dispatch
        .cover(SITE, "192.168.41.1", CoverSource::Outside);
    let gateway = gateway.await.unwrap().text;
    let bundle = collected.data["bundle"].as_str().unwrap().to_owned();
    let input = json!({ "device": device, "bundle": bundle, "section": "neighbours" });
    let seen = story.call(2, "get_diagnostics", input).await;
    assert!(seen.data.to_string().contains(&gateway), "{}", seen.data);
    read.push(seen.data.to_string());
    let proposed = story
        .call(3, "propose_script", json!({
            "device": device, "title": "Who answers for the gateway?",
            "why": "Two machines may have its address.",
            "steps": [{ "run": "ping", "target": gateway, "count": 4 }, { "run": "neighbours" }],
        }))
        .await;
    read.push(proposed.data.to_string());
    let (proposal, version) = (
        proposed.data["proposal"].clone(),
        proposed.data["version"].clone(),
    );
    let input = json!({ "proposal": proposal, "version": version, "device": device });
    let refused = story
        .run(call(4, "run_script", input.clone()))
        .await
        .unwrap_err();
    assert_eq!(
        story.office.requests("/start"),
        0,
        "nothing runs without an approval: {refused:?}"
    );
    let approved = ToolCall {
        approval: Some(Approval {
            digest: "ab".repeat(32),
            by: vec!["Ann".to_owned()],
            at: Timestamp(story.office.clock.now_ms() as i64),
        }),
        ..call(5, "run_script", input)
    };
    let done = story.run(approved.clone()).await.unwrap();
    let text = done.data.to_string();
    assert!(text.contains("(DUP!)") && text.contains(&gateway), "{text}");
    read.push(text);
    // The same call again, as after a crash: the same run, and no second start.
    let again = story.run(approved).await.unwrap();
    assert_eq!(again.data["run"], done.data["run"]);
    assert_eq!(story.office.requests("/start"), 1);
    // Whatever a model reads of all this has none of the office's values.
    for text in &read {
        for value in ["192.168.41", "7c:10:c9", "meeting-room-probe"] {
            assert!(!text.contains(value), "{value}: {text}");
        }
        let leak = story
            .office
            .dispatch
            .leaks(SITE, text.clone().into_bytes())
            .await
            .unwrap();
        assert_eq!(leak, None, "{text}");
    }
}

/// The same contract as the ports in memory, on which the toolset's own tests rest.
#[tokio::test]
async fn the_ports_on_the_dispatch_keep_the_contract() {
    let office = Office::open().await;
    let device = office.adopted(OfficeDevice::Reception).await;
    let id = office.id_of(&device).await;
    let other = field_tables::NewFieldSite {
        id: "depot".to_owned(),
        name: "Depot".to_owned(),
        covers_public: true,
    };
    office.dispatch.make_site(&other, "ann").await.unwrap();
    let (ports, _) = ports(&office).await;
    field_testkit::contract::values(&ports, SITE, "depot").await;
    field_testkit::contract::proposals(&ports, &id).await;
    field_testkit::contract::runs(&ports, &id).await;
}

/// A record with the revision of the end and the phase from before it would be waited on for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_a_run_is_seen_whenever_one_looks() {
    let mut office = Office::open().await;
    let device = office.adopted(OfficeDevice::MeetingRoom).await;
    let (_, backend) = ports(&office).await;
    for number in 1..=16 {
        let mut order = office.order(&device, &evidence()).await;
        order.call = CallId::new(Timestamp(5), number).to_string();
        let id = office.dispatch.queue_job(&order).await.unwrap().id;
        let queued = backend.run(&id).await.unwrap().unwrap();
        let (cancelled, changed) = tokio::join!(
            office.dispatch.cancel_job(&id, "not needed", "user_ann"),
            backend.run_after(&id, queued.revision),
        );
        cancelled.unwrap();
        let changed = changed.unwrap();
        assert!(changed.phase.never_ran(), "{changed:?}");
    }
}
