//! Tool that drafts a transfer of stock.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::ErrorBody;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, json};

use crate::{
    error::ErpError,
    packs::{
        draft::{PackDocument, PackDraft, PackMaking},
        figures::{number, quantity},
        stock,
    },
    site::ErpSite,
    texts::packs as say,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrepareTransferInput {
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// Warehouse that the items leave.
    #[schemars(length(min = 1, max = 140))]
    from: String,
    /// Warehouse that they go to.
    #[schemars(length(min = 1, max = 140))]
    to: String,
    /// The items.
    #[schemars(length(min = 1, max = 50))]
    items: Vec<TransferItem>,
}

/// An item of a transfer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TransferItem {
    /// Item code.
    #[schemars(length(min = 1, max = 140))]
    item: String,
    /// Quantity.
    #[schemars(extend("exclusiveMinimum" = 0))]
    qty: Number,
    /// Unit; else that of the stock.
    #[schemars(length(min = 1, max = 140))]
    uom: Option<String>,
}

pub(crate) struct PrepareTransfer;

#[async_trait]
impl PackDraft for PrepareTransfer {
    const NAME: &'static str = "prepare_transfer";
    const DESCRIPTION: &'static str = "Makes a DRAFT transfer of items from one warehouse to another. A \
        person is asked before it is made; nothing moves until it is submitted.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Prepare a transfer of 4 PUMP from Stores - AC to Shop - AC at Aldergate Cycles.",
            r#"{"company": "Aldergate Cycles", "from": "Stores - AC", "to": "Shop - AC", "items": [{"item": "PUMP", "qty": 4}]}"#,
        ),
        ToolExample::worked(
            "Draft a stock transfer at Aldergate Cycles: 2 LOCK-U from Stores - AC to Shop - AC.",
            r#"{"company": "Aldergate Cycles", "from": "Stores - AC", "to": "Shop - AC", "items": [{"item": "LOCK-U", "qty": 2}]}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/items/*/qty"];
    const DOCTYPE: &'static str = "Stock Entry";
    type Input = PrepareTransferInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        if input.from == input.to {
            return Err(ErpError::input(say::SAME_WAREHOUSE).into());
        }
        // One of another company, or that holds no stock, is none to move to.
        let places = [input.from.clone(), input.to.clone()];
        stock::warehouses(site, &places, Some(&input.company)).await?;
        let mut rows = Vec::new();
        for it in &input.items {
            rows.push(vec![
                ("item_code", json!(it.item)),
                ("qty", number(quantity(&it.qty)?)),
                ("uom", json!(it.uom)),
                ("s_warehouse", json!(input.from)),
                ("t_warehouse", json!(input.to)),
            ]);
        }
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: vec![
                ("stock_entry_type", json!("Material Transfer")),
                ("company", json!(input.company)),
                ("from_warehouse", json!(input.from)),
                ("to_warehouse", json!(input.to)),
            ],
            tables: vec![("items", rows)],
        };
        Ok(document.into_making())
    }
}
