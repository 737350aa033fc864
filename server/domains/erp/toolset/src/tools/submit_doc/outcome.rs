//! The outcome of a submit, which the document and the ERP's queue tell.

use protocol::{ErrorBody, ToolOutput};
use serde_json::json;
use tokio::time::Instant;

use crate::tools::{
    drop_empty, output,
    writing::{
        plan::{ErpSubject, refused},
        queue::{self, QueueEntry, Submission},
    },
};
use crate::{
    site::ErpSite,
    texts::{acting as shared, submit as say},
};

/// A submit whose end is looked for.
pub(super) struct SubmitWatch<'a> {
    site: &'a ErpSite,
    subject: &'a ErpSubject,
    /// A submission in the queue from before this one.
    earlier: Option<String>,
}

/// The state of a document whose submit was ordered.
pub(super) enum SubmitState {
    Submitted(ErpSubject),
    /// The ERP works on it in the background.
    Queued(ErpSubject),
    /// Its queue could not, with the ERP's words.
    Failed(String),
    /// It is still a draft, and nothing says that this changes.
    Untouched,
}

impl<'a> SubmitWatch<'a> {
    /// Before the order: what failed in the queue until then is no end of this one.
    pub(super) async fn before(site: &'a ErpSite, subject: &'a ErpSubject) -> Self {
        let earlier = if queue::is_queued_type(&subject.meta.name) {
            queue::latest(site, subject).await.ok()
        } else {
            None
        };
        Self {
            earlier: earlier.and_then(|it| it.name),
            ..Self::after(site, subject)
        }
    }

    /// After a crash, when the newest submission may be an earlier one.
    pub(super) fn after(site: &'a ErpSite, subject: &'a ErpSubject) -> Self {
        Self {
            site,
            subject,
            earlier: None,
        }
    }

    /// # Errors
    /// The reason why it cannot be seen.
    pub(super) async fn look(&self) -> Result<SubmitState, String> {
        let now = self.subject.again(self.site).await;
        let now = now.map_err(|error| error.message)?;
        if now.docstatus() == "submitted" {
            return Ok(SubmitState::Submitted(now));
        }
        let entry = queue::latest(self.site, &now).await;
        let QueueEntry { name, state } =
            entry.map_err(|error| shared::cannot_look(&error.reason()))?;
        let is_earlier = name.is_some() && name == self.earlier;
        Ok(match state {
            Submission::Queued => SubmitState::Queued(now),
            Submission::Failed(words) if !is_earlier => SubmitState::Failed(words),
            // What has finished since is submitted at the next look.
            Submission::Failed(_) | Submission::None | Submission::Finished => {
                SubmitState::Untouched
            }
        })
    }

    /// The end of a submit that the ERP has queued; None if it is not there within the time of a call that
    /// began at `started`.
    pub(super) async fn follow(
        &self,
        started: Instant,
        warnings: &[String],
    ) -> Option<Result<ToolOutput, ErrorBody>> {
        queue::follow(self.site, started, || async {
            match self.look().await {
                Ok(SubmitState::Queued(_)) | Err(_) => None,
                Ok(state) => told(state, warnings),
            }
        })
        .await
    }
}

/// The result; None as long as nothing can be told.
pub(super) fn told(
    state: SubmitState,
    warnings: &[String],
) -> Option<Result<ToolOutput, ErrorBody>> {
    match state {
        SubmitState::Submitted(now) | SubmitState::Queued(now) => {
            Some(result(&now, warnings.to_vec()))
        }
        SubmitState::Failed(words) => Some(Err(refused(say::queue_failed(&words)))),
        SubmitState::Untouched => None,
    }
}

const QUEUED: &str = "queued";

pub(super) fn is_queued(done: &ToolOutput) -> bool {
    done.data["outcome"] == QUEUED
}

pub(super) fn result(subject: &ErpSubject, warnings: Vec<String>) -> Result<ToolOutput, ErrorBody> {
    let docstatus = subject.docstatus();
    let is_draft = docstatus == "draft";
    let mut data = json!({
        "doctype": subject.meta.name,
        "name": subject.name,
        "docstatus": docstatus,
        // The ERP took it, and works on it in the background.
        "outcome": is_draft.then_some(QUEUED),
        "note": is_draft.then_some(say::QUEUED_NOTE),
        "status": subject.shown("status"),
        "posting_date": subject.shown("posting_date"),
        "modified": subject.document.get("modified"),
        "warnings": warnings,
    });
    for field in ["outcome", "note", "status", "posting_date", "warnings"] {
        drop_empty(&mut data, field);
    }
    let summary = if is_draft {
        say::queued(&subject.meta.name, &subject.name)
    } else {
        say::submitted(&subject.meta.name, &subject.name)
    };
    output(summary, data)
}
