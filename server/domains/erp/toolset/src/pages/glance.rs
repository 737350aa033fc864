//! Part `glance`: what people look for first at a party or an item and its own form does not have: the
//! balance, open invoices and orders; stock and selling prices.

use std::collections::BTreeSet;

use erp_wire::{DocumentCell, DocumentColumn, DocumentGlance, DocumentTable, GlanceList};
use futures::{future::try_join_all, join};
use protocol::{Known, Reference};
use serde_json::{Value, json};

use super::{OpenedDocument, document::column};
use crate::{
    cell, currency,
    decimal::decimal_or_zero,
    error::ErpError,
    meta::{MetaField, MetaFieldKind},
    reach::company_field,
    refer,
    shown::{self, CellContext},
    site::{Document, ErpSite, ListQuery},
    texts::pages as say,
    warehouses,
};

/// The most rows of a list.
const MOST_SHOWN: usize = 20;
/// The most companies whose ledgers are asked for the balance of a party, each with a request.
const MOST_COMPANIES: usize = 5;

/// The types of what is open with a party.
struct PartyTypes {
    /// The field with the party.
    field: &'static str,
    invoice: &'static str,
    order: &'static str,
    /// The day of an order that counts.
    day: &'static str,
    /// The meaning of a balance above zero.
    means: &'static str,
}

const CUSTOMER: PartyTypes = PartyTypes {
    field: "customer",
    invoice: "Sales Invoice",
    order: "Sales Order",
    day: "delivery_date",
    means: say::CUSTOMER_OWES,
};

const SUPPLIER: PartyTypes = PartyTypes {
    field: "supplier",
    invoice: "Purchase Invoice",
    order: "Purchase Order",
    day: "schedule_date",
    means: say::COMPANY_OWES,
};

/// Documents of a type for a table.
struct GlanceQuery<'a> {
    title: &'static str,
    doctype: &'a str,
    columns: [&'a str; 4],
    filters: Vec<Value>,
    order: String,
}

pub(super) async fn page(site: &ErpSite, opened: &OpenedDocument) -> DocumentGlance {
    let lists = match opened.meta.name.as_str() {
        "Customer" => Box::pin(of_party(site, opened, &CUSTOMER)).await,
        "Supplier" => Box::pin(of_party(site, opened, &SUPPLIER)).await,
        "Item" => Box::pin(of_item(site, opened)).await,
        _ => Vec::new(),
    };
    DocumentGlance {
        lists,
        at: opened.at,
    }
}

fn listed(title: &str, table: Result<DocumentTable, ErpError>) -> GlanceList {
    GlanceList {
        title: title.to_owned(),
        table: match table {
            Ok(table) => Known::Value(table),
            Err(error) => Known::unknown(error.reason()),
        },
    }
}

async fn of_party(site: &ErpSite, opened: &OpenedDocument, types: &PartyTypes) -> Vec<GlanceList> {
    let open = || {
        vec![
            json!([types.field, "=", opened.name()]),
            json!(["docstatus", "=", 1]),
        ]
    };
    let mut unpaid = open();
    unpaid.push(json!(["outstanding_amount", "!=", 0]));
    let invoices = GlanceQuery {
        title: say::OPEN_INVOICES,
        doctype: types.invoice,
        columns: ["name", "due_date", "status", "outstanding_amount"],
        filters: unpaid,
        order: "due_date asc, name asc".to_owned(),
    };
    let mut undone = open();
    undone.push(json!(["status", "not in", ["Completed", "Closed"]]));
    let orders = GlanceQuery {
        title: say::OPEN_ORDERS,
        doctype: types.order,
        columns: ["name", types.day, "status", "grand_total"],
        filters: undone,
        order: format!("{} asc, name asc", types.day),
    };
    let (balance, open_invoices, open_orders) = join!(
        balance(site, opened, types),
        table(site, invoices),
        table(site, orders),
    );
    vec![
        listed(say::BALANCE, balance),
        listed(say::OPEN_INVOICES, open_invoices),
        listed(say::OPEN_ORDERS, open_orders),
    ]
}

/// The balance of a party by the ledger of each company within reach.
async fn balance(
    site: &ErpSite,
    opened: &OpenedDocument,
    types: &PartyTypes,
) -> Result<DocumentTable, ErpError> {
    let meta = site.readable_type("GL Entry").await?;
    let currencies = site.currencies().await?;
    let asked = currencies.iter().take(MOST_COMPANIES);
    let asked = asked.map(|(company, currency)| {
        let meta = &meta;
        async move {
            let filters = vec![
                json!(["party_type", "=", opened.meta.name]),
                json!(["party", "=", opened.name()]),
                json!(["company", "=", company]),
                json!(["is_cancelled", "=", 0]),
            ];
            let sums = site.sums(meta, &["debit", "credit"], filters).await?;
            let [debit, credit] =
                ["debit", "credit"].map(|it| sums.get(it).map(decimal_or_zero).unwrap_or_default());
            let balance = match opened.meta.name.as_str() {
                "Supplier" => credit - debit,
                _ => debit - credit,
            };
            let cells = vec![
                shown::plain(company.clone()),
                shown::amount(balance, Some(currency.as_str())),
            ];
            Ok::<_, ErpError>((balance.is_zero(), cells))
        }
    });
    let mut found = try_join_all(asked).await?;
    // A company that the party has nothing to do with says nothing, but where none has, a zero does.
    if found.iter().any(|(is_zero, _)| !is_zero) {
        found.retain(|(is_zero, _)| !is_zero);
    }
    let head = |label: &str, is_number| DocumentColumn {
        label: label.to_owned(),
        is_number,
    };
    let mut notes = vec![types.means.to_owned()];
    if currencies.len() > MOST_COMPANIES {
        notes.push(say::of_companies(MOST_COMPANIES, currencies.len()));
    }
    let rows: Vec<_> = found.into_iter().map(|(_, cells)| cells).collect();
    Ok(DocumentTable {
        title: say::BALANCE.to_owned(),
        columns: vec![head(say::COMPANY, false), head(say::BALANCE, true)],
        of: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        rows,
        foot: Vec::new(),
        notes,
    })
}

async fn of_item(site: &ErpSite, opened: &OpenedDocument) -> Vec<GlanceList> {
    let prices = GlanceQuery {
        title: say::SELLING_PRICES,
        doctype: "Item Price",
        columns: ["price_list", "price_list_rate", "customer", "valid_from"],
        filters: vec![
            json!(["item_code", "=", opened.name()]),
            json!(["selling", "=", 1]),
        ],
        order: "price_list asc, valid_from desc, name asc".to_owned(),
    };
    let (stock, selling) = join!(stock(site, opened), table(site, prices));
    vec![
        listed(say::STOCK_BY_WAREHOUSE, stock),
        listed(say::SELLING_PRICES, selling),
    ]
}

/// The stock of an item in the warehouses within reach.
async fn stock(site: &ErpSite, opened: &OpenedDocument) -> Result<DocumentTable, ErpError> {
    let meta = site.readable_type("Bin").await?;
    let mut filters = vec![json!(["item_code", "=", opened.name()])];
    // Older versions keep no company there, so the warehouses must.
    if company_field(&meta).is_none() && !site.reach.companies().is_empty() {
        let names = Box::pin(warehouses::of_companies(site)).await?;
        filters.push(json!(["warehouse", "in", names]));
    }
    let bins = GlanceQuery {
        title: say::STOCK_BY_WAREHOUSE,
        doctype: "Bin",
        columns: ["warehouse", "actual_qty", "projected_qty", "stock_uom"],
        filters,
        order: "warehouse asc, name asc".to_owned(),
    };
    table(site, bins).await
}

/// The documents of a query as a table, with the columns that the type has.
async fn table(site: &ErpSite, asked: GlanceQuery<'_>) -> Result<DocumentTable, ErpError> {
    let meta = site.readable_type(asked.doctype).await?;
    let fields = asked.columns.iter().filter_map(|name| meta.field(name));
    let fields: Vec<&MetaField> = fields.collect();
    // An amount without its currency says nothing.
    let amounts = fields
        .iter()
        .filter(|field| field.kind == MetaFieldKind::Currency);
    let mut columns: BTreeSet<&str> = amounts
        .flat_map(|field| currency::named(field).into_iter().flatten())
        .chain(["company"])
        .filter(|name| meta.field(name).is_some())
        .collect();
    columns.extend(fields.iter().map(|field| field.name.as_str()));
    let query = ListQuery {
        doctype: asked.doctype,
        fields: columns.iter().map(|name| json!(name)).collect(),
        filters: asked.filters,
        order: asked.order,
        limit: MOST_SHOWN,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    let currencies = site.known_currencies().await;
    let who = site.identity().await?;
    let cells = |row: &Document| -> Vec<DocumentCell> {
        let around = CellContext {
            meta: &meta,
            document: row,
            row: None,
            currencies: &currencies,
            reach: &site.reach,
            zone: Some(&who.time_zone),
        };
        let shown = fields.iter().map(|field| {
            let value = row.get(&field.name)?;
            match value.as_str() {
                Some(name) if field.name == "name" => Some(link(asked.doctype, name)),
                _ => around.cell(field, value, cell::IN_LIST),
            }
        });
        shown.map(Option::unwrap_or_default).collect()
    };
    let rows: Vec<_> = found.rows.iter().map(cells).collect();
    let head = |field: &&MetaField| match field.name.as_str() {
        "name" => DocumentColumn {
            label: asked.doctype.to_owned(),
            is_number: false,
        },
        _ => column(field),
    };
    Ok(DocumentTable {
        title: asked.title.to_owned(),
        columns: fields.iter().map(head).collect(),
        of: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        rows,
        foot: Vec::new(),
        notes: found
            .has_more
            .then(|| say::ONLY_THE_FIRST.to_owned())
            .into_iter()
            .collect(),
    })
}

/// The name of a document with the way to its page, if it can have one.
fn link(doctype: &str, name: &str) -> DocumentCell {
    let id = format!("{doctype}/{name}");
    let is_page = refer::refers(&Reference::new(refer::KIND, id.clone()));
    DocumentCell {
        to: is_page.then_some(id),
        ..shown::plain(name.to_owned())
    }
}
