//! Tool that shows which open sales orders can go out from stock.

use std::{collections::BTreeSet, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cell, dates,
    error::ErpError,
    packs::{
        figures::{input_day, is_set, number, text, today},
        lists,
        reading::PackReading,
        sales::{self, OpenRow},
        stock::{self, StockLevels},
    },
    site::ErpSite,
    texts::packs as say,
    tools::{LONG, ROWS_BYTES, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrdersToDeliverInput {
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// Last delivery day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    until: Option<String>,
    /// Only of this territory.
    #[schemars(length(min = 1, max = 140))]
    territory: Option<String>,
    /// Only of this customer.
    #[schemars(length(min = 1, max = 140))]
    customer: Option<String>,
}

pub(crate) struct OrdersToDeliver;

#[async_trait]
impl PackReading for OrdersToDeliver {
    const NAME: &'static str = "orders_to_deliver";
    const DESCRIPTION: &'static str = "Lists the open sales orders of a company by delivery day: what can \
        go out from stock, what only in part, and what is missing.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which sales orders of Aldergate Cycles can go out from stock?",
            r#"{"company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "Which orders are to be delivered at Aldergate Cycles, and what is missing for them?",
            r#"{"company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = OrdersToDeliverInput;

    async fn read(site: &ErpSite, input: OrdersToDeliverInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(list(site, &input)).await
    }
}

async fn list(site: &ErpSite, input: &OrdersToDeliverInput) -> Result<ToolOutput, ErrorBody> {
    let until = input.until.as_deref();
    let until = until.map(|it| input_day("until", it)).transpose()?;
    // All orders of the company: stock is given to the earlier ones, whoever is asked about.
    let all = vec![json!(["company", "=", input.company])];
    let (rows, places, wanted, ()) = try_join!(
        sales::open(site, all, None),
        stock::warehouses(site, &[], Some(&input.company)),
        wanted(site, input),
        lists::company(site, &input.company),
    )?;
    let today = today(site).await?;
    let items: BTreeSet<_> = rows.iter().map(|row| row.item.as_str()).collect();
    let items: Vec<_> = items.into_iter().collect();
    let (there, services) = try_join!(
        StockLevels::read(site, &items, &places),
        without_stock(site, &items),
    )?;
    let mut left = there.by_place();
    let mut give = |row: &OpenRow| {
        if services.contains(&row.item) {
            return row.qty;
        }
        let place = (row.item.clone(), row.warehouse.clone());
        let there = left.entry(place).or_default();
        let given = row.qty.min((*there).max(Decimal::ZERO));
        *there -= given;
        given
    };
    let rows: Vec<_> = rows.iter().map(|row| (row, give(row))).collect();
    let is_wanted = |row: &OpenRow| {
        until.is_none_or(|until| row.day.is_some_and(|day| day <= until))
            && wanted.as_ref().is_none_or(|it| it.contains(&row.order))
    };
    let mut orders: Vec<(&str, Vec<(&OpenRow, Decimal)>)> = Vec::new();
    for (row, given) in rows.into_iter().filter(|(row, _)| is_wanted(row)) {
        match orders.iter_mut().find(|(name, _)| *name == row.order) {
            Some((_, rows)) => rows.push((row, given)),
            None => orders.push((&row.order, vec![(row, given)])),
        }
    }
    let states: Vec<_> = orders.iter().map(|(_, rows)| state(rows)).collect();
    let shown = orders.iter().zip(&states).map(|((name, rows), state)| {
        let first = rows.first().map(|(row, _)| row);
        let day = first.and_then(|row| row.day);
        let mut order = json!({
            "sales_order": name,
            "customer": first.map(|row| &row.customer),
            "delivery_day": day.map(|day| day.to_string()),
            "late": day.is_some_and(|day| day < today).then_some(true),
            "state": state,
            "rows": rows.iter().map(|(row, given)| json!({
                "source_row": row.row,
                "item": row.item,
                "warehouse": row.warehouse,
                "open": number(row.qty),
                "can_go": number(*given),
                "missing": number(row.qty - given),
            })).collect::<Vec<_>>(),
        });
        drop_empty(&mut order, "late");
        order
    });
    let shown: Vec<_> = shown.collect();
    let count = shown.len();
    let (shown, is_cut) = cell::fit(shown, ROWS_BYTES);
    let mut data = json!({
        "company": input.company,
        "today": today.to_string(),
        "orders": shown,
        "of": is_cut.then_some(count),
        "definition": say::TO_DELIVER,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    let whole = states.iter().filter(|it| **it == "whole").count();
    told(say::to_deliver(count, whole), data)
}

/// The part of an order that can go out.
fn state(rows: &[(&OpenRow, Decimal)]) -> &'static str {
    if rows.iter().all(|(row, given)| *given == row.qty) {
        "whole"
    } else if rows.iter().any(|(_, given)| *given > Decimal::ZERO) {
        "part"
    } else {
        "nothing"
    }
}

/// The orders that the input narrows to; none for all.
async fn wanted(
    site: &ErpSite,
    input: &OrdersToDeliverInput,
) -> Result<Option<BTreeSet<String>>, ErpError> {
    let mut filters = Vec::new();
    for (field, value) in [
        ("territory", &input.territory),
        ("customer", &input.customer),
    ] {
        filters.extend(value.iter().map(|it| json!([field, "=", it])));
    }
    if filters.is_empty() {
        return Ok(None);
    }
    filters.push(json!(["company", "=", input.company]));
    let rows = sales::open(site, filters, None).await?;
    Ok(Some(rows.into_iter().map(|row| row.order).collect()))
}

/// The items of which no stock is kept, such as services.
async fn without_stock(site: &ErpSite, items: &[&str]) -> Result<BTreeSet<String>, ErpError> {
    let meta = site.readable_type("Item").await?;
    let mut found = BTreeSet::new();
    for items in items.chunks(100) {
        let filters = vec![json!(["name", "in", items])];
        let columns = ["name", "is_stock_item"];
        let rows = lists::documents(site, &meta, &columns, filters, "name asc").await?;
        let services = rows.iter().filter(|row| !is_set(row, "is_stock_item"));
        found.extend(services.map(|row| text(row, "name").to_owned()));
    }
    Ok(found)
}
