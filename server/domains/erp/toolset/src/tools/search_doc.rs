//! Tool that finds documents of one type.

mod amounts_in;
mod examples;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use self::amounts_in::AmountsIn;
use super::{
    ROWS_BYTES, SHORT, amounts, drop_empty,
    filter::{FilterInput, OrderInput},
    known, told, unknown,
};
use crate::{
    cell, check,
    client::ErpMethod,
    currency::{self, is_amount},
    dates,
    error::ErpError,
    identity::ErpIdentity,
    meta::{MetaFieldKind, TypeMeta},
    reading::ErpReading,
    site::{ErpSite, ListQuery, NEWEST},
    texts::readings as say,
};

/// The most documents that are counted.
const MOST_COUNTED: u64 = 10_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// All must hold. "is" takes "set" or "not set"; "between" takes [from, to]; a day may be "today".
    #[serde(default)]
    #[schemars(length(max = 10))]
    filters: Vec<FilterInput>,
    /// At least one must hold.
    #[serde(default)]
    #[schemars(length(max = 10))]
    any_of: Vec<FilterInput>,
    /// Columns; none gives the type's own list columns.
    #[serde(default)]
    #[schemars(length(max = 20), inner(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$")))]
    fields: Vec<String>,
    /// Newest change first if not given.
    order_by: Option<OrderInput>,
    /// Rows at most; 20 if not given.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// Rows to skip.
    #[schemars(range(min = 0, max = 100_000))]
    start: Option<u32>,
    /// Also count all that match.
    #[serde(default)]
    total: bool,
}

pub(crate) struct SearchDoc;

#[async_trait]
impl ErpReading for SearchDoc {
    const NAME: &'static str = "search_doc";
    const DESCRIPTION: &'static str = "Finds documents of one type in the ERP, such as Sales Order, \
        Sales Invoice, Customer or Item: at most 20 rows unless you ask for more, newest first. \
        Field names must be those of the type; see describe_doctype. It shows only what this ERP \
        user may see, so an empty list is not a proof that there is none; narrowed_by says where \
        rights narrow it.";
    const TIMEOUT: Duration = SHORT;
    const EXAMPLES: &'static [ToolExample] = examples::ALL;
    const SUGGESTED: bool = true;
    type Input = SearchDocInput;

    async fn read(site: &ErpSite, input: SearchDocInput) -> Result<ToolOutput, ErrorBody> {
        search(site, &input).await
    }
}

async fn search(site: &ErpSite, input: &SearchDocInput) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type(&input.doctype).await?;
    let who = site.identity().await?;
    let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
    let rights = rights.as_ref();
    let today = dates::today(site.client.now(), &who.time_zone).to_string();
    let checked = |filter: &FilterInput| filter.checked(&meta, rights, &site.reach, &today);
    let filters = input
        .filters
        .iter()
        .map(checked)
        .collect::<Result<Vec<_>, _>>()?;
    let any_of = input
        .any_of
        .iter()
        .map(checked)
        .collect::<Result<Vec<_>, _>>()?;
    let order = match &input.order_by {
        Some(order) => order.checked(&meta, rights)?,
        None => NEWEST.to_owned(),
    };
    let mut columns: Vec<&str> = if input.fields.is_empty() {
        meta.list_columns()
    } else {
        input.fields.iter().map(String::as_str).collect()
    };
    for column in &input.fields {
        check::readable_field(&meta, column, rights)?;
    }
    if !columns.contains(&"name") {
        columns.insert(0, "name");
    }
    // An amount without its currency says nothing.
    let amounts = columns.iter().filter_map(|column| meta.field(column));
    let amounts: Vec<_> = amounts.filter(|field| is_amount(&meta, field)).collect();
    let currencies = amounts.iter().filter(|field| !field.is_of_company());
    let currencies = currencies.flat_map(|field| currency::named(field));
    let currencies: BTreeSet<&str> = currencies.flatten().collect();
    let may_ask = |name: &&str| check::readable_field(&meta, name, rights).is_ok();
    let currencies: Vec<_> = currencies
        .into_iter()
        .filter(|name| !columns.contains(name))
        .filter(may_ask)
        .collect();
    columns.extend(currencies);
    // Nobody asked for it, but it has the currency where no column does.
    let company = ["company"].into_iter();
    let company = company.filter(|it| !amounts.is_empty() && !columns.contains(it));
    let company: Vec<_> = company.filter(may_ask).collect();
    let start = input.start.unwrap_or_default();
    let query = ListQuery {
        doctype: &meta.name,
        fields: columns.iter().chain(&company).map(|it| json!(it)).collect(),
        filters: filters.clone(),
        any_of,
        group_by: "",
        order,
        start: usize::try_from(start).unwrap_or_default(),
        limit: usize::try_from(input.limit.unwrap_or(20)).unwrap_or(20),
    };
    let found = site.list(&meta, query).await?;
    let total = match (input.total, input.any_of.is_empty()) {
        (false, _) => Value::Null,
        (true, false) => unknown(say::NOT_COUNTED_WITH_ANY_OF),
        (true, true) => known(count(site, &meta, filters).await),
    };
    // The ERP leaves out columns above the user's level without a word.
    let withheld: Vec<&str> = match found.rows.first() {
        Some(first) => columns
            .iter()
            .filter(|it| !first.contains_key(**it))
            .copied()
            .collect(),
        None => Vec::new(),
    };
    let amounts_in = AmountsIn::read(site, &meta, &amounts, &found.rows).await;
    // Filters take times as the site writes them, so rows have them like that, too.
    let has_times = columns
        .iter()
        .filter_map(|column| meta.field(column))
        .any(|field| field.kind == MetaFieldKind::Datetime);
    let mut rows = Vec::new();
    for (at, row) in found.rows.iter().enumerate() {
        let cells = columns.iter().map(|column| (*column, meta.field(column)));
        let mut shown = cell::row(cells, row);
        if let Some(status) = row.get("docstatus") {
            shown.insert("docstatus".to_owned(), cell::docstatus(status).into());
        }
        let own = amounts_in.of_row(at);
        shown.extend(own.map(|own| ("amounts_in".to_owned(), own)));
        rows.push(Value::Object(shown));
    }
    let count = rows.len();
    let (rows, is_cut) = cell::fit(rows, ROWS_BYTES);
    let has_more = found.has_more || is_cut;
    let mut data = json!({
        "doctype": meta.name,
        "amounts_in": amounts_in.of_all(),
        "rows": rows,
        "more": has_more,
        "start": start,
        "total": total,
        "site_time_zone": has_times.then(|| who.time_zone.iana_name()),
        "narrowed_by": narrowing(&meta, &who),
        "companies": match site.reach.filter(&meta) {
            Some(_) => json!(site.reach.companies()),
            None => Value::Null,
        },
        "withheld": withheld,
        "warnings": found.warnings,
        "as_of": dates::utc(site.client.now()),
    });
    if is_cut {
        data["hint"] = say::ASK_FOR_FEWER_COLUMNS.into();
    }
    for field in [
        "amounts_in",
        "total",
        "site_time_zone",
        "narrowed_by",
        "companies",
        "withheld",
        "warnings",
    ] {
        drop_empty(&mut data, field);
    }
    let amount = amounts::total(&found.rows);
    let amount = amount.as_ref().map(|(column, sum)| (*column, sum.as_str()));
    told(say::found(count, &meta.name, has_more, amount), data)
}

async fn count(site: &ErpSite, meta: &TypeMeta, filters: Vec<Value>) -> Result<Value, ErpError> {
    let own = site.reach.filter(meta);
    let with_type = |filter: Value| match filter {
        Value::Array(parts) => {
            let type_first = std::iter::once(json!(meta.name));
            Value::Array(type_first.chain(parts).collect())
        }
        other => other,
    };
    let filters: Vec<_> = filters.into_iter().chain(own).map(with_type).collect();
    let parameters = [
        ("doctype", meta.name.clone()),
        ("filters", json!(filters).to_string()),
        ("fields", "[]".to_owned()),
        ("limit", (MOST_COUNTED + 1).to_string()),
    ];
    let answer = site.method(ErpMethod::Count, &parameters).await?;
    Ok(match answer.data.as_u64() {
        Some(count) if count > MOST_COUNTED => json!({ "more_than": MOST_COUNTED }),
        Some(count) => json!(count),
        // The site gives up after a second.
        None => unknown(say::COUNT_TOOK_TOO_LONG),
    })
}

/// The user permissions that narrow a list of this type, at most five documents of each.
pub(super) fn narrowing(meta: &TypeMeta, who: &ErpIdentity) -> BTreeMap<String, Vec<String>> {
    let concerns = |doctype: &str| {
        let linked = meta.fields.iter().any(|it| it.options == doctype);
        meta.name == doctype || linked
    };
    let narrowed = who
        .narrowed_to
        .iter()
        .filter(|(doctype, _)| concerns(doctype));
    let short = |names: &Vec<String>| names.iter().take(5).cloned().collect();
    narrowed
        .map(|(doctype, names)| (doctype.clone(), short(names)))
        .collect()
}
