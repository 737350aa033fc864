//! Tool that finds the exact name of a customer, item, account and so on.

use std::time::Duration;

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{drop_empty, search_doc::narrowing, told};
use crate::{
    client::ErpMethod, plain_text::plain, reach::company_field, reading::ErpReading, site::ErpSite,
    texts::readings as say,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindLinkInput {
    /// Such as "Customer".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// The name, or a part of it, as a person calls it.
    #[schemars(length(min = 1, max = 140))]
    text: String,
    /// Only of this company.
    #[schemars(length(max = 140))]
    company: Option<String>,
    /// Names at most; 10 if not given.
    #[schemars(range(min = 1, max = 20))]
    limit: Option<u32>,
}

pub(crate) struct FindLink;

#[async_trait]
impl ErpReading for FindLink {
    const NAME: &'static str = "find_link";
    const DESCRIPTION: &'static str = "Finds the exact name of a customer, supplier, item, account, \
        warehouse and so on from what a person calls it. Disabled ones are not found. If several \
        fit, ask which; never guess.";
    const TIMEOUT: Duration = Duration::from_secs(10);
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What is the exact name of the customer Kestrel?",
            r#"{"doctype": "Customer", "text": "Kestrel"}"#,
        ),
        ToolExample::worked(
            "What is the exact name of the item frame?",
            r#"{"doctype": "Item", "text": "frame"}"#,
        ),
    ];
    type Input = FindLinkInput;

    async fn read(site: &ErpSite, input: FindLinkInput) -> Result<ToolOutput, ErrorBody> {
        find(site, &input).await
    }
}

async fn find(site: &ErpSite, input: &FindLinkInput) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type(&input.doctype).await?;
    let who = site.identity().await?;
    let mut filters: Vec<Value> = site.reach.filter(&meta).into_iter().collect();
    let mut is_of_company = Value::Null;
    if let Some(company) = &input.company {
        site.reach.company(company)?;
        match company_field(&meta) {
            Some(field) => filters.push(json!([field, "=", company])),
            None => is_of_company = say::OF_NO_COMPANY.into(),
        }
    }
    let limit = input.limit.unwrap_or(10);
    let parameters = [
        ("doctype", meta.name.clone()),
        ("txt", input.text.clone()),
        ("filters", json!(filters).to_string()),
        // One more than wanted tells whether there are more.
        ("page_length", (limit + 1).to_string()),
    ];
    let answer = site.method(ErpMethod::SearchLink, &parameters).await?;
    let rows = answer
        .data
        .as_array()
        .ok_or_else(|| site.unusable("message"))?;
    let most = usize::try_from(limit).unwrap_or(10);
    let wanted = input.text.trim().to_lowercase();
    let hit = |row: &Value| {
        let name = row["value"].as_str()?;
        let text = |field: &str| row[field].as_str().map(|text| plain(text, 160));
        let mut hit = json!({
            "name": name,
            "label": text("label").filter(|it| it != name),
            "about": text("description").filter(|it| !it.is_empty()),
            "exact": (name.to_lowercase() == wanted).then_some(true),
        });
        for field in ["label", "about", "exact"] {
            drop_empty(&mut hit, field);
        }
        Some(hit)
    };
    let hits: Vec<_> = rows.iter().take(most).filter_map(hit).collect();
    let count = hits.len();
    let names: Vec<_> = hits
        .iter()
        .filter_map(|hit| hit["name"].as_str().map(str::to_owned))
        .collect();
    let mut data = json!({
        "doctype": meta.name,
        "matches": hits,
        "more": rows.len() > most,
        "note": is_of_company,
        "narrowed_by": narrowing(&meta, &who),
        "warnings": answer.warnings,
    });
    for field in ["note", "narrowed_by", "warnings"] {
        drop_empty(&mut data, field);
    }
    told(say::matches(count, &meta.name, &input.text, &names), data)
}
