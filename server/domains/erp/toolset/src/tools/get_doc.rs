//! Tool that reads one document with its rows.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ROWS_BYTES, SHORT, amounts, drop_empty, outline, told, unknown};
use crate::{
    cell, check,
    client::ErpMethod,
    currency::{AmountCurrency, AmountPlace, Currencies, is_amount},
    dates,
    meta::{MetaField, TypeMeta, WorkflowMeta},
    reading::ErpReading,
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

pub(crate) struct GetDoc;

#[async_trait]
impl ErpReading for GetDoc {
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
        ToolExample::worked(
            "Show the invoice ACC-SINV-2026-00004.",
            r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004"}"#,
        ),
        ToolExample::worked(
            "Show the invoice ACC-PINV-2026-00003.",
            r#"{"doctype": "Purchase Invoice", "name": "ACC-PINV-2026-00003"}"#,
        ),
    ];
    type Input = GetDocInput;

    async fn read(site: &ErpSite, input: GetDocInput) -> Result<ToolOutput, ErrorBody> {
        get(site, &input).await
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
    let currencies = site.known_currencies().await;
    let is_shown = |name: &str| fields.contains_key(name) || tables.contains_key(name);
    let amounts_in = amounts_in(&meta, &document, is_shown, &currencies);
    let mut data = json!({
        "doctype": meta.name,
        "name": input.name,
        "docstatus": status,
        "modified": text("modified"),
        "modified_by": text("modified_by"),
        // A change is bound to the site's own text, and it has no zone.
        "site_time_zone": who.time_zone.iana_name(),
        "owner": text("owner"),
        "workflow": workflow,
        "amounts_in": amounts_in,
        "fields": fields,
        "tables": tables,
        "as_of": dates::utc(site.client.now()),
    });
    for field in [
        "docstatus",
        "site_time_zone",
        "workflow",
        "amounts_in",
        "tables",
    ] {
        drop_empty(&mut data, field);
    }
    let state = document.get("status").and_then(Value::as_str).or(status);
    let outline = outline::with_currency(&meta, &document, &currencies);
    let (party, amount) = amounts::outlined(&outline);
    told(
        say::document(&meta.name, &input.name, state, party, amount),
        data,
    )
}

/// The currency of the amounts that are shown, or the fields of each if they are in several.
fn amounts_in(
    meta: &TypeMeta,
    document: &Document,
    is_shown: impl Fn(&str) -> bool,
    currencies: &Currencies,
) -> Value {
    let head = AmountPlace {
        document,
        row: None,
        currencies,
    };
    let mut of: BTreeMap<Option<String>, BTreeSet<String>> = BTreeMap::new();
    let mut add = |place: AmountPlace<'_>, columns: &[MetaField], field: &MetaField, name| {
        let currency = match place.chosen(meta, columns, field) {
            AmountCurrency::Known(currency) => amounts::word(&currency),
            AmountCurrency::NotGiven | AmountCurrency::Unknown => None,
        };
        of.entry(currency).or_default().insert(name);
    };
    for field in meta.fields.iter().filter(|it| is_shown(&it.name)) {
        if is_amount(meta, field) {
            add(head, &[], field, field.name.clone());
        }
        let columns = meta.rows_of(field).unwrap_or_default();
        let rows = document.get(&field.name).and_then(Value::as_array);
        for row in rows.into_iter().flatten().filter_map(Value::as_object) {
            let place = AmountPlace {
                row: Some(row),
                ..head
            };
            let filled = columns.iter().filter(|it| row.contains_key(&it.name));
            for column in filled.filter(|it| !it.is_hidden && is_amount(meta, it)) {
                add(
                    place,
                    columns,
                    column,
                    format!("{}.{}", field.name, column.name),
                );
            }
        }
    }
    if of.len() > 1 {
        let each = of.into_iter();
        let each =
            each.map(|(currency, fields)| (amounts::code(currency.as_deref()), json!(fields)));
        return Value::Object(each.collect());
    }
    of.into_keys().next().map_or(Value::Null, |currency| {
        amounts::currency(currency.as_deref())
    })
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

/// The document's state in its workflow, and the steps that the site offers this user now; without any, the
/// roles that it waits for.
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
    let mut place = json!({
        "name": workflow.name,
        "state": document.get(&workflow.state_field),
        "actions": actions,
        // The site evaluates conditions, too, so a user with the role may still be offered nothing.
        "waits_for": Value::Null,
    });
    if place["actions"].as_array().is_some_and(Vec::is_empty) {
        place["waits_for"] = waits_for(site, workflow, document).await.into();
    }
    drop_empty(&mut place, "waits_for");
    place
}

/// The roles that a document waits for, where this user can take no step; empty if they are not known.
async fn waits_for(site: &ErpSite, workflow: &WorkflowMeta, document: &Document) -> Vec<String> {
    let text = |field: &str| document.get(field).and_then(Value::as_str);
    let state = text(&workflow.state_field);
    let (Some(state), Ok(who)) = (state, site.identity().await) else {
        return Vec::new();
    };
    let Some(roles) = &who.roles else {
        return Vec::new();
    };
    let is_own = text("owner") == Some(who.user.as_str());
    let roles = workflow.waits_for(state, roles, is_own).into_iter();
    roles.map(str::to_owned).collect()
}
