//! A small server of the device API: it checks what a device says, and lets tests stop the world at a request.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::{Duration, SystemTime},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    envelope::signed_bytes, ids::Sha256Hex, keys::PublicSigningKey, root::RootDocument,
};
use serde_json::{Value, json};

use crate::device::{DEVICE, ROOT, SECRET, SERVER, SITE, pair};

pub(crate) struct ScriptServer {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<ServerMemory>,
    changed: Condvar,
}

/// A request at which the test acts: it arrives and is lost, or it is taken in and its answer is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Arrives,
    IsTaken,
}

type Action = Box<dyn FnOnce() + Send>;

#[derive(Default)]
pub(crate) struct ServerMemory {
    pub(crate) root: Vec<u8>,
    pub(crate) key: Option<PublicSigningKey>,
    pub(crate) job: Option<QueuedJob>,
    pub(crate) collect: Option<&'static str>,
    pub(crate) sections: BTreeMap<String, Vec<u8>>,
    pub(crate) announced: Value,
    pub(crate) hellos: Vec<Value>,
    pub(crate) sessions: u32,
    /// The newest release, and the bytes that are served as its program.
    pub(crate) release: Option<(Vec<u8>, Vec<u8>)>,
    /// Effects of jobs in the world outside.
    pub(crate) effects: u32,
    pub(crate) cancel: bool,
    action: Option<(&'static str, When, Action)>,
}

#[derive(Default)]
pub(crate) struct QueuedJob {
    pub(crate) id: String,
    pub(crate) package: Vec<u8>,
    pub(crate) epoch: u64,
    claim: Option<Value>,
    nonce: Option<Value>,
    pub(crate) state: JobPlace,
    pub(crate) logs: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum JobPlace {
    #[default]
    Queued,
    Claimed,
    Running,
    /// `end`, `refuse`, `did_not_run` or `unknown`, with what the device said.
    Over(&'static str, Value),
}

pub(crate) fn now_s() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs()
}

impl ScriptServer {
    pub(crate) fn start(root: &RootDocument) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(ServerMemory {
                root: root.sign(&[&pair(ROOT)]),
                ..ServerMemory::default()
            }),
            changed: Condvar::new(),
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let app = Router::new()
            .fallback(handle)
            .with_state(Arc::clone(&shared));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, app).await.unwrap();
            });
        });
        Self { port, shared }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn memory(&self) -> MutexGuard<'_, ServerMemory> {
        self.shared.state.lock().unwrap()
    }

    pub(crate) fn queue(&self, id: &str, package: Vec<u8>) {
        self.memory().job = Some(QueuedJob {
            id: id.to_owned(),
            package,
            epoch: 1,
            ..QueuedJob::default()
        });
    }

    /// Does something once, at the first request whose path has this word.
    pub(crate) fn at(
        &self,
        word: &'static str,
        when: When,
        action: impl FnOnce() + Send + 'static,
    ) {
        self.memory().action = Some((word, when, Box::new(action)));
    }

    pub(crate) fn is_armed(&self) -> bool {
        self.memory().action.is_some()
    }

    /// Waits for a state.
    pub(crate) fn wait(&self, what: &str, mut is: impl FnMut(&ServerMemory) -> bool) {
        let mut state = self.memory();
        while !is(&state) {
            let patience = Duration::from_secs(60);
            let (next, late) = self.shared.changed.wait_timeout(state, patience).unwrap();
            state = next;
            let place = state.job.as_ref().map(|job| &job.state);
            assert!(!late.timed_out(), "no {what} in a minute: {place:?}");
        }
    }

    /// Waits until the job is over, and returns how.
    pub(crate) fn wait_over(&self) -> (&'static str, Value) {
        self.wait("end", |state| {
            matches!(state.job.as_ref().unwrap().state, JobPlace::Over(..))
        });
        match &self.memory().job.as_ref().unwrap().state {
            JobPlace::Over(kind, value) => (*kind, value.clone()),
            _ => unreachable!(),
        }
    }

    pub(crate) fn log(&self, stream: &str) -> String {
        let memory = self.memory();
        let bytes = memory.job.as_ref().unwrap().logs.get(stream);
        String::from_utf8(bytes.cloned().unwrap_or_default()).unwrap()
    }
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    // Actions kill processes and wait for them.
    tokio::task::spawn_blocking(move || respond(&shared, &method, &uri, &headers, &body))
        .await
        .unwrap()
}

fn respond(
    shared: &Shared,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &Bytes,
) -> Response {
    let path = uri.path();
    let lost = shared.act(path, When::Arrives);
    if path.starts_with("/effect") {
        shared.state.lock().unwrap().effects += 1;
        shared.changed.notify_all();
        return "seen".into_response();
    }
    if lost {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let path = path.strip_prefix("/api/v1/device/").unwrap();
    let agent = headers["user-agent"].to_str().unwrap();
    assert!(agent.starts_with("jarvis-runner/"), "{agent}");
    let (status, answer) = {
        let mut state = shared.state.lock().unwrap();
        let claim = headers
            .get("jarvis-claim")
            .map(|it| it.to_str().unwrap().to_owned());
        let text = |(status, value): (u16, Value)| (status, value.to_string().into_bytes());
        if path.starts_with("update") {
            state.update(path, uri.query().unwrap())
        } else if headers["content-type"] == "application/octet-stream" {
            text(state.chunk(path, uri.query().unwrap(), claim.as_deref(), body))
        } else {
            let json = serde_json::from_slice(body).unwrap_or_default();
            text(state.json(method, path, &json))
        }
    };
    let _acted = shared.act(uri.path(), When::IsTaken);
    shared.changed.notify_all();
    let time = (now_s() * 1000).to_string();
    let status = StatusCode::from_u16(status).unwrap();
    (status, [("jarvis-time", time)], answer).into_response()
}

impl Shared {
    fn act(&self, path: &str, when: When) -> bool {
        let mut state = self.state.lock().unwrap();
        let action = state
            .action
            .take_if(|(word, at, _)| *at == when && path.contains(*word));
        drop(state);
        if let Some((_, _, action)) = action {
            action();
            self.changed.notify_all();
            return true;
        }
        false
    }
}

fn refusal(status: u16, code: &str) -> (u16, Value) {
    (
        status,
        json!({ "code": code, "message": code, "help": "", "request_id": "r1" }),
    )
}

impl ServerMemory {
    fn json(&mut self, method: &Method, path: &str, body: &Value) -> (u16, Value) {
        let parts: Vec<_> = path.split('/').collect();
        match (method.as_str(), parts.as_slice()) {
            ("POST", ["enrol"]) => self.enrol(body),
            ("POST", ["session"]) => (200, json!({ "nonce": "ab".repeat(32) })),
            ("PUT", ["session"]) => self.session(body),
            ("POST", ["hello"]) => self.hello(body),
            ("POST", ["claim"]) => self.claim(body),
            ("POST", ["jobs", id, verb]) => self.call(id, verb, body),
            ("POST", ["bundles"]) => {
                self.announced = body.clone();
                (
                    200,
                    json!({ "bundle": "bun_00000000000000000000000001", "offsets": {} }),
                )
            }
            _ => refusal(404, "not_found"),
        }
    }

    /// The release, or a piece of its program.
    fn update(&self, path: &str, query: &str) -> (u16, Vec<u8>) {
        let Some((envelope, program)) = &self.release else {
            return (404, b"{}".to_vec());
        };
        if path == "update" {
            assert_eq!(query, format!("architecture={}", std::env::consts::ARCH));
            return (200, envelope.clone());
        }
        let offset: usize = query.strip_prefix("offset=").unwrap().parse().unwrap();
        let end = (offset + 64).min(program.len());
        (200, program[offset.min(end)..end].to_vec())
    }

    fn signed(&self, kind: &str, text: &str, signature: &Value) -> bool {
        let signature = BASE64_STANDARD.decode(signature.as_str().unwrap()).unwrap();
        let key = self.key.as_ref().unwrap();
        key.verifies(&signed_bytes(kind, text.as_bytes()), &signature)
    }

    fn enrol(&mut self, body: &Value) -> (u16, Value) {
        assert_eq!(body["token"], SECRET);
        let key = body["key"].as_str().unwrap();
        self.key = Some(PublicSigningKey::from_hex(key).unwrap());
        let text = format!("{SECRET}.{key}");
        assert!(self.signed("application/vnd.jarvis.enrol", &text, &body["proof"]));
        let root: Value = serde_json::from_slice(&self.root).unwrap();
        (
            200,
            json!({ "device": DEVICE, "name": "probe", "site": SITE, "server": SERVER, "root": root }),
        )
    }

    fn session(&mut self, body: &Value) -> (u16, Value) {
        let (nonce, instance) = (&body["nonce"], &body["instance"]);
        let (nonce, instance) = (nonce.as_str().unwrap(), instance.as_str().unwrap());
        let text = format!("{DEVICE}.{nonce}.{instance}.{SERVER}");
        assert!(self.signed("application/vnd.jarvis.session", &text, &body["signature"]));
        self.sessions += 1;
        (
            200,
            json!({ "token": "token", "expires_s": 900, "state": "adopted" }),
        )
    }

    fn hello(&mut self, body: &Value) -> (u16, Value) {
        self.hellos.push(body.clone());
        let journal = body["journal"].as_array().unwrap();
        let reports: Vec<_> = journal
            .iter()
            .map(|entry| {
                let answer = self.report(entry);
                json!({ "job": entry["job"], "epoch": entry["epoch"], "answer": answer })
            })
            .collect();
        (
            200,
            json!({ "state": "adopted", "root_version": 1, "reports": reports }),
        )
    }

    fn report(&mut self, entry: &Value) -> &'static str {
        let own = |job: &&mut QueuedJob| {
            entry["epoch"] == job.epoch && job.claim.as_ref() == Some(&entry["claim"])
        };
        let Some(job) = self.job.as_mut().filter(own) else {
            return "stale";
        };
        match (&job.state, &entry["report"]) {
            (JobPlace::Over(..), _) => "gone",
            (JobPlace::Claimed, Value::String(_)) => {
                job.state = JobPlace::Queued;
                job.epoch += 1;
                job.claim = None;
                "recorded"
            }
            // The server said go, so it never queues the job again.
            (_, Value::String(_)) => {
                job.state = JobPlace::Over("did_not_run", Value::Null);
                "recorded"
            }
            (_, report) => {
                let kind = if report["end"].is_null() {
                    "unknown"
                } else {
                    "end"
                };
                job.state = JobPlace::Over(kind, report[kind].clone());
                "recorded"
            }
        }
    }

    fn claim(&mut self, body: &Value) -> (u16, Value) {
        assert_eq!(body["request"].as_str().unwrap().len(), 32);
        if let Some(request) = self.collect.take() {
            return (200, json!({ "kind": "collect", "request": request }));
        }
        let Some(job) = &mut self.job else {
            return (204, Value::Null);
        };
        let repeated = job.claim.as_ref() == Some(&body["claim"]) && job.state == JobPlace::Claimed;
        if job.state != JobPlace::Queued && !repeated {
            // A lease lapses: here as soon as another claim comes.
            if job.state != JobPlace::Claimed {
                return (204, Value::Null);
            }
            job.epoch += 1;
        }
        job.state = JobPlace::Claimed;
        job.claim = Some(body["claim"].clone());
        let package = BASE64_STANDARD.encode(&job.package);
        let sha256 = Sha256Hex::digest(&job.package);
        (
            200,
            json!({ "kind": "job", "job": job.id, "epoch": job.epoch, "lease_s": 30, "package": package, "sha256": sha256 }),
        )
    }

    fn call(&mut self, id: &str, verb: &str, body: &Value) -> (u16, Value) {
        let cancel = self.cancel;
        let Some(job) = self.job.as_mut().filter(|job| job.id == id) else {
            return refusal(410, "job_gone");
        };
        if body["epoch"] != job.epoch || job.claim.as_ref() != Some(&body["claim"]) {
            return refusal(409, "job_stale");
        }
        let go = json!({ "answer": "go", "nonce": body["nonce"] });
        let recorded = (200, json!({ "answer": "recorded" }));
        match (verb, &job.state) {
            ("start", JobPlace::Claimed) => {
                job.state = JobPlace::Running;
                job.nonce = Some(body["nonce"].clone());
                (200, go)
            }
            ("start", JobPlace::Running) if job.nonce.as_ref() == Some(&body["nonce"]) => (200, go),
            ("renew", JobPlace::Claimed | JobPlace::Running) => (
                200,
                json!({ "answer": "kept", "cancel": cancel, "lease_s": 30 }),
            ),
            ("refuse", JobPlace::Claimed | JobPlace::Running) => {
                job.state = JobPlace::Over("refuse", body["code"].clone());
                recorded
            }
            ("end", JobPlace::Running) => {
                job.state = JobPlace::Over("end", body.clone());
                recorded
            }
            ("end", JobPlace::Over("end", _)) | ("refuse", JobPlace::Over("refuse", _)) => recorded,
            _ => refusal(410, "job_gone"),
        }
    }

    fn chunk(
        &mut self,
        path: &str,
        query: &str,
        claim: Option<&str>,
        body: &Bytes,
    ) -> (u16, Value) {
        let number = |name: &str| {
            let mut pairs = query.split('&').filter_map(|it| it.split_once('='));
            let found = pairs.find(|(key, _)| *key == name);
            found.unwrap().1.parse::<usize>().unwrap()
        };
        let name = path.rsplit('/').next().unwrap().to_owned();
        let kept = if path.contains("/log/") {
            let job = self.job.as_mut().unwrap();
            let own = job.claim.as_ref().and_then(Value::as_str) == claim;
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
