//! A device as small as it can be: a session, polls for work, and runs that write lines with an instant in them.
//! It checks no package; `simfleet` and the runner do that.

use std::{
    fmt::Write as _,
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use simfleet::protocol::{BASE, CLAIM_HEADER, SCHEME, SESSION_KIND};
use tokio::time::{sleep, timeout};

use super::{
    fleet::{FilledDevice, SERVER, capabilities, facts},
    http::{ConnectionAnswer, ConnectionRequest, OpenConnection},
    shared::{LINE_PAUSE, SharedFleet, line},
};
use crate::clock;

const JSON: &str = "application/json";
const OCTETS: &str = "application/octet-stream";
const AGENT: &str = "user-agent: jarvis-simfleet/0.1.0 (simulated)\r\n";
/// Time between two renewals of a lease of 30 seconds.
const RENEW: Duration = Duration::from_secs(10);

pub(super) struct BenchDevice {
    filled: FilledDevice,
    connection: OpenConnection,
    /// Headers of a session.
    headers: String,
    wait_s: u32,
}

/// A run that this device has claimed.
struct ClaimedRun {
    job: String,
    epoch: u64,
    claim: String,
}

impl BenchDevice {
    /// Opens a session and says hello.
    pub(super) async fn connect(address: &str, filled: FilledDevice, wait_s: u32) -> Result<Self> {
        let mut device = Self {
            connection: OpenConnection::open(address).await?,
            filled,
            headers: AGENT.to_owned(),
            wait_s,
        };
        let id = device.filled.id.clone();
        let ask = json!({ "device": id });
        let challenge: Value = device.send("POST", "session", &ask).await?.json()?;
        let nonce = challenge["nonce"].as_str().context("no nonce")?;
        let instance = digits::<8>();
        let text = format!("{id}.{nonce}.{instance}.{SERVER}");
        let signature = device.filled.key.sign(SESSION_KIND, text.as_bytes());
        let proof = json!({
            "device": id, "nonce": nonce, "instance": instance, "signature": signature,
        });
        let opened: Value = device.send("PUT", "session", &proof).await?.json()?;
        let token = opened["token"].as_str().context("no session")?;
        device.headers = format!("{AGENT}authorization: {SCHEME} {token}\r\n");
        let hello = json!({
            "instance": instance, "facts": facts(), "capabilities": capabilities(),
            "root_version": 1, "clock": {}, "journal": [],
        });
        device.send("POST", "hello", &hello).await?;
        Ok(device)
    }

    /// Waits for work and does it, without an end.
    pub(super) async fn live(mut self, shared: Rc<SharedFleet>) -> Result<()> {
        // Devices that connected together do not ask together.
        let wait_ms = u64::from(self.wait_s) * 1_000;
        sleep(Duration::from_millis(
            rand::random::<u64>() % wait_ms.max(1),
        ))
        .await;
        loop {
            let claim = digits::<32>();
            let body = json!({
                "request": digits::<16>(), "claim": claim, "wait_s": self.wait_s,
            });
            let answer = self.send("POST", "claim", &body).await?;
            shared.polls.set(shared.polls.get() + 1);
            if answer.status == 204 {
                continue;
            }
            let claimed = clock::now();
            let work: Value = answer.json()?;
            ensure!(work["kind"] == "job", "work that nobody ordered: {work}");
            let run = ClaimedRun {
                job: work["job"].as_str().context("no job")?.to_owned(),
                epoch: work["epoch"].as_u64().context("no epoch")?,
                claim,
            };
            let start = json!({
                "epoch": run.epoch, "claim": run.claim, "nonce": digits::<16>(),
                "sandbox": "systemd", "clock": {},
            });
            let path = format!("jobs/{}/start", run.job);
            self.send("POST", &path, &start).await?;
            shared.began(&self.filled.id, &run.job, claimed);
            Box::pin(self.write(&run, &shared)).await?;
        }
    }

    /// Writes the lines of a run once it may, and ends it.
    async fn write(&mut self, run: &ClaimedRun, shared: &SharedFleet) -> Result<()> {
        let mut go = shared.go.subscribe();
        loop {
            let may = timeout(RENEW, go.wait_for(|go| *go)).await;
            match may.map(|go| go.is_ok()) {
                Ok(true) => break,
                Ok(false) => bail!("the measurement has ended"),
                Err(_) => self.renew(run).await?,
            }
        }
        let begin = rand::random::<u64>() % LINE_PAUSE.as_millis() as u64;
        sleep(Duration::from_millis(begin)).await;
        let (mut offset, mut renewed) = (0, Instant::now());
        for _ in 0..shared.lines {
            let text = line(clock::now());
            self.append(run, offset, &text).await?;
            offset += text.len();
            if renewed.elapsed() >= RENEW {
                self.renew(run).await?;
                renewed = Instant::now();
            }
            sleep(LINE_PAUSE).await;
        }
        let end = json!({
            "epoch": run.epoch,
            "claim": run.claim,
            "report": {
                "how": { "exit": 0 }, "wall_ms": null, "cpu_ms": null, "peak_bytes": null,
                "tasks": null, "output_bytes": offset,
            },
            "sandbox": "systemd",
            "simulated": true,
        });
        self.send("POST", &format!("jobs/{}/end", run.job), &end)
            .await?;
        Ok(())
    }

    async fn append(&mut self, run: &ClaimedRun, offset: usize, text: &[u8]) -> Result<()> {
        let (job, epoch) = (&run.job, run.epoch);
        let path = format!("{BASE}/jobs/{job}/log/out?offset={offset}&epoch={epoch}");
        let headers = format!("{}{CLAIM_HEADER}: {}\r\n", self.headers, run.claim);
        let request = ConnectionRequest {
            method: "PUT",
            path: &path,
            headers: &headers,
            kind: OCTETS,
            body: text,
        };
        self.connection.ask(&request).await?.good(&path)?;
        Ok(())
    }

    async fn renew(&mut self, run: &ClaimedRun) -> Result<()> {
        let body = json!({ "epoch": run.epoch, "claim": run.claim, "step": 1 });
        self.send("POST", &format!("jobs/{}/renew", run.job), &body)
            .await?;
        Ok(())
    }

    async fn send(&mut self, method: &str, path: &str, body: &Value) -> Result<ConnectionAnswer> {
        let path = format!("{BASE}/{path}");
        let body = body.to_string();
        let request = ConnectionRequest {
            method,
            path: &path,
            headers: &self.headers,
            kind: JSON,
            body: body.as_bytes(),
        };
        self.connection.ask(&request).await?.good(&path)
    }
}

/// Random bytes as digits.
fn digits<const N: usize>() -> String {
    let mut text = String::with_capacity(2 * N);
    for _ in 0..N {
        // A string takes all that is written.
        write!(text, "{:02x}", rand::random::<u8>()).unwrap_or_default();
    }
    text
}
