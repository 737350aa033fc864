//! Tool that drafts a request for what is below its reorder level.

use agent::ports::ToolExample;
use std::collections::BTreeMap;

use async_trait::async_trait;
use futures::try_join;
use protocol::ErrorBody;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    error::ErpError,
    packs::{
        draft::{PackDocument, PackDraft, PackMaking},
        figures::{amount, input_day, number, text},
        lists,
        stock::{self, StockLevels},
    },
    site::{Document, ErpSite},
    texts::packs as say,
};

/// The most rows of a request.
const MOST_ROWS: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrepareReorderInput {
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// Only what this warehouse lacks.
    #[schemars(length(min = 1, max = 140))]
    warehouse: Option<String>,
    /// Only these item codes.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 140)))]
    items: Vec<String>,
    /// Day on which it is needed, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    needed_by: String,
}

pub(crate) struct PrepareReorder;

#[async_trait]
impl PackDraft for PrepareReorder {
    const NAME: &'static str = "prepare_reorder";
    const DESCRIPTION: &'static str = "Makes a DRAFT material request, for purchase, of all items whose \
        projected stock is at or below their reorder level. A person is asked before it is made.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Prepare a reorder of what is below its reorder level at Aldergate Cycles, needed by 2026-12-10.",
            r#"{"company": "Aldergate Cycles", "needed_by": "2026-12-10"}"#,
        ),
        ToolExample::worked(
            "Reorder what Stores - AC lacks at Aldergate Cycles by 2026-12-15.",
            r#"{"company": "Aldergate Cycles", "warehouse": "Stores - AC", "needed_by": "2026-12-15"}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/needed_by"];
    const DOCTYPE: &'static str = "Material Request";
    const FOLLOWS_INPUT: bool = false;
    type Input = PrepareReorderInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let day = input_day("needed_by", &input.needed_by)?.to_string();
        let named: Vec<_> = input.warehouse.iter().cloned().collect();
        let (levels, places, ()) = try_join!(
            levels(site, &input.items),
            stock::warehouses(site, &named, Some(&input.company)),
            lists::company(site, &input.company),
        )?;
        let levels: Vec<_> = levels
            .iter()
            .filter(|row| places.iter().any(|place| place == text(row, "warehouse")))
            .collect();
        let mut items: Vec<_> = levels.iter().map(|row| text(row, "parent")).collect();
        items.dedup();
        let there = StockLevels::read(site, &items, &places).await?;
        let projected: BTreeMap<_, _> = there
            .bins()
            .iter()
            .map(|bin| {
                let place = (text(bin, "item_code"), text(bin, "warehouse"));
                (place, amount(bin, "projected_qty"))
            })
            .collect();
        let mut rows = Vec::new();
        for row in levels {
            let place = (text(row, "parent"), text(row, "warehouse"));
            let has = projected.get(&place).copied().unwrap_or_default();
            let level = amount(row, "warehouse_reorder_level");
            if level.is_zero() || has > level {
                continue;
            }
            // As the ERP's own reorder does it: what is ordered usually, or more if that is not enough.
            let qty = amount(row, "warehouse_reorder_qty").max(level - has);
            if qty > Decimal::ZERO {
                rows.push(vec![
                    ("item_code", json!(place.0)),
                    ("qty", number(qty)),
                    ("warehouse", json!(place.1)),
                    ("schedule_date", json!(day)),
                ]);
            }
        }
        match rows.len() {
            0 => return Err(ErpError::input(say::NOTHING_TO_REORDER).into()),
            1..=MOST_ROWS => {}
            _ => return Err(ErpError::input(say::too_many_to_reorder(MOST_ROWS)).into()),
        }
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: vec![
                ("material_request_type", json!("Purchase")),
                ("company", json!(input.company)),
                ("schedule_date", json!(day)),
            ],
            tables: vec![("items", rows)],
        };
        Ok(document.into_making())
    }
}

/// The reorder levels of enabled items, each with its item under `parent`.
async fn levels(site: &ErpSite, items: &[String]) -> Result<Vec<Document>, ErpError> {
    let meta = site.readable_type("Item").await?;
    let table = meta.table_fields().find(|it| it.name == "reorder_levels");
    let rows = table.map_or("", |it| it.options.as_str());
    let mut filters: Vec<Value> = vec![
        json!(["disabled", "=", 0]),
        json!([rows, "warehouse_reorder_level", ">", 0]),
    ];
    if !items.is_empty() {
        filters.push(json!(["name", "in", items]));
    }
    let mut found = lists::documents(site, &meta, &["name"], filters, "name asc").await?;
    // An item with two levels comes twice from the database's join.
    found.dedup_by(|left, right| left.get("name") == right.get("name"));
    if let Some(lacks) = items
        .iter()
        .find(|it| !found.iter().any(|row| text(row, "name") == **it))
    {
        return Err(ErpError::input(say::no_reorder_level(lacks)));
    }
    let columns = [
        "warehouse",
        "warehouse_reorder_level",
        "warehouse_reorder_qty",
        "material_request_type",
    ];
    let mut rows = lists::rows(site, &meta, "reorder_levels", &columns, &[], &found).await?;
    rows.retain(|row| matches!(text(row, "material_request_type"), "" | "Purchase"));
    Ok(rows)
}
