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
/// Mean time between two tries to reach a server that is gone: that of the runner. Devices do not come back
/// all at once.
const AGAIN_MS: u64 = 1_000;
/// Microseconds after which a server that was killed does not come back.
const GONE: u64 = 60_000_000;

pub(super) struct BenchDevice {
    /// `host:port` of the server.
    address: String,
    filled: FilledDevice,
    /// The word of its life, the same in all its sessions.
    instance: String,
    connection: OpenConnection,
    /// Headers of a session.
    headers: String,
    /// True once it has a session of the server that was started after the kill.
    is_back: bool,
}

/// A request that can be sent again as it is.
struct DeviceRequest<'a> {
    method: &'a str,
    path: &'a str,
    /// The claim, for output.
    claim: Option<&'a str>,
    kind: &'a str,
    body: &'a [u8],
}

/// A run that this device has claimed.
struct ClaimedRun {
    job: String,
    epoch: u64,
    claim: String,
}

impl BenchDevice {
    /// Opens a session and says hello.
    pub(super) async fn connect(address: &str, filled: FilledDevice) -> Result<Self> {
        let mut device = Self {
            connection: OpenConnection::open(address).await?,
            address: address.to_owned(),
            filled,
            instance: digits::<8>(),
            headers: String::new(),
            is_back: false,
        };
        device.sign_in().await?;
        Ok(device)
    }

    async fn sign_in(&mut self) -> Result<()> {
        AGENT.clone_into(&mut self.headers);
        let (id, instance) = (self.filled.id.clone(), self.instance.clone());
        let ask = json!({ "device": id });
        let challenge: Value = self.send("POST", "session", &ask).await?.json()?;
        let nonce = challenge["nonce"].as_str().context("no nonce")?;
        let text = format!("{id}.{nonce}.{instance}.{SERVER}");
        let signature = self.filled.key.sign(SESSION_KIND, text.as_bytes());
        let proof = json!({
            "device": id, "nonce": nonce, "instance": instance, "signature": signature,
        });
        let opened: Value = self.send("PUT", "session", &proof).await?.json()?;
        let token = opened["token"].as_str().context("no session")?;
        self.headers = format!("{AGENT}authorization: {SCHEME} {token}\r\n");
        let hello = json!({
            "instance": instance, "facts": facts(), "capabilities": capabilities(),
            "root_version": 1, "clock": {}, "journal": [],
        });
        self.send("POST", "hello", &hello).await?;
        Ok(())
    }

    /// Waits for work and does it, without an end.
    pub(super) async fn live(mut self, shared: Rc<SharedFleet>) -> Result<()> {
        // Devices that connected together do not ask together.
        let wait_ms = u64::from(shared.wait_s.get()) * 1_000;
        sleep(Duration::from_millis(
            rand::random::<u64>() % wait_ms.max(1),
        ))
        .await;
        loop {
            let was_held = shared.hold(&self.filled.id).await?;
            let claim = digits::<32>();
            let body = json!({
                "request": digits::<16>(), "claim": claim, "wait_s": shared.wait_s.get(),
            });
            let asked = clock::now();
            let answer = self.post(&shared, "claim", &body).await?;
            shared.polls.set(shared.polls.get() + 1);
            if answer.status == 204 {
                continue;
            }
            let claimed = clock::now();
            if was_held {
                let time = claimed.saturating_sub(asked);
                shared.figures.borrow_mut().asked.add(time);
            }
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
            self.post(&shared, &path, &start).await?;
            shared.began(&self.filled.id, &run.job, claimed);
            if shared.short.get() {
                self.end(&run, &shared, 0).await?;
            } else {
                Box::pin(self.write(&run, &shared)).await?;
            }
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
                Err(_) => self.renew(run, shared).await?,
            }
        }
        let begin = rand::random::<u64>() % LINE_PAUSE.as_millis() as u64;
        sleep(Duration::from_millis(begin)).await;
        let (mut offset, mut renewed) = (0, Instant::now());
        for _ in 0..shared.lines {
            let text = line(clock::now());
            self.append(run, shared, offset, &text).await?;
            offset += text.len();
            if renewed.elapsed() >= RENEW {
                self.renew(run, shared).await?;
                renewed = Instant::now();
            }
            sleep(LINE_PAUSE).await;
        }
        self.end(run, shared, offset).await
    }

    async fn end(&mut self, run: &ClaimedRun, shared: &SharedFleet, written: usize) -> Result<()> {
        let end = json!({
            "epoch": run.epoch,
            "claim": run.claim,
            "report": {
                "how": { "exit": 0 }, "wall_ms": null, "cpu_ms": null, "peak_bytes": null,
                "tasks": null, "output_bytes": written,
            },
            "sandbox": "systemd",
            "simulated": true,
        });
        self.post(shared, &format!("jobs/{}/end", run.job), &end)
            .await?;
        shared.ended.set(shared.ended.get() + 1);
        Ok(())
    }

    async fn append(
        &mut self,
        run: &ClaimedRun,
        shared: &SharedFleet,
        offset: usize,
        text: &[u8],
    ) -> Result<()> {
        let (job, epoch) = (&run.job, run.epoch);
        let path = format!("jobs/{job}/log/out?offset={offset}&epoch={epoch}");
        let request = DeviceRequest {
            method: "PUT",
            path: &path,
            claim: Some(&run.claim),
            kind: OCTETS,
            body: text,
        };
        self.kept(shared, &request).await?;
        Ok(())
    }

    async fn renew(&mut self, run: &ClaimedRun, shared: &SharedFleet) -> Result<()> {
        let body = json!({ "epoch": run.epoch, "claim": run.claim, "step": 1 });
        self.post(shared, &format!("jobs/{}/renew", run.job), &body)
            .await?;
        Ok(())
    }

    /// Sends JSON, again if the server is killed meanwhile.
    async fn post(
        &mut self,
        shared: &SharedFleet,
        path: &str,
        body: &Value,
    ) -> Result<ConnectionAnswer> {
        let body = body.to_string();
        let request = DeviceRequest {
            method: "POST",
            path,
            claim: None,
            kind: JSON,
            body: body.as_bytes(),
        };
        self.kept(shared, &request).await
    }

    /// Sends a request until it is answered: the server may be killed meanwhile.
    async fn kept(
        &mut self,
        shared: &SharedFleet,
        request: &DeviceRequest<'_>,
    ) -> Result<ConnectionAnswer> {
        loop {
            let asked = self.ask(request).await;
            let Some(killed) = shared.killed.get() else {
                return asked?.good(request.path);
            };
            match asked {
                Ok(answer) if !matches!(answer.status, 401 | 429 | 503) => {
                    return answer.good(request.path);
                }
                // Without a session, too early, or not at all.
                Ok(_) | Err(_) => self.come_back(shared, killed).await?,
            }
        }
    }

    /// Tries to get a session until there is a server.
    async fn come_back(&mut self, shared: &SharedFleet, killed: u64) -> Result<()> {
        loop {
            let pause = AGAIN_MS / 2 + rand::random::<u64>() % AGAIN_MS;
            sleep(Duration::from_millis(pause)).await;
            let Err(error) = self.reconnect().await else {
                break;
            };
            if clock::now().saturating_sub(killed) > GONE {
                return Err(error.context("the server does not come back"));
            }
        }
        if !self.is_back {
            self.is_back = true;
            let time = clock::now().saturating_sub(killed);
            shared.back.borrow_mut().add(time);
        }
        Ok(())
    }

    async fn reconnect(&mut self) -> Result<()> {
        self.connection = OpenConnection::open(&self.address).await?;
        self.sign_in().await
    }

    async fn send(&mut self, method: &str, path: &str, body: &Value) -> Result<ConnectionAnswer> {
        let body = body.to_string();
        let request = DeviceRequest {
            method,
            path,
            claim: None,
            kind: JSON,
            body: body.as_bytes(),
        };
        self.ask(&request).await?.good(path)
    }

    async fn ask(&mut self, request: &DeviceRequest<'_>) -> Result<ConnectionAnswer> {
        let path = format!("{BASE}/{}", request.path);
        let claim = request
            .claim
            .map_or_else(String::new, |claim| format!("{CLAIM_HEADER}: {claim}\r\n"));
        let headers = format!("{}{claim}", self.headers);
        let request = ConnectionRequest {
            method: request.method,
            path: &path,
            headers: &headers,
            kind: request.kind,
            body: request.body,
        };
        self.connection.ask(&request).await
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
