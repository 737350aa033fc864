//! Tool that drafts the stock entry of a work order.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::ErrorBody;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use crate::{
    client::ErpMethod,
    packs::{
        draft::{DraftField, PackDocument, PackDraft, PackMaking},
        figures::quantity,
    },
    site::{Document, ErpSite},
};

/// Fields that are taken over from the ERP's own mapping; the ERP fills the rest again.
const FIELDS: [&str; 8] = [
    "stock_entry_type",
    "company",
    "work_order",
    "bom_no",
    "fg_completed_qty",
    "from_bom",
    "from_warehouse",
    "to_warehouse",
];
const ROW_FIELDS: [&str; 7] = [
    "s_warehouse",
    "t_warehouse",
    "item_code",
    "qty",
    "uom",
    "is_finished_item",
    "bom_no",
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordProductionInput {
    /// Exact name of the work order, such as MFG-WO-2026-00012.
    #[schemars(length(min = 1, max = 140))]
    work_order: String,
    /// Material to the work in progress, or goods out of it.
    purpose: ProductionPurpose,
    /// Quantity of the goods that it is for.
    #[schemars(extend("exclusiveMinimum" = 0))]
    qty: Number,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
enum ProductionPurpose {
    #[serde(rename = "Material Transfer for Manufacture")]
    Transfer,
    Manufacture,
}

pub(crate) struct RecordProduction;

#[async_trait]
impl PackDraft for RecordProduction {
    const NAME: &'static str = "record_production";
    const DESCRIPTION: &'static str = "Makes a DRAFT stock entry for a work order as the ERP maps it: \
        material to it, or goods from it. A person is asked before it is made; nothing moves until it is submitted.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Record the production of 3 for the work order MFG-WO-2026-00012 as Manufacture.",
            r#"{"work_order": "MFG-WO-2026-00012", "purpose": "Manufacture", "qty": 3}"#,
        ),
        ToolExample::worked(
            "Record the material transfer for manufacture of 5 for the work order MFG-WO-2026-00012.",
            r#"{"work_order": "MFG-WO-2026-00012", "purpose": "Material Transfer for Manufacture", "qty": 5}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/qty"];
    const DOCTYPE: &'static str = "Stock Entry";
    const FOLLOWS_INPUT: bool = false;
    type Input = RecordProductionInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let qty = quantity(&input.qty)?;
        // Refused here if the order is of a company out of reach.
        let order = site.readable_type("Work Order").await?;
        site.document(&order, &input.work_order).await?;
        let purpose = match input.purpose {
            ProductionPurpose::Transfer => "Material Transfer for Manufacture",
            ProductionPurpose::Manufacture => "Manufacture",
        };
        let parameters = [
            ("work_order_id", input.work_order),
            ("purpose", purpose.to_owned()),
            ("qty", qty.normalize().to_string()),
        ];
        let answer = site
            .method(ErpMethod::EntryOfWorkOrder, &parameters)
            .await?;
        let mapped = answer.data.as_object();
        let mapped = mapped.ok_or_else(|| site.unusable("message"))?;
        let meta = site.readable_type(Self::DOCTYPE).await?;
        let fields = FIELDS.into_iter().filter(|it| meta.field(it).is_some());
        let table = meta.table_fields().find(|it| it.name == "items");
        let columns = table.and_then(|it| meta.rows_of(it)).unwrap_or_default();
        let has = |name: &&str| columns.iter().any(|it| it.name == **name);
        let rows = mapped.get("items").and_then(Value::as_array);
        let rows = rows.into_iter().flatten().filter_map(Value::as_object);
        let rows = rows.map(|row| taken(row, ROW_FIELDS.into_iter().filter(has)));
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: taken(mapped, fields),
            tables: vec![("items", rows.collect())],
        };
        Ok(document.into_making())
    }
}

/// The fields that have a value.
fn taken(values: &Document, fields: impl Iterator<Item = &'static str>) -> Vec<DraftField> {
    let values = fields.filter_map(|field| Some((field, values.get(field)?.clone())));
    values.filter(|(_, value)| *value != json!("")).collect()
}
