//! The folder of a server that knows a field device and a script for it, and the device, which is played
//! here: it knows nothing of the server's death, and its own ledger says what it ran.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use async_trait::async_trait;
use field::field_package::policy::{FieldPolicy, PolicySettings};
use field_dispatch::{
    Dispatch, DispatchParts, DispatchSettings, EnrolmentOrder, RunApprovers, StartBrake,
    SystemDispatchClock, messages::EnrolMessage,
};
use field_tables::{
    FieldTables, NewFieldSite, NewProposal, NewVersion, PolicyCheck, ProposalForm, ProposalOutcome,
};
use serde_json::json;
use simfleet::{
    FleetDevice, FleetDeviceKey, FleetDeviceOptions, OfficeDevice, StepLedger, SystemSimFleetClock,
    protocol::{ENROL_KIND, EnrolmentParts},
    reported_capabilities,
};
use store::Store;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

use crate::{ground::Ground, process::data_of};

/// The proposal whose only version a scenario runs.
pub(crate) const PROPOSAL: &str = "pro_0123456789abcdefghijklmnop";
/// Its first step as the ledger names it, and the others.
pub(crate) const STEP: &str = "ran addresses";
pub(crate) const MORE_STEPS: &[&str] = &["ran routes"];

const SITE: &str = "crash";
const BY: &str = "server";
/// The server's name in what devices sign: that of a configuration without another.
const SERVER: &str = "jarvis";
const DEVICE: OfficeDevice = OfficeDevice::GatewayProbe;
const SEED: u64 = 13;
/// Seconds that the device waits for work.
const WAIT_S: u32 = 5;
/// Requests of the device for one that has no answer, and the pause before the second; it doubles.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(100);

/// A data folder to copy, in which the device is adopted and the script is proposed.
pub(crate) struct FieldGround {
    ground: Ground,
    /// Identifier of the device.
    pub(crate) device: String,
    /// The token with which it enrolled.
    token: String,
}

impl FieldGround {
    /// Lets the device into a copy of this folder.
    pub(crate) async fn make(ground: &Ground) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        ground.copy(folder.path())?;
        let data = data_of(folder.path());
        let store = Store::open(&data).await?;
        let tables = FieldTables::open(&store).await?;
        let parts = DispatchParts {
            tables: tables.clone(),
            data_folder: data,
            clock: Arc::new(SystemDispatchClock),
            brake: Arc::new(NoStarts),
            approvers: Arc::new(NoStarts),
            settings: DispatchSettings {
                server: SERVER.to_owned(),
                policy: FieldPolicy::new(&PolicySettings::default())?,
                oldest_runner: None,
            },
        };
        let dispatch = Box::pin(Dispatch::open(parts)).await?;
        let site = NewFieldSite {
            id: SITE.to_owned(),
            name: "Crash".to_owned(),
            covers_public: true,
        };
        dispatch.make_site(&site, BY).await?;
        let (device, token) = Box::pin(adopted(&dispatch)).await?;
        propose(&tables, &device, dispatch.now_ms()).await?;
        drop((dispatch, tables));
        store.close().await?;
        Ok(Self {
            ground: Ground::of(folder),
            device,
            token,
        })
    }

    pub(crate) fn ground(&self) -> &Ground {
        &self.ground
    }
}

/// The device's identifier and its token.
async fn adopted(dispatch: &Dispatch) -> anyhow::Result<(String, String)> {
    let order = EnrolmentOrder {
        site: SITE.to_owned(),
        name: "probe".to_owned(),
        hours: None,
        by: BY.to_owned(),
    };
    let token = dispatch.make_enrolment(&order).await?.token;
    let secret = EnrolmentParts::read(&token).context("an odd token")?.secret;
    let own = FleetDeviceKey::derived(SEED, DEVICE.name());
    let key = own.public_hex();
    let message = EnrolMessage {
        proof: own.sign(ENROL_KIND, format!("{secret}.{key}").as_bytes()),
        token: secret,
        key,
        facts: json!({ "simulated": true }),
        // A card is of one state of them: its hello changes nothing.
        capabilities: reported_capabilities(),
    };
    let id = Box::pin(dispatch.enrol(&message)).await?.device;
    dispatch.adopt_device(&id, &own.fingerprint(), BY).await?;
    Ok((id, token))
}

/// Proposes the script, which asks nobody outside and so has a low risk.
async fn propose(tables: &FieldTables, device: &str, now_ms: i64) -> anyhow::Result<()> {
    let proposal = NewProposal {
        id: PROPOSAL.to_owned(),
        device: device.to_owned(),
        title: "Look".to_owned(),
    };
    let steps = json!([{ "run": "addresses" }, { "run": "routes" }]);
    let risk = json!({
        "hash": "", "level": "low", "score": 0, "reasons": [], "refusals": [],
    });
    let version = NewVersion {
        cause: "a crash test".to_owned(),
        form: ProposalForm::Steps,
        content: json!({ "steps": steps, "stop_on_failure": false }).to_string(),
        rendering: "ip address\nip route\n".to_owned(),
        reasons: json!({ "why": "A look.", "expect": null }),
        made_by: "model".to_owned(),
        made_from: json!({}),
        check: PolicyCheck {
            at_ms: now_ms,
            policy_version: "1".to_owned(),
            risk,
        },
    };
    let made = tables.propose(&proposal, &version, now_ms).await?;
    ensure!(matches!(made, ProposalOutcome::Made(_)), "{made:?}");
    Ok(())
}

/// No run starts while a folder is made.
struct NoStarts;

#[async_trait]
impl StartBrake for NoStarts {
    async fn is_pulled(&self) -> bool {
        true
    }
}

#[async_trait]
impl RunApprovers for NoStarts {
    async fn may_approve(&self, _: &str) -> bool {
        false
    }
}

/// The device while servers come and go. It ends when this is dropped.
pub(crate) struct PlayedDevice {
    /// `host:port` of the server that is there now.
    server: watch::Sender<Option<String>>,
    ledger: StepLedger,
    _tasks: JoinSet<()>,
}

impl PlayedDevice {
    /// Starts it, without a server.
    pub(crate) async fn start(ground: &FieldGround) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let device = FleetDevice::new(FleetDeviceOptions {
            device: DEVICE,
            seed: SEED,
            clock: Arc::new(SystemSimFleetClock),
            server: format!("http://{}", listener.local_addr()?),
            enrolment: ground.token.clone(),
            pace: 0.0,
            wait_s: WAIT_S,
            tries: TRIES,
            pause: PAUSE,
            first_bundle: false,
        })?;
        let (server, reached) = watch::channel(None);
        let ledger = device.ledger();
        let mut tasks = JoinSet::new();
        tasks.spawn(forward(listener, reached));
        tasks.spawn(live(device));
        Ok(Self {
            server,
            ledger,
            _tasks: tasks,
        })
    }

    /// Tells the way to the server; none while there is no server.
    pub(crate) fn reach(&self, url: Option<&str>) {
        let address = url.map(|url| url.trim_start_matches("http://").to_owned());
        self.server.send_replace(address);
    }

    pub(crate) fn ledger(&self) -> StepLedger {
        self.ledger.clone()
    }
}

/// Turns of the device, one after the other.
async fn live(mut device: FleetDevice) {
    loop {
        // Without a server it tries again, as it does without work.
        if let Err(error) = Box::pin(device.turn()).await {
            tracing::debug!(%error, "turn of the device ended early");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A device knows one address, and each server has another: what comes here goes to the server that is
/// there now.
async fn forward(listener: TcpListener, reached: watch::Receiver<Option<String>>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((device, _)) = accepted {
                    let server = reached.borrow().clone();
                    connections.spawn(carry(device, server));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn carry(mut device: TcpStream, server: Option<String>) {
    let Some(server) = server else {
        return;
    };
    let Ok(mut server) = TcpStream::connect(server).await else {
        return;
    };
    // Either side may be gone at any time.
    tokio::io::copy_bidirectional(&mut device, &mut server)
        .await
        .ok();
}
