//! Tool that lists what waits for a decision in the ERP's own workflows.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ROWS_BYTES, SHORT, amounts, drop_empty, outline, told};
use crate::{
    cell, dates,
    error::ErpError,
    identity::ErpIdentity,
    meta::{TypeMeta, WorkflowMeta},
    reading::ErpReading,
    site::{Document, ErpSite, ListQuery},
    texts::readings as say,
};

/// The type of the ERP's inbox; the ERP filters its rows by role.
const INBOX: &str = "Workflow Action";
/// The most documents that the summary names.
const MOST_NAMED: usize = 3;
/// The most types whose documents are read.
const MOST_TYPES: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListApprovalsInput {
    /// Only of this type.
    #[schemars(length(min = 1, max = 140))]
    doctype: Option<String>,
    /// Only of this company.
    #[schemars(length(max = 140))]
    company: Option<String>,
    /// Rows at most; 20 if not given.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}

pub(crate) struct ListApprovals;

#[async_trait]
impl ErpReading for ListApprovals {
    const NAME: &'static str = "list_approvals";
    const DESCRIPTION: &'static str = "Lists what waits for a decision in the ERP's own approval \
        workflows, and what this ERP user could do with each. These are approvals inside the ERP, \
        not the ones of this chat.";
    const TIMEOUT: Duration = SHORT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked("What waits for approval in the ERP?", "{}"),
        ToolExample::worked(
            "Which purchase orders wait for approval?",
            r#"{"doctype": "Purchase Order"}"#,
        ),
    ];
    const SUGGESTED: bool = true;
    type Input = ListApprovalsInput;

    async fn read(site: &ErpSite, input: ListApprovalsInput) -> Result<ToolOutput, ErrorBody> {
        list(site, &input).await
    }
}

/// The documents that wait, each once, by type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApprovalInbox {
    by_type: BTreeMap<String, Vec<WaitingDocument>>,
    pub(crate) has_more: bool,
}

/// A row of the inbox.
#[derive(Debug, Clone, PartialEq)]
struct WaitingDocument {
    name: String,
    state: String,
    since: Value,
}

/// The documents of an inbox with what they are about.
#[derive(Debug, Clone, Default)]
pub(crate) struct WaitingRows {
    pub(crate) rows: Vec<Value>,
    pub(crate) not_readable: usize,
    pub(crate) not_shown: Vec<String>,
}

async fn list(site: &ErpSite, input: &ListApprovalsInput) -> Result<ToolOutput, ErrorBody> {
    if let Some(company) = &input.company {
        site.reach.company(company)?;
    }
    let limit = usize::try_from(input.limit.unwrap_or(20)).unwrap_or(20);
    let inbox = inbox(site, input.doctype.as_deref(), limit).await?;
    let who = site.identity().await?;
    let found = waiting(site, &inbox, input.company.as_deref(), &who).await;
    let count = found.rows.len();
    let first = found.rows.iter().take(MOST_NAMED).map(amounts::named);
    let first: Vec<_> = first.collect();
    let (rows, is_cut) = cell::fit(found.rows, ROWS_BYTES);
    let not_readable = found.not_readable;
    let mut data = json!({
        "waiting": rows,
        "more": inbox.has_more || is_cut,
        "not_readable_or_of_another_company": (not_readable > 0).then_some(not_readable),
        "not_shown": found.not_shown,
        "erp_user": who.user,
        "as_of": dates::utc(site.client.now()),
    });
    for field in ["not_readable_or_of_another_company", "not_shown"] {
        drop_empty(&mut data, field);
    }
    told(say::approvals(count, &first), data)
}

/// Reads the inbox, with one request.
pub(crate) async fn inbox(
    site: &ErpSite,
    doctype: Option<&str>,
    limit: usize,
) -> Result<ApprovalInbox, ErpError> {
    let inbox = site.readable_type(INBOX).await?;
    let columns = [
        "reference_doctype",
        "reference_name",
        "workflow_state",
        "creation",
    ];
    let mut filters = vec![json!(["status", "=", "Open"])];
    filters.extend(
        doctype
            .iter()
            .map(|it| json!(["reference_doctype", "=", it])),
    );
    let query = ListQuery {
        doctype: INBOX,
        fields: columns.iter().map(|column| json!(column)).collect(),
        filters,
        order: "creation asc, name asc".to_owned(),
        limit,
        ..ListQuery::default()
    };
    let found = site.list(&inbox, query).await?;
    let mut by_type: BTreeMap<String, Vec<WaitingDocument>> = BTreeMap::new();
    for row in &found.rows {
        let text = |field: &str| row.get(field).and_then(Value::as_str).map(str::to_owned);
        let Some((doctype, name)) = text("reference_doctype").zip(text("reference_name")) else {
            continue;
        };
        let of_type = by_type.entry(doctype).or_default();
        // An action that several roles may take has a row for each.
        if of_type.iter().all(|it| it.name != name) {
            of_type.push(WaitingDocument {
                name,
                state: text("workflow_state").unwrap_or_default(),
                since: row.get("creation").cloned().unwrap_or_default(),
            });
        }
    }
    Ok(ApprovalInbox {
        by_type,
        has_more: found.has_more,
    })
}

/// Reads the documents of an inbox, with a request for each type.
pub(crate) async fn waiting(
    site: &ErpSite,
    inbox: &ApprovalInbox,
    company: Option<&str>,
    who: &ErpIdentity,
) -> WaitingRows {
    let mut found = WaitingRows::default();
    for (index, (doctype, waiting)) in inbox.by_type.iter().enumerate() {
        if index >= MOST_TYPES {
            let more = say::waiting_of_type(waiting.len(), doctype);
            found.not_shown.push(more);
            continue;
        }
        match of_type(site, company, doctype, waiting, who).await {
            Ok(rows) => {
                found.not_readable += waiting.len() - rows.len();
                found.rows.extend(rows);
            }
            Err(error) => {
                let reason = say::not_read(doctype, &error.reason());
                found.not_shown.push(reason);
            }
        }
    }
    found
}

async fn of_type(
    site: &ErpSite,
    company: Option<&str>,
    doctype: &str,
    waiting: &[WaitingDocument],
    who: &ErpIdentity,
) -> Result<Vec<Value>, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let names: Vec<&str> = waiting.iter().map(|it| it.name.as_str()).collect();
    let documents = outline::documents(site, &meta, &names).await?;
    let currencies = site.known_currencies().await;
    let mut rows = Vec::new();
    for it in waiting {
        let same = |document: &&Document| document.get("name").is_some_and(|name| *name == it.name);
        let Some(document) = documents.iter().find(same) else {
            continue;
        };
        if let Some(company) = company
            && document.get("company").is_some_and(|of| of != company)
        {
            continue;
        }
        let mut row = outline::with_currency(&meta, document, &currencies);
        let field = meta.workflow.as_ref().map(|it| it.state_field.as_str());
        let now = field.and_then(|field| document.get(field)?.as_str());
        let state = now.unwrap_or(&it.state);
        row["state"] = state.into();
        row["since"] = it.since.clone();
        row["made_by"] = document.get("owner").cloned().unwrap_or_default();
        if let Some(workflow) = &meta.workflow {
            row["actions"] = actions(&meta, workflow, state, document, who);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The steps that this user could take, and why not where the workflow forbids self-approval.
fn actions(
    meta: &TypeMeta,
    workflow: &WorkflowMeta,
    state: &str,
    document: &Document,
    who: &ErpIdentity,
) -> Value {
    if who.roles.is_none() {
        return super::unknown(say::roles_unknown(&meta.name));
    }
    let is_own = document
        .get("owner")
        .is_some_and(|owner| *owner == who.user);
    let step = |it: &crate::meta::WorkflowTransition| {
        let mut step = json!({
            "action": it.action,
            "to": it.next_state,
            "condition": it.has_condition.then_some(say::SITE_CHECKS_A_CONDITION),
            "not_possible": (is_own && !it.allows_self_approval).then_some(say::OWN_DOCUMENT),
        });
        for field in ["condition", "not_possible"] {
            drop_empty(&mut step, field);
        }
        step
    };
    workflow.steps(state, who.roles()).map(step).collect()
}
