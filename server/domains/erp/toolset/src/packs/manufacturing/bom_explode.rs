//! Tool that shows the raw materials for a quantity of an item.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use super::bills;
use crate::{
    cell,
    client::ErpMethod,
    dates,
    error::ErpError,
    packs::{
        figures::{amount, number, quantity, text},
        lists,
        reading::PackReading,
        stock::{self, StockLevels},
    },
    site::{Document, ErpSite},
    texts::packs as say,
    tools::{LONG, ROWS_BYTES, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BomExplodeInput {
    /// Item code.
    #[schemars(length(min = 1, max = 140))]
    item: String,
    /// Another bill of materials than the default.
    #[schemars(length(min = 1, max = 140))]
    bom: Option<String>,
    /// Quantity of the item.
    #[schemars(extend("exclusiveMinimum" = 0))]
    qty: Number,
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// Only what this warehouse has counts as stock; else all of the company.
    #[schemars(length(min = 1, max = 140))]
    warehouse: Option<String>,
}

pub(crate) struct BomExplode;

#[async_trait]
impl PackReading for BomExplode {
    const NAME: &'static str = "bom_explode";
    const DESCRIPTION: &'static str = "Shows the raw materials for a quantity of an item over all levels \
        of its bill of materials, with what is in stock and what is missing.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which raw materials does the bill of materials of BIKE-RACE need for 10 at Aldergate Cycles?",
            r#"{"item": "BIKE-RACE", "qty": 10, "company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "Explode the bill of materials of BIKE-CITY for a quantity of 25 at Aldergate Cycles.",
            r#"{"item": "BIKE-CITY", "qty": 25, "company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = BomExplodeInput;

    async fn read(site: &ErpSite, input: BomExplodeInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(explode(site, &input)).await
    }
}

async fn explode(site: &ErpSite, input: &BomExplodeInput) -> Result<ToolOutput, ErrorBody> {
    let qty = quantity(&input.qty)?;
    let named: Vec<_> = input.warehouse.iter().cloned().collect();
    let (bom, places, ()) = try_join!(
        bills::find(site, &input.item, &input.company, input.bom.as_deref()),
        stock::warehouses(site, &named, Some(&input.company)),
        lists::company(site, &input.company),
    )?;
    let materials = materials(site, &bom, qty, &input.company).await?;
    let items: Vec<_> = materials.keys().map(String::as_str).collect();
    let there = StockLevels::read(site, &items, &places).await?;
    let mut missing = 0_usize;
    let rows = materials.iter().map(|(item, row)| {
        let need = amount(row, "qty");
        let stock = there.on_hand(item, None);
        let lacks = (need - stock).max(Decimal::ZERO);
        missing += usize::from(lacks > Decimal::ZERO);
        json!({
            "item": item,
            "name": row.get("item_name").and_then(|it| cell::cell(None, it, cell::IN_LIST)),
            "needed": number(need),
            "in_stock": number(stock),
            "missing": number(lacks),
            "uom": row.get("stock_uom"),
        })
    });
    let rows: Vec<_> = rows.collect();
    let count = rows.len();
    let (rows, is_cut) = cell::fit(rows, ROWS_BYTES);
    let mut data = json!({
        "item": input.item,
        "bom": bom,
        "qty": number(qty),
        "company": input.company,
        "warehouses": places,
        "materials": rows,
        "of": is_cut.then_some(count),
        "definition": say::STOCK_OF_MATERIALS,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    told(say::materials(&input.item, count, missing), data)
}

/// The raw materials by item.
async fn materials(
    site: &ErpSite,
    bom: &str,
    qty: Decimal,
    company: &str,
) -> Result<BTreeMap<String, Document>, ErpError> {
    let parameters = [
        ("bom", bom.to_owned()),
        ("company", company.to_owned()),
        ("qty", qty.normalize().to_string()),
        ("fetch_exploded", "1".to_owned()),
    ];
    let answer = site.method(ErpMethod::BomItems, &parameters).await?;
    let rows = answer.data.as_array();
    let rows = rows.ok_or_else(|| site.unusable("message"))?;
    let mut found: BTreeMap<String, Document> = BTreeMap::new();
    for row in rows.iter().filter_map(Value::as_object) {
        let item = text(row, "item_code").to_owned();
        // Some versions give a row for each operation that takes the item.
        let before = found.get(&item).map(|it| amount(it, "qty"));
        let mut row = row.clone();
        if let Some(before) = before {
            row.insert("qty".to_owned(), number(before + amount(&row, "qty")));
        }
        found.insert(item, row);
    }
    Ok(found)
}
