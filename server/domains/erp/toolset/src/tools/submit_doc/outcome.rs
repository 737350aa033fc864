//! The outcome of a submit, which the document and the ERP's queue tell.

use std::collections::BTreeSet;

use protocol::{ErrorBody, ToolOutput};
use serde_json::json;
use tokio::time::Instant;

use crate::tools::{
    drop_empty, output,
    writing::{
        plan::{ErpSubject, refused},
        posting::CLOSING,
        queue::{self, QueueEntry, Submission, WORDS},
    },
};
use crate::{
    error::{ErpError, RefusalKind},
    plain_text::plain,
    site::ErpSite,
    texts::{acting as shared, submit as say, verdict as lost_answer},
};

/// A submit whose end is looked for.
pub(super) struct SubmitWatch<'a> {
    site: &'a ErpSite,
    subject: &'a ErpSubject,
    /// Names of entries of the queue, and of comments about failures, from before this one.
    earlier: BTreeSet<String>,
    /// Time by the site's clock, as it writes it, before which comments are of other submits.
    since: String,
    /// The ERP has taken it, and works on it in the background without telling.
    is_taken: bool,
}

/// The state of a document whose submit was ordered.
pub(super) enum SubmitState {
    Submitted(ErpSubject),
    /// The ERP works on it in the background.
    Queued(ErpSubject),
    /// It could not, and why, in a sentence.
    Failed(String),
    /// It is still a draft, and nothing says that this changes.
    Untouched,
}

impl<'a> SubmitWatch<'a> {
    /// Before the order: what failed in the queue until then is no end of this one.
    pub(super) async fn before(site: &'a ErpSite, subject: &'a ErpSubject) -> Self {
        let mut earlier = BTreeSet::new();
        if queue::is_queued_type(&subject.meta.name) {
            let entry = queue::latest(site, subject).await.ok();
            earlier.extend(entry.and_then(|it| it.name));
        }
        if queue::is_long(subject)
            && let Ok(who) = site.identity().await
        {
            let failures = queue::failures(site, subject, &who).await;
            earlier.extend(failures.into_iter().flatten().map(|it| it.name));
        }
        Self {
            earlier,
            ..Self::after(site, subject, String::new())
        }
    }

    /// After a crash, when the newest submission may be an earlier one. `since`: the start of the call.
    pub(super) fn after(site: &'a ErpSite, subject: &'a ErpSubject, since: String) -> Self {
        Self {
            site,
            subject,
            earlier: BTreeSet::new(),
            since,
            is_taken: false,
        }
    }

    /// The same of a submit that the ERP has answered: a draft of this size is in the queue then.
    pub(super) fn answered(self) -> Self {
        Self {
            is_taken: queue::is_long(self.subject),
            ..self
        }
    }

    /// The ERP's words about a failure in the background since then, if it has left any.
    pub(super) async fn failure(&self) -> Result<Option<String>, String> {
        if !queue::is_long(self.subject) {
            return Ok(None);
        }
        let cannot = |error: ErpError| shared::cannot_look(&error.reason());
        let who = self.site.identity().await.map_err(cannot)?;
        let found = queue::failures(self.site, self.subject, &who).await;
        let mut found = found.map_err(cannot)?.into_iter();
        let failure =
            found.find(|it| !self.earlier.contains(&it.name) && it.creation >= self.since);
        Ok(failure.map(|it| it.words))
    }

    /// The ERP's words about a closing of few sales that it could not post: it makes the invoices within the
    /// submit, and leaves the draft with its words, and with the time and the user of that submit. None where
    /// nothing tells of a submit of the copy with this `modified`.
    ///
    /// # Errors
    /// The reason why it cannot be seen.
    pub(super) async fn refusal(
        &self,
        now: &ErpSubject,
        modified: &str,
    ) -> Result<Option<String>, String> {
        if !has_failed_since(now, modified) || now.raw("modified") < Some(&self.since) {
            return Ok(None);
        }
        let who = self.site.identity().await;
        let who = who.map_err(|error| shared::cannot_look(&error.reason()))?;
        let is_ours = now.raw("modified_by") == Some(&who.user);
        Ok(is_ours.then(|| {
            let words = now.raw("error_message").unwrap_or_default();
            say::closing_refused(&now.name, &plain(words, WORDS))
        }))
    }

    /// True if a closing is submitted although the ERP has answered with this error: it commits a closing in
    /// the middle of the request, and what fails after it, such as a hook of the site, takes nothing back.
    ///
    /// # Errors
    /// The reason why it cannot be seen.
    pub(super) async fn is_done_despite(&self, error: &ErpError) -> Result<bool, String> {
        let is_before_the_work = matches!(
            error.kind(),
            None | Some(
                RefusalKind::Authentication
                    | RefusalKind::SessionExpired
                    | RefusalKind::Csrf
                    | RefusalKind::OwnKey
                    | RefusalKind::RateLimited
                    | RefusalKind::Maintenance
                    | RefusalKind::Busy
                    | RefusalKind::Stale
            )
        );
        if self.subject.meta.name != CLOSING || is_before_the_work {
            return Ok(false);
        }
        let now = self.subject.again(self.site).await;
        let now = now.map_err(|error| error.message)?;
        let who = self.site.identity().await;
        let who = who.map_err(|error| shared::cannot_look(&error.reason()))?;
        Ok(now.docstatus() == "submitted" && now.raw("modified_by") == Some(&who.user))
    }

    /// # Errors
    /// The reason why it cannot be seen.
    pub(super) async fn look(&self) -> Result<SubmitState, String> {
        let now = self.subject.again(self.site).await;
        let now = now.map_err(|error| error.message)?;
        if now.docstatus() == "submitted" {
            return Ok(submitted(now));
        }
        let before = self.subject.raw("modified").unwrap_or_default();
        if let Some(why) = self.refusal(&now, before).await? {
            return Ok(SubmitState::Failed(why));
        }
        let entry = queue::latest(self.site, &now).await;
        let QueueEntry { name, state } =
            entry.map_err(|error| shared::cannot_look(&error.reason()))?;
        let is_earlier = name.is_some_and(|it| self.earlier.contains(&it));
        Ok(match state {
            Submission::Queued => SubmitState::Queued(now),
            Submission::Failed(words) if !is_earlier => {
                SubmitState::Failed(say::queue_failed(&words))
            }
            // What has finished since is submitted at the next look.
            Submission::Failed(_) | Submission::None | Submission::Finished => {
                match self.failure().await? {
                    Some(words) => SubmitState::Failed(say::queue_failed(&words)),
                    None if self.is_taken => SubmitState::Queued(now),
                    None if has_failed_since(&now, before) => SubmitState::Failed(
                        lost_answer::changed_otherwise(&now.name, now.docstatus()),
                    ),
                    None => SubmitState::Untouched,
                }
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

/// True if a closing is a draft that could not be posted, and not the copy with this `modified`: a submit of
/// that copy, which the ERP has not queued, is refused from then on.
pub(super) fn has_failed_since(now: &ErpSubject, modified: &str) -> bool {
    now.meta.name == CLOSING
        && now.docstatus() == "draft"
        && now.raw("status") == Some("Failed")
        && !now.is_copy(modified)
}

/// The state of a submitted document: that of a closing whose sales are many is not the end.
pub(super) fn submitted(now: ErpSubject) -> SubmitState {
    match now.raw("status").filter(|_| now.meta.name == CLOSING) {
        Some("Queued") => SubmitState::Queued(now),
        Some("Failed") => {
            let words = now.raw("error_message").unwrap_or_default();
            SubmitState::Failed(say::closing_failed(&now.name, &plain(words, WORDS)))
        }
        _ => SubmitState::Submitted(now),
    }
}

/// The result; None as long as nothing can be told.
pub(super) fn told(
    state: SubmitState,
    warnings: &[String],
) -> Option<Result<ToolOutput, ErrorBody>> {
    match state {
        SubmitState::Submitted(now) => Some(result(&now, false, warnings.to_vec())),
        SubmitState::Queued(now) => Some(result(&now, true, warnings.to_vec())),
        SubmitState::Failed(why) => Some(Err(refused(why))),
        SubmitState::Untouched => None,
    }
}

const QUEUED: &str = "queued";

pub(super) fn is_queued(done: &ToolOutput) -> bool {
    done.data["outcome"] == QUEUED
}

fn result(
    subject: &ErpSubject,
    is_queued: bool,
    warnings: Vec<String>,
) -> Result<ToolOutput, ErrorBody> {
    let docstatus = subject.docstatus();
    let is_closing = subject.meta.name == CLOSING && docstatus == "submitted";
    let note = if is_closing {
        say::CLOSING_QUEUED_NOTE
    } else {
        say::QUEUED_NOTE
    };
    let mut data = json!({
        "doctype": subject.meta.name,
        "name": subject.name,
        "docstatus": docstatus,
        // The ERP took it, and works on it in the background.
        "outcome": is_queued.then_some(QUEUED),
        "note": is_queued.then_some(note),
        "status": subject.shown("status"),
        "posting_date": subject.shown("posting_date"),
        "modified": subject.document.get("modified"),
        "warnings": warnings,
    });
    for field in ["outcome", "note", "status", "posting_date", "warnings"] {
        drop_empty(&mut data, field);
    }
    let (doctype, name) = (&subject.meta.name, &subject.name);
    let summary = match (is_queued, is_closing) {
        (true, true) => say::closing_queued(doctype, name),
        (true, false) => say::queued(doctype, name),
        (false, _) => say::submitted(doctype, name),
    };
    output(summary, data)
}
