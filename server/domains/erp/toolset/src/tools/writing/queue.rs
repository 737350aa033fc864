//! The ERP's own queue: large journals and counts are submitted in the background, some with an entry that tells
//! of it, others without.

use std::{future::Future, time::Duration};

use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use crate::tools::writing::{notes, plan::ErpSubject};
use crate::{
    client::ErpMethod, error::ErpError, identity::ErpIdentity, plain_text::plain, site::ErpSite,
};

/// Waits between two looks: the first, which doubles up to the longest.
const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(5);
/// Time for which a submission is followed, by the site's clock, in milliseconds.
const FOLLOWED: i64 = 100_000;
/// Time after the start of a call in which it has to end, before the engine cuts it off.
const WITHIN: Duration = Duration::from_secs(135);

/// Rows above which the ERP submits in the background.
const ROWS: usize = 100;
/// The beginning of the comment about an action that failed in the background.
const FAILED: &str = "Action Failed<br><br>";
/// The most characters of the ERP's words.
pub(crate) const WORDS: usize = 160;

/// The newest submission of a document in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueueEntry {
    /// None if there was none.
    pub(crate) name: Option<String>,
    pub(crate) state: Submission,
}

/// State of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Submission {
    /// It was never queued.
    None,
    Queued,
    /// With the ERP's words.
    Failed(String),
    Finished,
}

/// True for types that the ERP submits in the background from some number of rows on.
pub(crate) fn is_queued_type(doctype: &str) -> bool {
    const TYPES: [&str; 3] = ["Journal Entry", "POS Closing Entry", "Stock Reconciliation"];
    TYPES.contains(&doctype)
}

/// True if it is so large that the ERP submits it in the background.
pub(crate) fn is_long(subject: &ErpSubject) -> bool {
    const TABLES: [(&str, &str); 2] = [
        ("Journal Entry", "accounts"),
        ("Stock Reconciliation", "items"),
    ];
    let rows = |table: &str| subject.document.get(table)?.as_array().map(Vec::len);
    let mut tables = TABLES.iter();
    tables.any(|(doctype, table)| subject.meta.name == *doctype && rows(table) > Some(ROWS))
}

/// True if the queue keeps no entry of it: older releases, and counts in all, run it as an action, which
/// leaves a comment where it fails, and nothing while it waits.
pub(crate) fn is_silent(who: &ErpIdentity, subject: &ErpSubject) -> bool {
    is_long(subject) && (!who.is_v16() || subject.meta.name == "Stock Reconciliation")
}

/// A comment that the ERP has left on a document which it could not submit in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FailureComment {
    pub(crate) name: String,
    /// By the site's clock, as it writes it.
    pub(crate) creation: String,
    /// The ERP's words.
    pub(crate) words: String,
}

/// Such comments of this user, the newest first. What a call has written for the user is none, whatever it
/// says.
pub(crate) async fn failures(
    site: &ErpSite,
    subject: &ErpSubject,
    who: &ErpIdentity,
) -> Result<Vec<FailureComment>, ErpError> {
    let parameters = [
        ("doctype", subject.meta.name.clone()),
        ("name", subject.name.clone()),
    ];
    let answer = site.method(ErpMethod::DocumentInfo, &parameters).await?;
    let found = answer.data["comments"]
        .as_array()
        .ok_or_else(|| site.unusable("comments"))?;
    let failure = |comment: &Value| {
        let text = |field: &str| comment[field].as_str().unwrap_or_default();
        let is_left = text("owner") == who.user && !notes::is_by_a_call(comment, &who.user);
        let words = text("content").strip_prefix(FAILED).filter(|_| is_left)?;
        Some(FailureComment {
            name: text("name").to_owned(),
            creation: text("creation").to_owned(),
            words: plain(words, WORDS),
        })
    };
    let mut found: Vec<_> = found.iter().filter_map(failure).collect();
    found.sort_by(|one, other| other.creation.cmp(&one.creation));
    Ok(found)
}

/// Asks the queue.
pub(crate) async fn latest(site: &ErpSite, subject: &ErpSubject) -> Result<QueueEntry, ErpError> {
    let parameters = [
        ("doctype", subject.meta.name.clone()),
        ("docname", subject.name.clone()),
    ];
    let answer = site
        .method(ErpMethod::LatestSubmissions, &parameters)
        .await?;
    let entry = match &answer.data {
        Value::Array(list) => list.first().unwrap_or(&Value::Null),
        other => other,
    };
    let state = match entry["status"].as_str() {
        None => Submission::None,
        Some("Finished") => Submission::Finished,
        Some("Failed") => {
            let words = entry["exc"].as_str().unwrap_or_default();
            // The last line of a trace says what it was about.
            Submission::Failed(plain(words.lines().last().unwrap_or_default(), WORDS))
        }
        // Started, and whatever newer releases call it.
        Some(_) => Submission::Queued,
    };
    Ok(QueueEntry {
        name: entry["latest_submission"].as_str().map(str::to_owned),
        state,
    })
}

/// Looks again and again until there is an end; None if there is none within the time of a call that began
/// at `started`. `look` gives None as long as there is no end, also where it cannot be seen.
pub(crate) async fn follow<T, Look>(
    site: &ErpSite,
    started: Instant,
    look: impl Fn() -> Look + Send + Sync,
) -> Option<T>
where
    Look: Future<Output = Option<T>> + Send,
{
    let until = site.client.now() + FOLLOWED;
    let looks = async {
        let mut wait = FIRST;
        loop {
            sleep(wait).await;
            if let Some(end) = look().await {
                return Some(end);
            }
            if site.client.now() >= until {
                return None;
            }
            wait = (wait * 2).min(LONGEST);
        }
    };
    timeout_at(started + WITHIN, looks).await.ok().flatten()
}
