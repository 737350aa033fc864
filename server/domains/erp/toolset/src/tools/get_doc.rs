//! Tool that reads one document with its rows.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ROWS_BYTES, SHORT, about, amounts, drop_empty, outline, told, touched, unknown};
use crate::{
    cell, check,
    client::ErpMethod,
    dates,
    meta::{MetaField, TypeMeta, WorkflowMeta},
    site::{Document, ErpSite},
    texts::readings as say,
};

/// Rows of each table, if the call does not say.
const ROWS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// Only these fields and tables; none for all that are set.
    #[serde(default)]
    #[schemars(length(max = 60), inner(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$")))]
    fields: Vec<String>,
    /// Rows of each table at most; 50 if not given.
    #[schemars(range(min = 0, max = 200))]
    rows: Option<u32>,
}

pub(crate) struct GetDoc(pub(crate) Arc<ErpSite>);

#[async_trait]
impl ReadingTool for GetDoc {
    const NAME: &'static str = "get_doc";
    const DESCRIPTION: &'static str = "Reads one document of the ERP by its exact name, with its rows, \
        status, workflow state and \"modified\". Use search_doc or find_link first if you do not \
        have the exact name.";
    const TIMEOUT: Duration = SHORT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What is in sales order SAL-ORD-2026-00012?",
            r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012"}"#,
        ),
        ToolExample::worked(
            "What is the state of invoice ACC-SINV-2026-00004?",
            r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004"}"#,
        ),
    ];
    type Input = GetDocInput;

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: GetDocInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get(&self.0, &input).await
    }
}

async fn get(site: &ErpSite, input: &GetDocInput) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type(&input.doctype).await?;
    let who = site.identity().await?;
    let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
    for name in &input.fields {
        if !meta.table_fields().any(|table| table.name == *name) {
            check::readable_field(&meta, name, rights.as_ref())?;
        }
    }
    let document = site.document(&meta, &input.name).await?;
    let wanted = |field: &&MetaField| {
        if input.fields.is_empty() {
            !field.is_hidden
        } else {
            input.fields.contains(&field.name)
        }
    };
    let most = input
        .rows
        .map_or(ROWS, |rows| usize::try_from(rows).unwrap_or(ROWS));
    let mut fields = Map::new();
    let mut tables = Map::new();
    for field in meta.fields.iter().filter(wanted) {
        let Some(value) = document.get(&field.name) else {
            continue;
        };
        if let (true, Some(rows)) = (field.kind.is_table(), value.as_array()) {
            if !rows.is_empty() {
                tables.insert(field.name.clone(), table(&meta, field, rows, most));
            }
        } else if let Some(value) = cell::cell(Some(field), value, cell::IN_DOCUMENT) {
            fields.insert(field.name.clone(), value);
        }
    }
    let workflow = match &meta.workflow {
        Some(workflow) => steps(site, &meta, &input.name, workflow, &document).await,
        None => Value::Null,
    };
    let status = if meta.is_submittable {
        Some(cell::docstatus(
            document.get("docstatus").unwrap_or(&Value::Null),
        ))
    } else {
        None
    };
    let text = |name: &str| document.get(name).and_then(Value::as_str);
    let mut data = json!({
        "doctype": meta.name,
        "name": input.name,
        "docstatus": status,
        "modified": text("modified"),
        "modified_by": text("modified_by"),
        "owner": text("owner"),
        "workflow": workflow,
        "fields": fields,
        "tables": tables,
        "as_of": dates::utc(site.client.now()),
    });
    for field in ["docstatus", "workflow", "tables"] {
        drop_empty(&mut data, field);
    }
    let state = document.get("status").and_then(Value::as_str).or(status);
    let outline = outline::outline(&meta, &document);
    let (party, amount) = amounts::outlined(&outline);
    told(
        say::document(&meta.name, &input.name, state, party, amount),
        data,
    )
}

fn table(meta: &TypeMeta, field: &MetaField, rows: &[Value], most: usize) -> Value {
    let columns = meta.rows_of(field).unwrap_or_default();
    let shown = |row: &Value| {
        let values = row.as_object()?;
        let visible = columns
            .iter()
            .filter(|it| !it.is_hidden && it.kind.holds_value());
        let cells = visible.map(|it| (it.name.as_str(), Some(it)));
        let mut cells = cell::row(cells, values);
        // The row's name is what a change of it is bound to.
        if let Some(name) = values.get("name") {
            cells.insert("name".to_owned(), name.clone());
        }
        Some(Value::Object(cells))
    };
    let (shown, _) = cell::fit(
        rows.iter().take(most).filter_map(shown).collect(),
        ROWS_BYTES,
    );
    json!({ "of": rows.len(), "rows": shown })
}

/// The document's state in its workflow, and the steps that the site offers this user now.
pub(crate) async fn steps(
    site: &ErpSite,
    meta: &TypeMeta,
    name: &str,
    workflow: &WorkflowMeta,
    document: &Document,
) -> Value {
    let target = json!({ "doctype": meta.name, "name": name }).to_string();
    let steps = site
        .method(ErpMethod::Transitions, &[("doc", target)])
        .await;
    let actions = match steps {
        Ok(answer) => {
            let steps = answer.data.as_array().into_iter().flatten();
            json!(
                steps
                    .filter_map(|step| step["action"].as_str())
                    .collect::<Vec<_>>()
            )
        }
        Err(error) => unknown(error.reason()),
    };
    json!({
        "name": workflow.name,
        "state": document.get(&workflow.state_field),
        "actions": actions,
    })
}
