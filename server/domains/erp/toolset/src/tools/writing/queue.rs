//! The ERP's own queue: large journals and counts are submitted in the background.

use serde_json::Value;

use crate::tools::writing::plan::ErpSubject;
use crate::{client::ErpMethod, error::ErpError, plain_text::plain, site::ErpSite};

/// The newest submission of a document in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Submission {
    /// It was never queued.
    None,
    Queued,
    /// With the ERP's words.
    Failed(String),
    Finished,
}

/// Asks the queue.
pub(crate) async fn latest(site: &ErpSite, subject: &ErpSubject) -> Result<Submission, ErpError> {
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
    Ok(match entry["status"].as_str() {
        None => Submission::None,
        Some("Finished") => Submission::Finished,
        Some("Failed") => {
            let words = entry["exc"].as_str().unwrap_or_default();
            // The last line of a trace says what it was about.
            Submission::Failed(plain(words.lines().last().unwrap_or_default(), 160))
        }
        // Started, and whatever newer releases call it.
        Some(_) => Submission::Queued,
    })
}
