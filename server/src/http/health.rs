//! Health checks: liveness and readiness.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use protocol::{ErrorBody, ErrorCode};
use serde::Serialize;
use store::Store;
use tokio_util::sync::CancellationToken;

use super::{Http, trace::NoFault};
use crate::texts;

/// Free bytes of the disk below which it counts as low: a day of a busy server.
const LOW_DISK: u64 = 256 * 1024 * 1024;

/// True once the server has resumed its work and takes requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ready(Arc<AtomicBool>);

impl Ready {
    /// Marks the server as ready.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The answer about readiness. Anybody may read it, so it has no names of things and no text from
/// outside.
#[derive(Debug, Serialize)]
struct Readiness {
    status: ReadinessStatus,
    /// Everything that is not well, the worst first.
    problems: Vec<HealthProblem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum ReadinessStatus {
    Ready,
    /// It takes requests, and not everything works.
    Degraded,
    Unavailable,
}

#[derive(Debug, Serialize)]
struct HealthProblem {
    /// Stable. New ones are added.
    code: &'static str,
    /// The system that is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'static str>,
    /// One sentence.
    message: String,
}

impl HealthProblem {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            system: None,
            message: message.into(),
        }
    }
}

/// Answers as long as the process is alive.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Succeeds if the server is not stopping, has resumed its work, and can read and write its
/// database. What else is not well is named, and refuses no requests: a restart would mend none of it.
pub(super) async fn ready(State(http): State<Http>) -> Response {
    let outage = http.engine.storage_outage();
    let blocking = blocking(&http.stopping, &http.ready, &http.store, outage).await;
    let is_blocked = blocking.is_some();
    let mut problems: Vec<_> = blocking.into_iter().collect();
    problems.extend(lesser(&http).await);
    let (code, status) = if is_blocked {
        let unavailable = StatusCode::SERVICE_UNAVAILABLE;
        (unavailable, ReadinessStatus::Unavailable)
    } else if problems.is_empty() {
        (StatusCode::OK, ReadinessStatus::Ready)
    } else {
        (StatusCode::OK, ReadinessStatus::Degraded)
    };
    no_fault(code, &Readiness { status, problems })
}

/// Refuses what comes once the server has begun to stop.
pub(super) async fn stops() -> Response {
    let error = ErrorBody::new(ErrorCode::ShuttingDown, texts::http::SERVER_STOPS);
    no_fault(StatusCode::SERVICE_UNAVAILABLE, &error)
}

/// An answer whose status is no fault, whatever it is.
fn no_fault(status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = (status, Json(body)).into_response();
    response.extensions_mut().insert(NoFault);
    response
}

/// The reason why the server can do nothing for anybody. `outage` is what keeps the engine from writing.
async fn blocking(
    stopping: &CancellationToken,
    ready: &Ready,
    store: &Store,
    outage: Option<ErrorBody>,
) -> Option<HealthProblem> {
    if stopping.is_cancelled() {
        return Some(HealthProblem::new("stopping", texts::http::SERVER_STOPS));
    }
    if !ready.0.load(Ordering::Acquire) {
        return Some(HealthProblem::new("starting", texts::http::SERVER_STARTS));
    }
    if store.ping().await.is_err() {
        let message = texts::http::DATABASE_DOES_NOT_ANSWER;
        return Some(HealthProblem::new("database_not_readable", message));
    }
    let outage = outage?;
    Some(HealthProblem::new("database_not_writable", outage.message))
}

/// Everything else that is not well.
async fn lesser(http: &Http) -> Vec<HealthProblem> {
    let mut problems = Vec::new();
    problems.extend(low_disk(&http.data_dir).await);
    if http.metrics.model_answers() == Some(false) {
        let message = texts::http::MODEL_DOES_NOT_ANSWER;
        problems.push(HealthProblem::new("model_away", message));
    }
    let systems = http.engine.systems().into_iter();
    for (system, _) in systems.filter(|(_, answers)| *answers == Some(false)) {
        problems.push(HealthProblem {
            system: Some(system),
            ..HealthProblem::new("system_away", texts::http::system_does_not_answer(system))
        });
    }
    let away = http.mcp.away().count();
    if away > 0 {
        let message = texts::mcp_servers::are_away(away);
        problems.push(HealthProblem::new("tools_away", message));
    }
    problems
}

/// The problem of a folder whose disk has little room; none if its room is not known.
async fn low_disk(folder: &Path) -> Option<HealthProblem> {
    let is_low = free_bytes(folder).await? < LOW_DISK;
    is_low.then(|| {
        let message = texts::http::disk_is_low(LOW_DISK / 1024 / 1024);
        HealthProblem::new("disk_low", message)
    })
}

/// The bytes that the server may still write to the disk of a folder; none if that is not known.
async fn free_bytes(folder: &Path) -> Option<u64> {
    let folder = folder.to_owned();
    // A disk that does not answer must not hold up a worker.
    let found = tokio::task::spawn_blocking(move || rustix::fs::statvfs(folder.as_path())).await;
    let found = found.ok()?.ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn each_reason_to_send_nobody_here_has_its_code() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("data")).await.unwrap();
        let (stopping, ready) = (CancellationToken::new(), Ready::default());
        let code = async |outage| {
            let problem = blocking(&stopping, &ready, &store, outage).await;
            problem.map(|problem| problem.code)
        };
        let outage = || ErrorBody::new(ErrorCode::StorageFailed, "The disk is full.");
        assert_eq!(code(None).await, Some("starting"));
        ready.set();
        assert_eq!(code(None).await, None);
        assert_eq!(code(Some(outage())).await, Some("database_not_writable"));
        // What cannot even be read is worse.
        store.close().await.unwrap();
        assert_eq!(code(Some(outage())).await, Some("database_not_readable"));
        stopping.cancel();
        assert_eq!(code(Some(outage())).await, Some("stopping"));
    }

    #[tokio::test]
    async fn a_disk_without_room_is_named_and_no_folder() {
        // A file system of the kernel: it never has a free byte.
        let low = low_disk(Path::new("/proc")).await.unwrap();
        let expect = json!({
            "code": "disk_low",
            "message": "Less than 256 MiB is free on the server's disk.",
        });
        assert_eq!(serde_json::to_value(low).unwrap(), expect);
        // What is not known is no problem.
        let unknown = low_disk(Path::new("/no/such/folder")).await;
        assert!(unknown.is_none());
    }
}
