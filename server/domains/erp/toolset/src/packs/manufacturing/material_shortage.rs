//! Tool that shows what open work orders lack, and which receipt is due.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use jiff::civil::Date;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::orders;
use crate::{
    cell, dates,
    error::ErpError,
    packs::{
        figures::{amount, day, input_day, number, text},
        lists, purchases,
        reading::PackReading,
        stock::{self, StockLevels},
    },
    site::{Document, ErpSite},
    texts::packs as say,
    tools::{ROWS_BYTES, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MaterialShortageInput {
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// Only of this work order.
    #[schemars(length(min = 1, max = 140))]
    work_order: Option<String>,
    /// Last day on which an order is planned to start, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    until: Option<String>,
}

pub(crate) struct MaterialShortage;

#[async_trait]
impl PackReading for MaterialShortage {
    const NAME: &'static str = "material_shortage";
    const DESCRIPTION: &'static str = "Shows which materials the open work orders of a company lack in \
        the warehouses that they take from, and which receipts of them are due.";
    const TIMEOUT: Duration = Duration::from_secs(30);
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which materials do the open work orders of Aldergate Cycles lack?",
            r#"{"company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "Is there a material shortage for production at Aldergate Cycles?",
            r#"{"company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = MaterialShortageInput;

    async fn read(site: &ErpSite, input: MaterialShortageInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(find(site, &input)).await
    }
}

/// The quantity of an item that open orders still take out of a warehouse.
#[derive(Default)]
struct MaterialNeed {
    qty: Decimal,
    first: Option<Date>,
    orders: Vec<String>,
}

async fn find(site: &ErpSite, input: &MaterialShortageInput) -> Result<ToolOutput, ErrorBody> {
    let until = input.until.as_deref();
    let until = until.map(|it| input_day("until", it)).transpose()?;
    let (orders, places, ()) = try_join!(
        orders::read(site, &input.company, None, input.work_order.as_deref()),
        stock::warehouses(site, &[], Some(&input.company)),
        lists::company(site, &input.company),
    )?;
    let starts = |order: &Document| day(order, "planned_start_date");
    let orders: Vec<_> = orders
        .into_iter()
        .filter(|order| !orders::is_done(order) && !orders::open(order).is_zero())
        .filter(|order| until.is_none_or(|until| starts(order).is_none_or(|day| day <= until)))
        .collect();
    let needs = needs(site, &orders).await?;
    let mut items: Vec<_> = needs.keys().map(|(item, _)| item.as_str()).collect();
    items.dedup();
    let there = StockLevels::read(site, &items, &places).await?;
    let lacks: Vec<_> = needs
        .iter()
        .filter_map(|((item, place), need)| {
            let stock = there.on_hand(item, Some(place));
            let lacks = need.qty - stock;
            (lacks > Decimal::ZERO).then_some((item, place, need, stock, lacks))
        })
        .collect();
    let short: Vec<_> = lacks.iter().map(|it| it.0.as_str()).collect();
    let due = purchases::due(site, &input.company, &short).await;
    let rows = lacks.iter().map(|(item, place, need, stock, lacks)| {
        let elsewhere = there.on_hand(item, None) - stock;
        let receipts = match &due {
            Ok(due) => due.get(*item).cloned().unwrap_or_else(|| json!([])),
            Err(error) => crate::tools::unknown(error.reason()),
        };
        json!({
            "item": item,
            "warehouse": place,
            "needed": number(need.qty),
            "in_stock": number(*stock),
            "missing": number(*lacks),
            "in_other_warehouses": number(elsewhere),
            "first_needed": orders::shown(need.first),
            "work_orders": need.orders,
            "receipts_due": receipts,
        })
    });
    let rows: Vec<_> = rows.collect();
    let count = rows.len();
    let (rows, is_cut) = cell::fit(rows, ROWS_BYTES);
    let mut data = json!({
        "company": input.company,
        "open_work_orders": orders.len(),
        "missing": rows,
        "of": is_cut.then_some(count),
        "definition": say::SHORTAGE,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    told(say::shortage(orders.len(), count), data)
}

async fn needs(
    site: &ErpSite,
    orders: &[Document],
) -> Result<BTreeMap<(String, String), MaterialNeed>, ErpError> {
    let meta = site.readable_type("Work Order").await?;
    let columns = [
        "item_code",
        "source_warehouse",
        "required_qty",
        "transferred_qty",
        "consumed_qty",
    ];
    let rows = lists::rows(site, &meta, "required_items", &columns, &[], orders).await?;
    let by_name = lists::by_name(orders);
    let mut needs: BTreeMap<(String, String), MaterialNeed> = BTreeMap::new();
    for row in &rows {
        let Some(order) = by_name.get(text(row, "parent")) else {
            continue;
        };
        // What was moved to the work in progress is no longer taken from the warehouse.
        let taken = amount(row, "transferred_qty").max(amount(row, "consumed_qty"));
        let left = amount(row, "required_qty") - taken;
        if left <= Decimal::ZERO {
            continue;
        }
        let place = match text(row, "source_warehouse") {
            "" => text(order, "source_warehouse"),
            place => place,
        };
        let need = needs
            .entry((text(row, "item_code").to_owned(), place.to_owned()))
            .or_default();
        need.qty += left;
        let starts = day(order, "planned_start_date");
        need.first = match (need.first, starts) {
            (Some(first), Some(starts)) => Some(first.min(starts)),
            (first, starts) => first.or(starts),
        };
        need.orders.push(text(order, "name").to_owned());
    }
    Ok(needs)
}
