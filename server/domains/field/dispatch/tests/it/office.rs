//! A server with one site, its dispatch served over HTTP, and devices of the simulated office.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use field_dispatch::{
    Dispatch, DispatchClock, DispatchError, DispatchParts, DispatchSettings, EnrolmentOrder,
    JobOrder, RunApprovers, RunnerVersion, StartBrake,
};
use field_package::ids::{DeviceId, Fingerprint, JobId, PackageNonce, Sha256Hex, SiteId};
use field_package::levels::SandboxLevel;
use field_package::manifest::{
    ApprovalStamp, JobCaps, JobManifest, JobNetwork, ManifestForm, PayloadStamp, PolicyStamp,
    RiskStamp, WORKDIR,
};
use field_package::policy::{
    FieldPolicy, PolicySettings, RiskReport, ScriptFacts, ScriptSurroundings,
};
use field_package::script::{ProbeScript, STEPS_TYPE, StepsPayload};
use field_tables::{DeviceChange, FieldTables, JobRecord, LogStream, NewFieldSite};
use serde_json::{Value, json};
use simfleet::{
    DeviceTurn, FleetDevice, FleetDeviceOptions, ManualSimFleetClock, OfficeDevice,
    SimFleetClock as _,
};
use store::Store;

use crate::adapter::{Served, serve};

/// Friday, 27 November 2026, 11:00:00 UTC.
pub(crate) const START: u64 = 1_795_777_200;
pub(crate) const SITE: &str = "nordlicht";
pub(crate) const ANN: &str = "user_ann";
pub(crate) const SERVER: &str = "jarvis.example";

#[derive(Clone)]
struct TestClock(ManualSimFleetClock);

impl DispatchClock for TestClock {
    fn now_ms(&self) -> i64 {
        self.0.now_ms().try_into().unwrap()
    }
}

#[derive(Clone, Default)]
pub(crate) struct TestBrake(Arc<AtomicBool>);

impl TestBrake {
    pub(crate) fn pull(&self, on: bool) {
        self.0.store(on, Ordering::SeqCst);
    }
}

#[async_trait::async_trait]
impl StartBrake for TestBrake {
    async fn is_pulled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Everybody may approve, but for those who were lost.
#[derive(Clone, Default)]
pub(crate) struct TestApprovers(Arc<Mutex<BTreeSet<String>>>);

impl TestApprovers {
    pub(crate) fn lose(&self, name: &str) {
        self.0.lock().unwrap().insert(name.to_owned());
    }
}

#[async_trait::async_trait]
impl RunApprovers for TestApprovers {
    async fn may_approve(&self, name: &str) -> bool {
        !self.0.lock().unwrap().contains(name)
    }
}

pub(crate) struct Office {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) store: Store,
    pub(crate) tables: FieldTables,
    pub(crate) dispatch: Dispatch,
    pub(crate) served: Served,
    pub(crate) clock: ManualSimFleetClock,
    pub(crate) brake: TestBrake,
    pub(crate) approvers: TestApprovers,
    calls: u32,
}

pub(crate) fn settings() -> DispatchSettings {
    DispatchSettings {
        server: SERVER.to_owned(),
        policy: FieldPolicy::new(&PolicySettings::default()).unwrap(),
        oldest_runner: Some(RunnerVersion(1, 2, 0)),
    }
}

impl Office {
    pub(crate) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let closed = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder.path(), closed).unwrap();
        let clock = ManualSimFleetClock::at(START);
        let office = Self::open_in(folder, clock, settings(), None).await;
        let site = NewFieldSite {
            id: SITE.to_owned(),
            name: "Nordlicht office".to_owned(),
            covers_public: true,
        };
        office.dispatch.make_site(&site, ANN).await.unwrap();
        office
    }

    async fn open_in(
        folder: tempfile::TempDir,
        clock: ManualSimFleetClock,
        settings: DispatchSettings,
        address: Option<SocketAddr>,
    ) -> Self {
        let store = Store::open(folder.path()).await.unwrap();
        let tables = FieldTables::open(&store).await.unwrap();
        let brake = TestBrake::default();
        let approvers = TestApprovers::default();
        let parts = DispatchParts {
            tables: tables.clone(),
            data_folder: folder.path().to_owned(),
            clock: Arc::new(TestClock(clock.clone())),
            brake: Arc::new(brake.clone()),
            approvers: Arc::new(approvers.clone()),
            settings,
        };
        let dispatch = Dispatch::open(parts).await.unwrap();
        Self {
            served: serve(&dispatch, address).await,
            folder,
            store,
            tables,
            dispatch,
            clock,
            brake,
            approvers,
            calls: 0,
        }
    }

    /// The same after the server was stopped and started again.
    pub(crate) async fn reopened(self, settings: DispatchSettings) -> Self {
        self.reopened_after(settings, |_| {}).await
    }

    /// The same, with something that is done to the data folder in between.
    pub(crate) async fn reopened_after(
        self,
        settings: DispatchSettings,
        meanwhile: impl FnOnce(&Path),
    ) -> Self {
        let Self {
            folder,
            store,
            tables,
            dispatch,
            served,
            clock,
            brake,
            approvers,
            calls,
        } = self;
        let address = served.stop().await;
        drop((tables, dispatch, brake, approvers));
        store.close().await.unwrap();
        drop(store);
        meanwhile(folder.path());
        let office = Self::open_in(folder, clock, settings, Some(address)).await;
        Self { calls, ..office }
    }

    pub(crate) async fn refused_to_open(&self, settings: DispatchSettings) -> DispatchError {
        let parts = DispatchParts {
            tables: self.tables.clone(),
            data_folder: self.folder.path().to_owned(),
            clock: Arc::new(TestClock(self.clock.clone())),
            brake: Arc::new(self.brake.clone()),
            approvers: Arc::new(self.approvers.clone()),
            settings,
        };
        Dispatch::open(parts).await.err().unwrap()
    }

    pub(crate) async fn token(&self, name: &str) -> String {
        let order = EnrolmentOrder {
            site: SITE.to_owned(),
            name: name.to_owned(),
            hours: None,
            by: ANN.to_owned(),
        };
        self.dispatch.make_enrolment(&order).await.unwrap().token
    }

    pub(crate) fn options(&self, device: OfficeDevice, token: String) -> FleetDeviceOptions {
        FleetDeviceOptions {
            device,
            seed: 7,
            clock: Arc::new(self.clock.clone()),
            server: self.served.url.clone(),
            enrolment: token,
            pace: 0.0,
            wait_s: 0,
            tries: 2,
            pause: Duration::ZERO,
            first_bundle: false,
        }
    }

    /// A device that has enrolled and was adopted.
    pub(crate) async fn adopted(&self, device: OfficeDevice) -> FleetDevice {
        let token = self.token(device.name()).await;
        let options = self.options(device, token);
        self.adopt(FleetDevice::new(options).unwrap()).await
    }

    pub(crate) async fn adopt(&self, mut device: FleetDevice) -> FleetDevice {
        let turn = Box::pin(device.turn()).await.unwrap();
        assert_eq!(turn, DeviceTurn::Waiting("waiting".to_owned()));
        let (id, fingerprint) = (self.id_of(&device).await, device.fingerprint());
        let change = self
            .dispatch
            .adopt_device(&id, &fingerprint, ANN)
            .await
            .unwrap();
        assert!(matches!(change, DeviceChange::Changed(_)));
        device
    }

    /// The identifier that the server gave a device.
    pub(crate) async fn id_of(&self, device: &FleetDevice) -> String {
        let devices = self.tables.devices(None).await.unwrap();
        let found = devices
            .into_iter()
            .find(|it| it.fingerprint == device.fingerprint());
        found.unwrap().id
    }

    /// An approved script for a device.
    pub(crate) async fn order(&mut self, device: &FleetDevice, steps: &Value) -> JobOrder {
        let fingerprint = Fingerprint::new(&device.fingerprint()).unwrap();
        let id = self.id_of(device).await;
        self.approved(&id, &fingerprint, steps)
    }

    /// A short script for a device of this identifier and key.
    pub(crate) fn order_for(&mut self, id: &str, fingerprint: &Fingerprint) -> JobOrder {
        self.approved(id, fingerprint, &look())
    }

    fn approved(&mut self, id: &str, fingerprint: &Fingerprint, steps: &Value) -> JobOrder {
        self.calls += 1;
        let steps: Vec<_> = serde_json::from_value(steps.clone()).unwrap();
        let script = ProbeScript::new(&steps, false).unwrap();
        let around = ScriptSurroundings::default();
        let facts = ScriptFacts::of_steps(&script, &around);
        let policy = FieldPolicy::new(&PolicySettings::default()).unwrap();
        let report = RiskReport::new(&facts, &around, &policy);
        let payload = StepsPayload::bytes(&script);
        let raw = !facts.raw.is_empty();
        let manifest = JobManifest {
            v: 1,
            // Of no use: the dispatch gives its own.
            job: JobId::new(&format!("run_{:026}", 0)).unwrap(),
            device: DeviceId::new(id).unwrap(),
            device_key: fingerprint.clone(),
            site: SiteId::new(SITE).unwrap(),
            seq: 99,
            nonce: PackageNonce::new(&"00".repeat(16)).unwrap(),
            issued: 1,
            not_before: 1,
            expires: 2,
            form: ManifestForm::Steps,
            interpreter: None,
            payload: PayloadStamp::of(&payload, STEPS_TYPE),
            args: Vec::new(),
            env: BTreeMap::new(),
            workdir: WORKDIR.to_owned(),
            timeout_s: script.seconds() + 30,
            claim_until: 1,
            caps: JobCaps::default(),
            net: JobNetwork::of(&facts),
            raw,
            sandbox_min: if raw {
                SandboxLevel::Systemd
            } else {
                SandboxLevel::Bubblewrap
            },
            policy: PolicyStamp {
                hash: Sha256Hex::new(&report.policy_hash).unwrap(),
                version: report.policy_version,
            },
            risk: RiskStamp::of(&report),
            approval: ApprovalStamp {
                digest: Sha256Hex::digest(b"what was shown"),
                by: BTreeSet::from(["Ann".to_owned(), "Ben".to_owned()]),
                at: START - 5,
            },
            server: String::new(),
        };
        JobOrder {
            call: format!("call {}", self.calls),
            manifest,
            payload,
            proposal: None,
            about: json!({ "title": "Evidence" }),
            claim_until_s: self.clock.now_ms() / 1000 + 600,
            by: ANN.to_owned(),
        }
    }

    /// Queues a script for a device.
    pub(crate) async fn queued(&mut self, device: &FleetDevice, steps: &Value) -> JobRecord {
        let order = self.order(device, steps).await;
        self.dispatch.queue_job(&order).await.unwrap()
    }

    pub(crate) async fn job(&self, id: &str) -> JobRecord {
        self.dispatch.job(id).await.unwrap().unwrap()
    }

    pub(crate) async fn log(&self, job: &str, stream: LogStream) -> String {
        let read = self.tables.read_log(job, stream, Some(0), usize::MAX);
        String::from_utf8(read.await.unwrap().bytes).unwrap()
    }

    /// Records of the steps of a job that have ended.
    pub(crate) async fn steps(&self, job: &str) -> Vec<Value> {
        let text = self.log(job, LogStream::Step).await;
        let lines = text.lines().map(|it| serde_json::from_str(it).unwrap());
        lines.filter(|it: &Value| !it["end"].is_null()).collect()
    }

    /// Requests whose path ends like this, so far.
    pub(crate) fn requests(&self, end: &str) -> usize {
        let seen = self.served.seen.lock().unwrap();
        seen.iter().filter(|path| path.ends_with(end)).count()
    }

    pub(crate) fn lose(&self, end: &'static str, times: u32) {
        self.served.losses.lock().unwrap().insert(end, times);
    }
}

/// The four steps that tell why the meeting room is slow.
pub(crate) fn evidence() -> Value {
    json!([
        { "run": "ping", "target": "192.168.41.1", "count": 4 },
        { "run": "neighbours" },
        { "run": "sweep", "interface": "eth0", "network": "192.168.41.0/24" },
        { "run": "capture", "interface": "eth0", "filter": "arp", "count": 20, "seconds": 20 },
    ])
}

/// A short script without packet sockets.
pub(crate) fn look() -> Value {
    json!([{ "run": "links" }, { "run": "wait", "seconds": 2 }])
}
