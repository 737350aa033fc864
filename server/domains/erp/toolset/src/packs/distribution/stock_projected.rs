//! Tool that shows the stock of an item now and to come.

use std::time::Duration;

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use jiff::civil::Date;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cell, dates,
    packs::{
        figures::{amount, digits, input_day, number, text, today},
        purchases,
        reading::PackReading,
        sales,
        stock::{self, StockLevels},
    },
    site::ErpSite,
    texts::packs as say,
    tools::{LONG, ROWS_BYTES, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StockProjectedInput {
    /// Item code.
    #[schemars(length(min = 1, max = 140))]
    item: String,
    /// Only these warehouses; else all within reach.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 140)))]
    warehouses: Vec<String>,
    /// Last day of what is to come, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    until: Option<String>,
}

pub(crate) struct StockProjected;

#[async_trait]
impl PackReading for StockProjected {
    const NAME: &'static str = "stock_projected";
    const DESCRIPTION: &'static str = "Shows the stock of an item by warehouse now (there, reserved, \
        ordered, planned, projected), and what orders bring and take by day.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What is the projected stock of the item PUMP?",
            r#"{"item": "PUMP"}"#,
        ),
        ToolExample::worked(
            "How does the stock of HELMET-M develop with what is ordered and reserved?",
            r#"{"item": "HELMET-M"}"#,
        ),
    ];
    type Input = StockProjectedInput;

    async fn read(site: &ErpSite, input: StockProjectedInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(project(site, &input)).await
    }
}

/// Something that an order brings, or takes.
struct ProjectedChange {
    day: Option<Date>,
    qty: Decimal,
    warehouse: String,
    by: Value,
}

async fn project(site: &ErpSite, input: &StockProjectedInput) -> Result<ToolOutput, ErrorBody> {
    let until = input.until.as_deref();
    let until = until.map(|it| input_day("until", it)).transpose()?;
    let items = [input.item.as_str()];
    let (item, places) = try_join!(
        stock::item(site, &input.item),
        stock::warehouses(site, &input.warehouses, None),
    )?;
    let today = today(site).await?;
    let (there, receipts, deliveries) = try_join!(
        StockLevels::read(site, &items, &places),
        purchases::receipts(site, None, &items),
        sales::open(site, Vec::new(), Some(&items)),
    )?;
    let receipts = receipts.into_iter().map(|it| ProjectedChange {
        day: it.day,
        qty: it.qty,
        warehouse: it.warehouse,
        by: json!({ "purchase_order": it.order, "supplier": it.supplier }),
    });
    let deliveries = deliveries.into_iter().map(|it| ProjectedChange {
        day: it.day,
        qty: -it.qty,
        warehouse: it.warehouse,
        by: json!({ "sales_order": it.order, "customer": it.customer }),
    });
    let mut moves: Vec<_> = receipts
        .chain(deliveries)
        .filter(|it| places.contains(&it.warehouse))
        .filter(|it| until.is_none_or(|until| it.day.is_some_and(|day| day <= until)))
        .collect();
    moves.sort_by_key(|it| (it.day.is_none(), it.day));
    let now = there.on_hand(&input.item, None);
    let mut after = now;
    let mut lowest = now;
    let moves = moves.into_iter().map(|it| {
        after += it.qty;
        lowest = lowest.min(after);
        let mut row = it.by;
        if let Some(row) = row.as_object_mut() {
            row.insert("day".to_owned(), json!(it.day.map(|day| day.to_string())));
            let late = it.day.is_some_and(|day| day < today);
            row.extend(late.then(|| ("late".to_owned(), true.into())));
            row.insert("warehouse".to_owned(), it.warehouse.into());
            row.insert("change".to_owned(), number(it.qty));
            row.insert("stock_after".to_owned(), number(after));
        }
        row
    });
    let moves: Vec<_> = moves.collect();
    let bins = there.bins().iter().map(|bin| {
        let figure = |field: &str| number(amount(bin, field));
        json!({
            "warehouse": text(bin, "warehouse"),
            "there": figure("actual_qty"),
            "reserved": figure("reserved_qty"),
            "reserved_for_production": figure("reserved_qty_for_production"),
            "ordered": figure("ordered_qty"),
            "requested": figure("indented_qty"),
            "planned": figure("planned_qty"),
            "projected": figure("projected_qty"),
        })
    });
    let count = moves.len();
    let (moves, is_cut) = cell::fit(moves, ROWS_BYTES / 2);
    let mut data = json!({
        "item": input.item,
        "uom": item.get("stock_uom"),
        "today": today.to_string(),
        "there": number(now),
        "lowest": number(lowest),
        "warehouses": bins.collect::<Vec<_>>(),
        "to_come": moves,
        "of": is_cut.then_some(count),
        "definition": say::PROJECTED,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    told(say::projected(&input.item, &digits(now), count), data)
}
