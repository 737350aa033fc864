//! Messages that a server sends unasked: progress and changes of its list. Its own requests are refused.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use agent::ports::Progress;
use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
        ElicitationCreateRequestMethod, Implementation, ListRootsRequestMethod,
        ProgressNotificationParam, ProgressToken,
    },
    service::{NotificationContext, RequestContext},
};
use tokio::sync::Notify;

use crate::texts;

/// The longest line of progress, in characters.
const MAX_LINE: usize = 200;

/// The progress of the calls that run, by the token that each was sent with.
#[derive(Default)]
pub(crate) struct ProgressReports(Mutex<HashMap<ProgressToken, Progress>>);

/// Ends the reports of a call when it is dropped.
pub(crate) struct ReportedCall {
    reports: Arc<ProgressReports>,
    token: ProgressToken,
}

impl ProgressReports {
    pub(crate) fn of_call(self: &Arc<Self>, token: ProgressToken, to: Progress) -> ReportedCall {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.insert(token.clone(), to);
        drop(calls);
        ReportedCall {
            reports: Arc::clone(self),
            token,
        }
    }

    /// Passes one line on. Never waits: a flood is not backed up anywhere.
    fn report(&self, params: &ProgressNotificationParam) {
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let call = calls.get(&params.progress_token).cloned();
        drop(calls);
        let Some(call) = call else { return };
        let line = match &params.message {
            Some(message) => message.chars().take(MAX_LINE).collect(),
            None => texts::progress(params.progress, params.total),
        };
        call.report(&line);
    }
}

impl Drop for ReportedCall {
    fn drop(&mut self) {
        let calls = self.reports.0.lock();
        calls
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.token);
    }
}

/// The receiver of what a server sends unasked.
pub(crate) struct ServerEvents {
    pub(crate) reports: Arc<ProgressReports>,
    /// Any number of changes are one permit.
    pub(crate) changed: Arc<Notify>,
}

impl ClientHandler for ServerEvents {
    // Sampling is refused by default, and none of the three is announced.
    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(ErrorData::method_not_found::<ElicitationCreateRequestMethod>())
    }

    #[expect(deprecated, reason = "older servers ask for it, and are refused")]
    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.reports.report(&params);
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        let client = Implementation::new("jarvis", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), client)
    }
}
