//! Tool that shows the price of an item, and why it is that one.

use std::{cmp::Reverse, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::{join, try_join};
use jiff::civil::Date;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use crate::packs::{
    figures::{amount, day, number, quantity, text, today},
    lists,
    reading::PackReading,
};
use crate::{
    cell, dates,
    decimal::times,
    error::ErpError,
    site::{Document, ErpSite},
    texts::packs as say,
    tools::{LONG, amounts, drop_empty, known, told, unknown},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PriceCheckInput {
    /// Item code or barcode.
    #[schemars(length(min = 1, max = 140))]
    item: String,
    /// Quantity; 1 if not given.
    #[schemars(extend("exclusiveMinimum" = 0))]
    qty: Option<Number>,
    /// Price list; else the customer's, or the only one that sells in the company's currency.
    #[schemars(length(min = 1, max = 140))]
    price_list: Option<String>,
    /// Exact name of the customer.
    #[schemars(length(min = 1, max = 140))]
    customer: Option<String>,
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
}

pub(crate) struct PriceCheck;

#[async_trait]
impl PackReading for PriceCheck {
    const NAME: &'static str = "price_check";
    const DESCRIPTION: &'static str = "Shows what an item costs a customer now and why: the price of the \
        list, and the pricing rules that may change it. Taxes depend on the document.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What does the item LOCK-U cost at Aldergate Cycles?",
            r#"{"item": "LOCK-U", "company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "What price does the item HELMET-M have for the customer Kestrel Cycles at Aldergate Cycles?",
            r#"{"item": "HELMET-M", "customer": "Kestrel Cycles", "company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = PriceCheckInput;

    async fn read(site: &ErpSite, input: PriceCheckInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(check(site, &input)).await
    }
}

async fn check(site: &ErpSite, input: &PriceCheckInput) -> Result<ToolOutput, ErrorBody> {
    let qty = input.qty.as_ref().map_or(Ok(Decimal::ONE), quantity)?;
    let (item, customer, ()) = try_join!(
        item(site, &input.item),
        customer(site, input.customer.as_deref()),
        lists::company(site, &input.company),
    )?;
    let list = list(site, input, customer.as_ref()).await?;
    let today = today(site).await?;
    let code = text(&item, "name");
    let asked = PriceQuestion {
        item: &item,
        customer: input.customer.as_deref().unwrap_or_default(),
        list: &list,
        company: &input.company,
        qty,
        today,
    };
    let (prices, rules) = join!(prices(site, &asked), rules(site, &asked));
    let prices = prices?;
    let best = prices.first();
    let rate = best.map(|it| amount(it, "price_list_rate"));
    let price = match (best, rate) {
        (Some(best), Some(rate)) => json!({
            "rate": number(rate),
            "amount": number(times(rate, qty)),
            "currency": amounts::currency(Some(text(best, "currency")).filter(|it| !it.is_empty())),
            "uom": best.get("uom"),
            "why": why(best),
            "valid_from": best.get("valid_from"),
            "valid_upto": best.get("valid_upto"),
        }),
        _ => unknown(say::no_price(code, &list)),
    };
    let mut data = json!({
        "item": code,
        "name": item.get("item_name"),
        "qty": number(qty),
        "customer": input.customer,
        "company": input.company,
        "price_list": list,
        "price": price,
        "other_valid_prices": prices.len().saturating_sub(1),
        "rules": known(rules),
        "taxes": unknown(say::TAXES_DEPEND),
        "definition": say::PRICE,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "customer");
    let rate = best.zip(rate).map(|(best, rate)| {
        let currency = Some(text(best, "currency")).filter(|it| !it.is_empty());
        amounts::shown(rate, currency)
    });
    told(say::price(code, rate.as_deref(), &list), data)
}

struct PriceQuestion<'a> {
    item: &'a Document,
    /// Empty for nobody in particular.
    customer: &'a str,
    list: &'a str,
    company: &'a str,
    qty: Decimal,
    today: Date,
}

const ITEM_COLUMNS: [&str; 7] = [
    "name",
    "item_name",
    "item_group",
    "brand",
    "stock_uom",
    "disabled",
    "has_variants",
];

/// The item with this code, or with this barcode.
async fn item(site: &ErpSite, code: &str) -> Result<Document, ErpError> {
    let meta = site.readable_type("Item").await?;
    let by_code = vec![json!(["name", "=", code])];
    let found = lists::documents(site, &meta, &ITEM_COLUMNS, by_code, "name asc").await?;
    if let Some(item) = found.into_iter().find(|it| text(it, "name") == code) {
        return Ok(item);
    }
    let table = meta.table_fields().find(|it| it.name == "barcodes");
    let by_barcode = match table {
        Some(table) => json!([table.options, "barcode", "=", code]),
        None if meta.field("barcode").is_some() => json!(["barcode", "=", code]),
        None => return Err(ErpError::input(say::no_item(code))),
    };
    let filters = vec![by_barcode];
    let found = lists::documents(site, &meta, &ITEM_COLUMNS, filters, "name asc").await?;
    match <[Document; 1]>::try_from(found) {
        Ok([item]) => Ok(item),
        Err(_) => Err(ErpError::input(say::no_item(code))),
    }
}

async fn customer(site: &ErpSite, name: Option<&str>) -> Result<Option<Document>, ErpError> {
    let Some(name) = name else {
        return Ok(None);
    };
    let meta = site.readable_type("Customer").await?;
    Ok(Some(site.document(&meta, name).await?))
}

/// The list that is asked for, that of the customer, or the only one there is.
async fn list(
    site: &ErpSite,
    input: &PriceCheckInput,
    customer: Option<&Document>,
) -> Result<String, ErpError> {
    let meta = site.readable_type("Price List").await?;
    let mut filters = vec![json!(["enabled", "=", 1])];
    let own = customer.map(|it| text(it, "default_price_list"));
    let wanted = input
        .price_list
        .as_deref()
        .or(own)
        .filter(|it| !it.is_empty());
    if let Some(wanted) = wanted {
        filters.push(json!(["name", "=", wanted]));
    } else {
        let company = site.readable_type("Company").await?;
        let of = vec![json!(["name", "=", input.company])];
        let columns = ["name", "default_currency"];
        let found = lists::documents(site, &company, &columns, of, "name asc").await?;
        let currency = found.first().map(|it| text(it, "default_currency"));
        filters.push(json!(["selling", "=", 1]));
        filters.push(json!(["currency", "=", currency.unwrap_or_default()]));
    }
    let found = lists::documents(site, &meta, &["name"], filters, "name asc").await?;
    let names: Vec<_> = found.iter().map(|it| text(it, "name")).collect();
    match (names.as_slice(), wanted) {
        ([name], None) => Ok((*name).to_owned()),
        (names, Some(wanted)) if names.contains(&wanted) => Ok(wanted.to_owned()),
        (_, Some(wanted)) => Err(ErpError::input(say::no_price_list(wanted))),
        (names, None) => Err(ErpError::input(say::name_a_price_list(&names.join(", ")))),
    }
}

/// Prices of the list that are valid today and for this customer, the one that counts first.
async fn prices(site: &ErpSite, asked: &PriceQuestion<'_>) -> Result<Vec<Document>, ErpError> {
    let meta = site.readable_type("Item Price").await?;
    let columns = [
        "price_list_rate",
        "currency",
        "uom",
        "customer",
        "valid_from",
        "valid_upto",
        "name",
    ];
    let filters = vec![
        json!(["item_code", "=", text(asked.item, "name")]),
        json!(["price_list", "=", asked.list]),
    ];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let unit = text(asked.item, "stock_uom");
    let mut valid: Vec<_> = found
        .into_iter()
        .filter(|it| is_valid(it, asked.today))
        .filter(|it| matches!(text(it, "customer"), "") || text(it, "customer") == asked.customer)
        .filter(|it| matches!(text(it, "uom"), "") || text(it, "uom") == unit)
        .collect();
    valid.sort_by_key(|it| {
        let is_own = !text(it, "customer").is_empty();
        Reverse((is_own, day(it, "valid_from"), text(it, "uom").to_owned()))
    });
    Ok(valid)
}

fn is_valid(row: &Document, today: Date) -> bool {
    day(row, "valid_from").is_none_or(|from| from <= today)
        && day(row, "valid_upto").is_none_or(|upto| upto >= today)
}

fn why(price: &Document) -> &'static str {
    if text(price, "customer").is_empty() {
        say::PRICE_OF_LIST
    } else {
        say::PRICE_OF_CUSTOMER
    }
}

/// Rules that name the item or its group and fit the question.
async fn rules(site: &ErpSite, asked: &PriceQuestion<'_>) -> Result<Value, ErpError> {
    let meta = site.readable_type("Pricing Rule").await?;
    let columns = [
        "name",
        "title",
        "apply_on",
        "customer",
        "company",
        "for_price_list",
        "min_qty",
        "max_qty",
        "valid_from",
        "valid_upto",
        "rate_or_discount",
        "rate",
        "discount_percentage",
        "discount_amount",
        "currency",
        "company",
        "priority",
    ];
    let filters = vec![json!(["selling", "=", 1]), json!(["disable", "=", 0])];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let (items, groups) = try_join!(
        lists::rows(site, &meta, "items", &["item_code"], &[], &found),
        lists::rows(site, &meta, "item_groups", &["item_group"], &[], &found),
    )?;
    let names = |rows: &[Document], field: &str, rule: &str, value: &str| {
        let mut rows = rows.iter().filter(|row| text(row, "parent") == rule);
        rows.any(|row| text(row, field) == value)
    };
    let fits = |rule: &&Document| {
        let name = text(rule, "name");
        let is_about = match text(rule, "apply_on") {
            "Item Code" => names(&items, "item_code", name, text(asked.item, "name")),
            "Item Group" => names(&groups, "item_group", name, text(asked.item, "item_group")),
            _ => true,
        };
        let is_for = |field: &str, value: &str| {
            matches!(text(rule, field), "") || text(rule, field) == value
        };
        let (least, most) = (amount(rule, "min_qty"), amount(rule, "max_qty"));
        is_about
            && is_valid(rule, asked.today)
            && is_for("customer", asked.customer)
            && is_for("company", asked.company)
            && is_for("for_price_list", asked.list)
            && least <= asked.qty
            && (most.is_zero() || most >= asked.qty)
    };
    let currencies = site.known_currencies().await;
    let rules = found.iter().filter(fits).map(|rule| {
        let kind = text(rule, "rate_or_discount");
        let money = |field: &str| {
            let of_company = currencies.get(text(rule, "company"));
            let own = Some(text(rule, "currency")).filter(|it| !it.is_empty());
            let currency = own.or(of_company.map(String::as_str));
            Value::from(amounts::shown(amount(rule, field), currency))
        };
        let value = match kind {
            "Rate" => money("rate"),
            "Discount Amount" => money("discount_amount"),
            _ => number(amount(rule, "discount_percentage")),
        };
        json!({
            "rule": text(rule, "name"),
            "title": rule.get("title").and_then(|it| cell::cell(None, it, cell::IN_LIST)),
            "kind": kind,
            "value": value,
        })
    });
    Ok(rules.collect())
}
