//! Tool that sets the price of an item.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, RiskReason};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use crate::{
    decimal::{decimal, money, number},
    error::ErpError,
    packs::{
        draft::{PackDocument, PackDraft, PackMaking, text_of},
        figures::{amount, input_day, text},
        lists, stock,
    },
    site::{Document, ErpSite},
    texts::packs as say,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetItemPriceInput {
    /// Item code.
    #[schemars(length(min = 1, max = 140))]
    item: String,
    /// Exact name of the price list.
    #[schemars(length(min = 1, max = 140))]
    price_list: String,
    /// Unit; else that of the stock.
    #[schemars(length(min = 1, max = 140))]
    uom: Option<String>,
    /// The price, in the currency of the list.
    #[schemars(extend("minimum" = 0))]
    rate: Number,
    /// First day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    valid_from: String,
}

pub(crate) struct SetItemPrice;

#[async_trait]
impl PackDraft for SetItemPrice {
    const NAME: &'static str = "set_item_price";
    const DESCRIPTION: &'static str = "Sets the price of an item in a selling or buying price list from a \
        day on. It is no draft: it takes effect on that day. A person is asked before it is set.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Set the price of the item BELL in Retail EUR to 8.50 from 2026-12-01.",
            r#"{"item": "BELL", "price_list": "Retail EUR", "rate": 8.5, "valid_from": "2026-12-01"}"#,
        ),
        ToolExample::worked(
            "Set the item price of PUMP in the price list Retail EUR to 23.90, valid from 2027-01-01.",
            r#"{"item": "PUMP", "price_list": "Retail EUR", "rate": 23.9, "valid_from": "2027-01-01"}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/rate", "/valid_from"];
    const DOCTYPE: &'static str = "Item Price";
    type Input = SetItemPriceInput;

    async fn input(_: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let day = input_day("valid_from", &input.valid_from)?;
        // A number that cannot be read must not become a price of nothing.
        let rate = decimal(&Value::Number(input.rate)).filter(|it| !it.is_sign_negative());
        let rate = rate.ok_or_else(|| ErpError::input(say::RATE_IS_NO_PRICE))?;
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: vec![
                ("item_code", json!(input.item)),
                ("price_list", json!(input.price_list)),
                ("uom", json!(input.uom)),
                ("price_list_rate", number(rate)),
                ("valid_from", json!(day.to_string())),
            ],
            tables: Vec::new(),
        };
        Ok(document.into_making())
    }

    /// The ERP takes no second price of the same item, list, unit and day.
    async fn demand_new(site: &ErpSite, making: &Value) -> Result<Vec<RiskReason>, ErrorBody> {
        let given = |field: &str| text_of(making, field).unwrap_or_default();
        let (item, list, day) = (given("item_code"), given("price_list"), given("valid_from"));
        let meta = site.readable_type(Self::DOCTYPE).await?;
        let columns = [
            "name",
            "uom",
            "customer",
            "supplier",
            "batch_no",
            "valid_upto",
            "price_list_rate",
            "currency",
        ];
        let filters = vec![
            json!(["item_code", "=", item]),
            json!(["price_list", "=", list]),
            json!(["valid_from", "=", day]),
        ];
        let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
        let unit = match given("uom") {
            "" if found.is_empty() => String::new(),
            "" => text(&stock::item(site, item).await?, "stock_uom").to_owned(),
            unit => unit.to_owned(),
        };
        let is_for_all = |row: &Document| {
            let narrows = ["customer", "supplier", "batch_no", "valid_upto"];
            narrows.iter().all(|field| text(row, field).is_empty())
        };
        let same = found.iter().find(|row| {
            is_for_all(row) && (text(row, "uom").is_empty() || text(row, "uom") == unit)
        });
        match same {
            None => Ok(Vec::new()),
            Some(price) => {
                let rate = money(amount(price, "price_list_rate"), text(price, "currency"));
                let name = text(price, "name");
                let message = say::has_price(item, list, day, name, &rate);
                Err(ErpError::input(message).into())
            }
        }
    }
}
