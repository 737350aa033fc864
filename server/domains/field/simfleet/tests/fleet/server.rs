//! A small scripted server of the device API: enough of it to test a device, and nothing more.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use ed25519_dalek::{Signature, SigningKey, VerifyingKey};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::START;
use crate::documents::{
    DEVICE, JOB, ROOT_KIND, SERVER, SITE, digest, envelope, fingerprint, from_base64, key, root,
    to_sign,
};

const SECRET: &str = "0123456789abcdefghijklmnopqrstuv";

pub(crate) struct ScriptedServer {
    pub(crate) url: String,
    state: Arc<Mutex<ServerScript>>,
    answered: Arc<Notify>,
    task: JoinHandle<()>,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct SeenRequest {
    pub(crate) line: String,
    pub(crate) body: Vec<u8>,
    pub(crate) agent: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JobState {
    Queued,
    Claimed,
    Running,
    /// `end`, `refuse`, `did_not_run` or `unknown`, with what the device said.
    Over(&'static str, Value),
}

pub(crate) struct ScriptedJob {
    pub(crate) package: Vec<u8>,
    pub(crate) state: JobState,
    pub(crate) epoch: u64,
    claim: Option<Value>,
    nonce: Option<Value>,
    pub(crate) starts: u32,
    pub(crate) renewals: u32,
    pub(crate) logs: BTreeMap<String, Vec<u8>>,
}

pub(crate) struct ServerScript {
    pub(crate) seen: Vec<SeenRequest>,
    pub(crate) now_s: u64,
    pub(crate) state: &'static str,
    pub(crate) job: Option<ScriptedJob>,
    pub(crate) collects: VecDeque<&'static str>,
    pub(crate) sections: BTreeMap<String, Vec<u8>>,
    pub(crate) announced: Value,
    pub(crate) hellos: Vec<Value>,
    pub(crate) instances: Vec<String>,
    pub(crate) start_clock: Value,
    /// Ends of paths whose next answer is lost once it has had its effect, and for how often.
    pub(crate) lose: BTreeMap<&'static str, u32>,
    pub(crate) cancel: bool,
    pub(crate) signers: SigningKey,
    pub(crate) roots: Vec<Value>,
    device_key: Option<VerifyingKey>,
    token: Option<String>,
    nonces: u64,
}

type Answer = (u16, Value);

impl ScriptedServer {
    pub(crate) async fn start() -> Self {
        let signers = key(1);
        let first = root(1, &signers, &key(2)).to_string();
        let state = Arc::new(Mutex::new(ServerScript {
            seen: Vec::new(),
            now_s: START,
            state: "adopted",
            job: None,
            collects: VecDeque::new(),
            sections: BTreeMap::new(),
            announced: Value::Null,
            hellos: Vec::new(),
            instances: Vec::new(),
            start_clock: Value::Null,
            lose: BTreeMap::new(),
            cancel: false,
            roots: vec![envelope(ROOT_KIND, first.as_bytes(), &[&signers])],
            signers,
            device_key: None,
            token: None,
            nonces: 0,
        }));
        let answered = Arc::new(Notify::new());
        let shared = (Arc::clone(&state), Arc::clone(&answered));
        let app = Router::new().fallback(handle).with_state(shared);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self {
            url,
            state,
            answered,
            task,
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, ServerScript> {
        self.state.lock().unwrap()
    }

    pub(crate) fn token(&self) -> String {
        let root = fingerprint(&self.lock().signers);
        format!("jarvis-enrol-1.{SECRET}.{root}")
    }

    pub(crate) fn queue(&self, package: Vec<u8>) {
        self.lock().job = Some(ScriptedJob {
            package,
            state: JobState::Queued,
            epoch: 1,
            claim: None,
            nonce: None,
            starts: 0,
            renewals: 0,
            logs: BTreeMap::new(),
        });
    }

    /// A claim's lease runs out.
    pub(crate) fn lapse(&self) {
        let mut script = self.lock();
        let job = script.job.as_mut().unwrap();
        assert_eq!(job.state, JobState::Claimed, "only a claim lapses");
        job.state = JobState::Queued;
        job.epoch += 1;
        job.claim = None;
    }

    pub(crate) fn job_state(&self) -> JobState {
        self.lock().job.as_ref().unwrap().state.clone()
    }

    /// A stream of the job as text.
    pub(crate) fn log(&self, stream: &str) -> String {
        let script = self.lock();
        let logs = &script.job.as_ref().unwrap().logs;
        String::from_utf8(logs.get(stream).cloned().unwrap_or_default()).unwrap()
    }

    /// Records of the job's steps that have ended; each was told when it began.
    pub(crate) fn steps(&self) -> Vec<Value> {
        let text = self.log("step");
        let lines = text.lines().map(|it| serde_json::from_str(it).unwrap());
        let (ends, begins): (Vec<Value>, Vec<Value>) =
            lines.partition(|it: &Value| !it["end"].is_null());
        for end in &ends {
            let told = |it: &Value| it["step"] == end["step"] && it["run"] == end["run"];
            assert_eq!(begins.iter().filter(|it| told(it)).count(), 1, "{end}");
        }
        ends
    }

    /// Waits until requests have brought something about.
    pub(crate) async fn until(&self, holds: impl Fn(&ServerScript) -> bool) {
        loop {
            let answered = self.answered.notified();
            if holds(&self.lock()) {
                return;
            }
            answered.await;
        }
    }

    pub(crate) fn count(&self, line: &str) -> usize {
        self.lock()
            .seen
            .iter()
            .filter(|it| it.line.contains(line))
            .count()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn handle(
    State((state, answered)): State<(Arc<Mutex<ServerScript>>, Arc<Notify>)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut script = state.lock().unwrap();
    let header = |name: &str| headers.get(name).map(|it| it.to_str().unwrap().to_owned());
    script.seen.push(SeenRequest {
        line: format!("{method} {uri}"),
        body: body.to_vec(),
        agent: header("user-agent").unwrap_or_default(),
    });
    let path = uri
        .path()
        .strip_prefix("/api/v1/device/")
        .unwrap()
        .to_owned();
    let open = path == "enrol" || path == "session";
    let authorized = script.token.as_ref().map(|it| format!("Device {it}"));
    let (status, value) = if !open && header("authorization") != authorized {
        refusal(401, "no_session")
    } else if body.len() > 256 * 1024 {
        refusal(413, "too_large")
    } else if path.contains("/log/") || path.contains("/sections/") {
        script.bytes(&path, uri.query().unwrap(), header("jarvis-claim"), &body)
    } else {
        let body = serde_json::from_slice(&body).unwrap_or_default();
        script.answer(&method, &path, &body)
    };
    let lost = script
        .lose
        .iter_mut()
        .find(|(end, left)| path.ends_with(**end) && **left > 0);
    let status = match lost {
        Some((_, left)) => {
            *left -= 1;
            503
        }
        None => status,
    };
    answered.notify_waiters();
    let now = (script.now_s * 1000).to_string();
    let status = StatusCode::from_u16(status).unwrap();
    (status, [("jarvis-time", now)], value.to_string()).into_response()
}

fn refusal(status: u16, code: &str) -> Answer {
    let body = json!({ "code": code, "message": code, "help": "", "request_id": "r1" });
    (status, body)
}

impl ServerScript {
    fn answer(&mut self, method: &Method, path: &str, body: &Value) -> Answer {
        let parts: Vec<_> = path.split('/').collect();
        match (method.as_str(), parts.as_slice()) {
            ("POST", ["enrol"]) => self.enrol(body),
            ("POST", ["session"]) => {
                self.nonces += 1;
                (200, json!({ "nonce": digest(&self.nonces.to_be_bytes()) }))
            }
            ("PUT", ["session"]) => self.session(body),
            ("POST", ["hello"]) => self.hello(body),
            ("GET", ["root", version]) => {
                let at = version.parse::<usize>().unwrap() - 1;
                self.roots
                    .get(at)
                    .map_or_else(|| refusal(404, "none"), |it| (200, it.clone()))
            }
            ("POST", ["claim"]) => self.claim(body),
            ("POST", ["jobs", JOB, call]) => self.call(call, body),
            ("POST", ["bundles"]) => {
                self.announced = body.clone();
                (
                    200,
                    json!({ "bundle": "bun_00000000000000000000000001", "offsets": {} }),
                )
            }
            _ => refusal(404, "none"),
        }
    }

    fn signed(&self, kind: &str, text: &str, signature: &Value) -> bool {
        let signature = Signature::from_slice(&from_base64(signature.as_str().unwrap())).unwrap();
        let message = to_sign(kind, text.as_bytes());
        let key = self.device_key.unwrap();
        key.verify_strict(&message, &signature).is_ok()
    }

    fn enrol(&mut self, body: &Value) -> Answer {
        assert_eq!(body["token"], SECRET);
        let text = body["key"].as_str().unwrap();
        let bytes: Vec<u8> = (0..64)
            .step_by(2)
            .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
            .collect();
        let key = VerifyingKey::from_bytes(&bytes.try_into().unwrap()).unwrap();
        if self.device_key.is_some_and(|it| it != key) {
            return refusal(409, "used");
        }
        self.device_key = Some(key);
        let proof = format!("{SECRET}.{text}");
        assert!(self.signed("application/vnd.jarvis.enrol", &proof, &body["proof"]));
        assert_eq!(body["facts"]["simulated"], true);
        let root = &self.roots[0];
        (
            200,
            json!({ "device": DEVICE, "name": "x", "site": SITE, "server": SERVER, "root": root }),
        )
    }

    fn session(&mut self, body: &Value) -> Answer {
        let instance = body["instance"].as_str().unwrap();
        let text = format!(
            "{DEVICE}.{}.{instance}.{SERVER}",
            body["nonce"].as_str().unwrap()
        );
        if !self.signed("application/vnd.jarvis.session", &text, &body["signature"]) {
            return refusal(401, "signature");
        }
        self.instances.push(instance.to_owned());
        let token = format!("token-{}", self.instances.len());
        self.token = Some(token.clone());
        (
            200,
            json!({ "token": token, "expires_s": 900, "state": self.state }),
        )
    }

    fn hello(&mut self, body: &Value) -> Answer {
        self.hellos.push(body.clone());
        let mut reports = Vec::new();
        for report in body["journal"].as_array().unwrap() {
            let answer = self.report(report);
            let job = self.job.as_ref().unwrap();
            let offset = |stream: &str| job.logs.get(stream).map_or(0, Vec::len);
            reports.push(json!({
                "job": report["job"], "epoch": report["epoch"], "answer": answer,
                "offsets": { "out": offset("out"), "err": offset("err"), "step": offset("step") },
            }));
        }
        let version = self.roots.len();
        (
            200,
            json!({ "state": self.state, "root_version": version, "reports": reports }),
        )
    }

    fn report(&mut self, report: &Value) -> &'static str {
        let Some(job) = self.job.as_mut().filter(|it| report["epoch"] == it.epoch) else {
            return "stale";
        };
        match (&job.state, &report["report"]) {
            (JobState::Over(..), _) => "gone",
            (JobState::Claimed, Value::String(_)) => {
                job.state = JobState::Queued;
                job.epoch += 1;
                "recorded"
            }
            (_, Value::String(_)) => {
                job.state = JobState::Over("did_not_run", report["report"].clone());
                "recorded"
            }
            (_, value) => {
                let kind = if value["end"].is_null() {
                    "unknown"
                } else {
                    "end"
                };
                job.state = JobState::Over(kind, value[kind].clone());
                "recorded"
            }
        }
    }

    fn claim(&mut self, body: &Value) -> Answer {
        for (name, digits) in [("request", 32), ("claim", 64)] {
            assert_eq!(body[name].as_str().unwrap().len(), digits, "{name}");
        }
        if let Some(request) = self.collects.pop_front() {
            return (200, json!({ "kind": "collect", "request": request }));
        }
        let Some(job) = &mut self.job else {
            return (204, Value::Null);
        };
        let own = job.claim.as_ref() == Some(&body["claim"]) && job.state == JobState::Claimed;
        if job.state != JobState::Queued && !own {
            return (204, Value::Null);
        }
        job.state = JobState::Claimed;
        job.claim = Some(body["claim"].clone());
        let (package, sha256) = (crate::documents::base64(&job.package), digest(&job.package));
        let offer = json!({
            "kind": "job", "job": JOB, "epoch": job.epoch, "lease_s": 30, "package": package,
            "sha256": sha256,
        });
        (200, offer)
    }

    fn call(&mut self, call: &str, body: &Value) -> Answer {
        let Some(job) = &mut self.job else {
            return refusal(410, "job_gone");
        };
        if body["epoch"] != job.epoch || job.claim.as_ref() != Some(&body["claim"]) {
            return refusal(409, "job_stale");
        }
        let recorded = (200, json!({ "answer": "recorded" }));
        match (call, &job.state) {
            ("start", JobState::Claimed) => {
                self.start_clock = body["clock"].clone();
                job.state = JobState::Running;
                job.nonce = Some(body["nonce"].clone());
                job.starts += 1;
                (200, json!({ "answer": "go", "nonce": body["nonce"] }))
            }
            ("start", JobState::Running) if job.nonce.as_ref() == Some(&body["nonce"]) => {
                (200, json!({ "answer": "go", "nonce": body["nonce"] }))
            }
            ("renew", JobState::Running) => {
                job.renewals += 1;
                (
                    200,
                    json!({ "answer": "kept", "cancel": self.cancel, "lease_s": 30 }),
                )
            }
            ("refuse", JobState::Claimed) => {
                job.state = JobState::Over("refuse", body["code"].clone());
                recorded
            }
            ("end", JobState::Running) => {
                job.state = JobState::Over("end", body.clone());
                recorded
            }
            ("end", JobState::Over("end", own)) if own == body => recorded,
            ("refuse", JobState::Over("refuse", own)) if *own == body["code"] => recorded,
            _ => refusal(410, "job_gone"),
        }
    }

    fn bytes(&mut self, path: &str, query: &str, claim: Option<String>, body: &Bytes) -> Answer {
        assert!(body.len() <= 64 * 1024, "a chunk of {}", body.len());
        let number = |name: &str| -> usize {
            let mut pairs = query.split('&').filter_map(|it| it.split_once('='));
            pairs
                .find(|(key, _)| *key == name)
                .unwrap()
                .1
                .parse()
                .unwrap()
        };
        let name = path.rsplit('/').next().unwrap().to_owned();
        let kept = if path.contains("/log/") {
            let job = self.job.as_mut().unwrap();
            let own = job.claim.as_ref().and_then(Value::as_str) == claim.as_deref();
            if !own || number("epoch") as u64 != job.epoch {
                return refusal(409, "job_stale");
            }
            job.logs.entry(name).or_default()
        } else {
            self.sections.entry(name).or_default()
        };
        let offset = number("offset");
        if offset > kept.len() {
            let mut answer = refusal(409, "log_offset");
            answer.1["right"] = json!({ "offset": kept.len() });
            return answer;
        }
        let known = (kept.len() - offset).min(body.len());
        assert_eq!(
            kept[offset..offset + known],
            body[..known],
            "a repeat is the same"
        );
        kept.extend_from_slice(&body[known..]);
        (200, json!({ "offset": kept.len() }))
    }
}
