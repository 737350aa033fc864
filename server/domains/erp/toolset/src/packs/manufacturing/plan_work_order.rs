//! Tool that drafts a work order.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::ErrorBody;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use super::bills;
use crate::{
    packs::{
        draft::{PackDocument, PackDraft, PackMaking},
        figures::{input_day, number, quantity},
        stock,
    },
    site::ErpSite,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanWorkOrderInput {
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
    /// Warehouse of the goods.
    #[schemars(length(min = 1, max = 140))]
    fg_warehouse: String,
    /// Warehouse of the work in progress.
    #[schemars(length(min = 1, max = 140))]
    wip_warehouse: Option<String>,
    /// Planned start, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    start: String,
    /// The sales order that it is for.
    #[schemars(length(min = 1, max = 140))]
    sales_order: Option<String>,
}

pub(crate) struct PlanWorkOrder;

#[async_trait]
impl PackDraft for PlanWorkOrder {
    const NAME: &'static str = "plan_work_order";
    const DESCRIPTION: &'static str = "Makes a DRAFT work order for an item by its bill of materials. A \
        person is asked before it is made; it takes and makes nothing until it is submitted.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Plan a work order for 5 BIKE-CITY into Finished - AC at Aldergate Cycles, start 2026-12-01.",
            r#"{"item": "BIKE-CITY", "qty": 5, "company": "Aldergate Cycles", "fg_warehouse": "Finished - AC", "start": "2026-12-01"}"#,
        ),
        ToolExample::worked(
            "Draft a work order: 12 BIKE-TOUR for Aldergate Cycles into Finished - AC from 2026-12-03.",
            r#"{"item": "BIKE-TOUR", "qty": 12, "company": "Aldergate Cycles", "fg_warehouse": "Finished - AC", "start": "2026-12-03"}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/qty", "/start"];
    const DOCTYPE: &'static str = "Work Order";
    const FROM_INPUT: Option<fn(&Self::Input) -> Value> = Some(known);
    type Input = PlanWorkOrderInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let qty = quantity(&input.qty)?;
        let start = input_day("start", &input.start)?;
        let named = [Some(&input.fg_warehouse), input.wip_warehouse.as_ref()];
        let named: Vec<_> = named.into_iter().flatten().cloned().collect();
        stock::warehouses(site, &named, Some(&input.company)).await?;
        let bom = bills::find(site, &input.item, &input.company, input.bom.as_deref()).await?;
        let document = document(&input, Some(&bom), number(qty), &start.to_string());
        Ok(document.into_making())
    }
}

fn document(
    input: &PlanWorkOrderInput,
    bom: Option<&str>,
    qty: Value,
    start: &str,
) -> PackDocument {
    PackDocument {
        doctype: PlanWorkOrder::DOCTYPE,
        fields: vec![
            ("production_item", json!(input.item)),
            ("bom_no", json!(bom)),
            ("qty", qty),
            ("company", json!(input.company)),
            ("fg_warehouse", json!(input.fg_warehouse)),
            ("wip_warehouse", json!(input.wip_warehouse)),
            ("planned_start_date", json!(format!("{start} 08:00:00"))),
            ("sales_order", json!(input.sales_order)),
        ],
        tables: Vec::new(),
    }
}

/// The ERP adds the item's default bill: an administrator chose it, and no call can.
fn known(input: &PlanWorkOrderInput) -> Value {
    let qty = Value::Number(input.qty.clone());
    let document = document(input, input.bom.as_deref(), qty, &input.start);
    document.into_making().into_input()
}
