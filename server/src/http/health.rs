//! Whether the process lives, and whether it can serve.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{extract::State, http::StatusCode};

use super::Http;

/// Whether the server has taken up what it left and takes requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ready(Arc<AtomicBool>);

impl Ready {
    /// Says that the server takes requests.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The process answers.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// The server is not stopping, has taken up its work, and its database can be read and written.
pub(super) async fn ready(State(http): State<Http>) -> (StatusCode, String) {
    let unavailable = |why: &str| (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"));
    if http.stopping.is_cancelled() {
        return unavailable("stopping");
    }
    if !http.ready.0.load(Ordering::Acquire) {
        return unavailable("starting");
    }
    if !http.auth.database_answers().await {
        return unavailable("the database does not answer");
    }
    if let Some(error) = http.engine.storage_outage() {
        return unavailable(&error.message);
    }
    (StatusCode::OK, "ready\n".to_owned())
}
