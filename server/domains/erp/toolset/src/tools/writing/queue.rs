//! The ERP's own queue: large journals and counts are submitted in the background.

use std::{future::Future, time::Duration};

use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use crate::tools::writing::plan::ErpSubject;
use crate::{client::ErpMethod, error::ErpError, plain_text::plain, site::ErpSite};

/// Waits between two looks: the first, which doubles up to the longest.
const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(5);
/// Time for which a submission is followed, by the site's clock, in milliseconds.
const FOLLOWED: i64 = 100_000;
/// Time after the start of a call in which it has to end, before the engine cuts it off.
const WITHIN: Duration = Duration::from_secs(135);

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
            Submission::Failed(plain(words.lines().last().unwrap_or_default(), 160))
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
