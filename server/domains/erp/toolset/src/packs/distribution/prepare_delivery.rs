//! Tool that drafts a delivery or a pick list of a sales order.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::ErrorBody;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use crate::{
    packs::draft::{DraftWay, PackDraft, PackMaking},
    site::ErpSite,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrepareDeliveryInput {
    /// Exact name of the order, such as SAL-ORD-2026-00012.
    #[schemars(length(min = 1, max = 140))]
    sales_order: String,
    /// The document to make.
    #[serde(rename = "as")]
    target: DeliveryKind,
    /// Only these rows, each with its quantity; none for all that is open.
    #[serde(default)]
    #[schemars(length(max = 100))]
    rows: Vec<DeliveryRow>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
enum DeliveryKind {
    #[serde(rename = "Delivery Note")]
    DeliveryNote,
    #[serde(rename = "Pick List")]
    PickList,
}

/// A row of the order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeliveryRow {
    /// The row's own name, as source_row of orders_to_deliver.
    #[schemars(length(min = 1, max = 140))]
    source_row: String,
    /// Quantity, in the unit of the row.
    #[schemars(extend("exclusiveMinimum" = 0))]
    qty: Number,
}

pub(crate) struct PrepareDelivery;

#[async_trait]
impl PackDraft for PrepareDelivery {
    const NAME: &'static str = "prepare_delivery";
    const DESCRIPTION: &'static str = "Makes a DRAFT delivery note or pick list of a sales order, of all \
        that is open or of some rows. A person is asked before it is made; no stock moves until it is submitted.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Prepare the delivery note of the sales order SAL-ORD-2026-00012.",
            r#"{"sales_order": "SAL-ORD-2026-00012", "as": "Delivery Note"}"#,
        ),
        ToolExample::worked(
            "Prepare a pick list of the sales order SAL-ORD-2026-00012.",
            r#"{"sales_order": "SAL-ORD-2026-00012", "as": "Pick List"}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/rows/*/qty"];
    const DOCTYPE: &'static str = "Delivery Note";
    const WAY: DraftWay = DraftWay::MakeFrom;
    const FROM_INPUT: Option<fn(&Self::Input) -> Value> = Some(making);
    const UNWEIGHED: &'static [&'static str] = &["/as", "/source_row"];
    type Input = PrepareDeliveryInput;

    async fn input(_: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        Ok(making(&input).into())
    }
}

/// The same call of `make_from`.
fn making(input: &PrepareDeliveryInput) -> Value {
    let rows = input
        .rows
        .iter()
        .map(|row| json!({ "source_row": row.source_row, "qty": row.qty }));
    json!({
        "source_doctype": "Sales Order",
        "source_name": input.sales_order,
        "target_doctype": match input.target {
            DeliveryKind::DeliveryNote => "Delivery Note",
            DeliveryKind::PickList => "Pick List",
        },
        "rows": rows.collect::<Vec<_>>(),
    })
}
