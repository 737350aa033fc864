//! Tool that says which fields a type has here, and what this user may do.

use std::time::Duration;

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ROWS_BYTES, SHORT, drop_empty, told};
use crate::{
    cell,
    client::ErpMethod,
    error::ErpError,
    meta::{MetaField, MetaFieldKind, TypeMeta, TypeRights},
    plain_text::{plain, shorten},
    reading::ErpReading,
    site::ErpSite,
    texts::{check as invalid, readings as say},
};

/// The most types of a search.
const MOST_TYPES: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DescribeDoctypeInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: Option<String>,
    /// Part of a type's name.
    #[schemars(length(min = 2, max = 60))]
    like: Option<String>,
    /// write: fields that can be set. list: columns. all: also the rest.
    part: Option<FieldPart>,
    /// Only the columns of this table.
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    table: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FieldPart {
    #[default]
    Write,
    List,
    All,
}

pub(crate) struct DescribeDoctype;

#[async_trait]
impl ErpReading for DescribeDoctype {
    const NAME: &'static str = "describe_doctype";
    const DESCRIPTION: &'static str = "Says which fields a type of the ERP has here, which are \
        mandatory, what they may hold, whether it is submitted, its workflow, and what this ERP user \
        may do. Call it before you filter by a field that you have not seen, and before you create \
        or change a type for the first time. With \"like\" alone: the types whose name fits.";
    const TIMEOUT: Duration = SHORT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which fields does a sales order need here?",
            r#"{"doctype": "Sales Order"}"#,
        ),
        ToolExample::worked(
            "Which rights do you have on purchase invoices?",
            r#"{"doctype": "Purchase Invoice", "part": "list"}"#,
        ),
    ];
    type Input = DescribeDoctypeInput;

    async fn read(site: &ErpSite, input: DescribeDoctypeInput) -> Result<ToolOutput, ErrorBody> {
        match (&input.doctype, &input.like) {
            (Some(doctype), None) => describe(site, doctype, &input).await,
            (None, Some(like)) => search(site, like).await,
            _ => Err(ErpError::input(invalid::TYPE_OR_LIKE).into()),
        }
    }
}

async fn describe(
    site: &ErpSite,
    doctype: &str,
    input: &DescribeDoctypeInput,
) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type(doctype).await?;
    let who = site.identity().await?;
    let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
    let part = input.part.unwrap_or_default();
    let list = meta.list_columns();
    let fields: Vec<&MetaField> = match &input.table {
        Some(name) => table(&meta, name)?.iter().collect(),
        None => meta.fields.iter().collect(),
    };
    let wanted = |field: &&MetaField| match part {
        FieldPart::All => field.kind != MetaFieldKind::Layout,
        FieldPart::Write => (field.is_writable() || field.kind.is_table()) && !field.is_hidden,
        FieldPart::List if input.table.is_some() => field.in_list_view,
        FieldPart::List => list.contains(&field.name.as_str()),
    };
    let mut shown: Vec<&MetaField> = fields.into_iter().filter(wanted).collect();
    // Mandatory ones first, for a long type is cut at its end.
    shown.sort_by_key(|field| !field.is_mandatory);
    let shown: Vec<_> = shown
        .into_iter()
        .map(|it| line(it, rights.as_ref()))
        .collect();
    let count = shown.len();
    let mandatory: Vec<_> = shown
        .iter()
        .filter(|it| it["mandatory"] == true)
        .filter_map(|it| it["field"].as_str().map(str::to_owned))
        .collect();
    let (fields, is_cut) = cell::fit(shown, ROWS_BYTES);
    let mut data = json!({
        "doctype": meta.name,
        "submittable": meta.is_submittable,
        "single": meta.is_single.then_some(true),
        "naming": shorten(&meta.autoname, 80),
        "never_written_here": site.reach.is_black(&meta.name).then_some(true),
        "rights": rights.as_ref().map(TypeRights::shown),
        "workflow": meta.workflow.as_ref().map(|workflow| json!({
            "name": workflow.name,
            "states": workflow.states,
            "steps": workflow.transitions.iter().map(|it| json!({
                "from": it.state, "action": it.action, "to": it.next_state, "role": it.role,
            })).collect::<Vec<_>>(),
        })),
        "table": input.table,
        "fields": fields,
    });
    if is_cut {
        data["cut"] = say::fields_cut(count).into();
    }
    for field in [
        "single",
        "never_written_here",
        "rights",
        "workflow",
        "table",
    ] {
        drop_empty(&mut data, field);
    }
    let rights = rights.map(|it| it.on_all.iter().map(|it| it.word()).collect::<Vec<_>>());
    told(
        say::fields(&meta.name, count, &mandatory, rights.as_deref()),
        data,
    )
}

fn table<'a>(meta: &'a TypeMeta, name: &str) -> Result<&'a [MetaField], ErpError> {
    let found = meta.table_fields().find(|it| it.name == name);
    found.and_then(|it| meta.rows_of(it)).ok_or_else(|| {
        let known: Vec<_> = meta.table_fields().map(|it| it.name.as_str()).collect();
        ErpError::input(invalid::no_such_table(name, &meta.name, &known.join(", ")))
    })
}

/// A field in a few words.
fn line(field: &MetaField, rights: Option<&TypeRights>) -> Value {
    let mut line = Map::new();
    let mut add = |key: &str, value: Value| {
        line.insert(key.to_owned(), value);
    };
    add("field", field.name.as_str().into());
    if !field.label.is_empty() {
        add("label", plain(&field.label, 60).into());
    }
    add("type", field.fieldtype.as_str().into());
    match field.kind {
        MetaFieldKind::Select => add("choices", json!(field.choices())),
        MetaFieldKind::Link | MetaFieldKind::Table | MetaFieldKind::DynamicLink
            if !field.options.is_empty() =>
        {
            add("of", field.options.as_str().into());
        }
        _ => {}
    }
    if field.is_mandatory {
        add("mandatory", true.into());
    }
    if let Some(default) = &field.default {
        add("default", plain(default, 60).into());
    }
    let mut notes = Vec::new();
    if !field.is_writable() && !field.kind.is_table() {
        notes.push(say::READ_ONLY);
    }
    if field.fetch_from.is_some() && !field.fetches_if_empty {
        notes.push(say::OVERWRITTEN);
    }
    if field.is_set_once {
        notes.push(say::SET_ONCE);
    }
    if field.is_unique {
        notes.push(say::UNIQUE);
    }
    if field.allows_change_after_submit {
        notes.push(say::AFTER_SUBMIT);
    }
    if field.has_condition {
        notes.push(say::SOMETIMES_MANDATORY);
    }
    if rights.is_some_and(|it| field.permlevel > 0 && !it.writes_level(field.permlevel)) {
        notes.push(say::ABOVE_YOUR_LEVEL);
    }
    if !notes.is_empty() {
        add("note", notes.join("; ").into());
    }
    Value::Object(line)
}

async fn search(site: &ErpSite, like: &str) -> Result<ToolOutput, ErrorBody> {
    site.identity().await?;
    // The search of types skips rights: a type that is found may still be refused.
    let parameters = [
        ("doctype", "DocType".to_owned()),
        ("txt", like.to_owned()),
        ("page_length", (MOST_TYPES * 2).to_string()),
    ];
    let answer = site.method(ErpMethod::SearchLink, &parameters).await?;
    let rows = answer.data.as_array().into_iter().flatten();
    let names = rows.filter_map(|row| row["value"].as_str());
    let readable = names.filter(|name| site.reach.reads(name).is_ok());
    let types: Vec<_> = readable
        .map(|name| shorten(name, 140))
        .take(MOST_TYPES)
        .collect();
    let summary = say::types_found(types.len(), like);
    told(summary, json!({ "like": like, "doctypes": types }))
}
