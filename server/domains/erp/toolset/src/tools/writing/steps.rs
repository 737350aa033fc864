//! Steps of a workflow that the ERP offers this user for a document now.

use serde_json::{Value, json};

use crate::tools::writing::plan::ErpSubject;
use crate::{client::ErpMethod, error::ErpError, site::ErpSite};

/// The actions, as the site evaluates roles and conditions.
pub(crate) async fn offered(site: &ErpSite, subject: &ErpSubject) -> Result<Vec<String>, ErpError> {
    let target = json!({ "doctype": subject.meta.name, "name": subject.name }).to_string();
    let answer = site
        .method(ErpMethod::Transitions, &[("doc", target)])
        .await?;
    let steps = answer
        .data
        .as_array()
        .ok_or_else(|| site.unusable("message"))?;
    let mut actions: Vec<String> = steps
        .iter()
        .filter_map(|step| step.get("action").and_then(Value::as_str))
        .map(str::to_owned)
        .collect();
    // A step that several roles may take comes once for each.
    actions.dedup();
    Ok(actions)
}
