//! Health checks: liveness and readiness.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{extract::State, http::StatusCode};

use super::Http;

/// True once the server has resumed its work and takes requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ready(Arc<AtomicBool>);

impl Ready {
    /// Marks the server as ready.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Answers as long as the process is alive.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Succeeds if the server is not stopping, has resumed its work, and can read and write its
/// database.
pub(super) async fn ready(State(http): State<Http>) -> (StatusCode, String) {
    let unavailable = |why: &str| (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"));
    if http.stopping.is_cancelled() {
        return unavailable("stopping");
    }
    if !http.ready.0.load(Ordering::Acquire) {
        return unavailable("starting");
    }
    if http.store.ping().await.is_err() {
        return unavailable("the database does not answer");
    }
    if let Some(error) = http.engine.storage_outage() {
        return unavailable(&error.message);
    }
    (StatusCode::OK, "ready\n".to_owned())
}
