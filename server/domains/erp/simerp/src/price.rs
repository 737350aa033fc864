//! Prices, taxes and totals of trading documents, on decimals.

mod taxes;
mod terms;

use std::sync::Arc;

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::refusal::{SimResult, unsuitable};

pub(crate) use self::terms::schedule;

/// Documents that sell.
pub(crate) fn is_selling(kind: &str) -> bool {
    matches!(
        kind,
        "Quotation" | "Sales Order" | "Delivery Note" | "Sales Invoice" | "POS Invoice"
    )
}

/// Documents that buy.
pub(crate) fn is_buying(kind: &str) -> bool {
    matches!(
        kind,
        "Supplier Quotation" | "Purchase Order" | "Purchase Receipt" | "Purchase Invoice"
    )
}

/// The day that counts for prices and rates.
pub(crate) fn day_of(doc: &SimDoc) -> String {
    let posted = doc.text("posting_date");
    let day = if posted.is_empty() {
        doc.text("transaction_date")
    } else {
        posted
    };
    day.to_owned()
}

/// Fills what rows leave out, and computes every amount of the document.
pub(crate) fn calculate(books: &SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let company = books.find("Company", doc.text("company")).cloned();
    let own = company.map_or_else(String::new, |it| it.text("default_currency").to_owned());
    set_currency(books, doc, &own)?;
    let list_field = if is_selling(doc.kind) {
        "selling_price_list"
    } else {
        "buying_price_list"
    };
    if doc.text(list_field).is_empty() {
        let found = default_list(books, doc);
        doc.set(list_field, found);
    }
    let (list, day, party) = (
        doc.text(list_field).to_owned(),
        day_of(doc),
        party_of(doc).to_owned(),
    );
    let (warehouse, project) = (
        doc.text("set_warehouse").to_owned(),
        doc.get("project").clone(),
    );
    let mut center = doc.text("cost_center").to_owned();
    if center.is_empty() {
        center = books.value_text("Company", doc.text("company"), "cost_center");
    }
    let company = doc.text("company").to_owned();
    for (at, row) in doc.rows_mut("items").iter_mut().enumerate() {
        let item = item_for(books, row, at)?;
        fill_row(row, &item);
        if !warehouse.is_empty() && row.text("warehouse").is_empty() {
            row.set("warehouse", warehouse.clone());
        }
        if row.text("warehouse").is_empty() && item.flag("is_stock_item") {
            let own = item.text("default_warehouse");
            if books.value_text("Warehouse", own, "company") == company {
                row.set("warehouse", own);
            }
        }
        if row.text("cost_center").is_empty() && !center.is_empty() {
            row.set("cost_center", center.clone());
        }
        if row.text("project").is_empty() {
            row.set("project", project.clone());
        }
        if row.num("price_list_rate").is_zero() {
            let found = list_rate(books, &item.name, &list, &party, &day);
            row.set("price_list_rate", found.unwrap_or_default());
        }
        let (listed, discount) = (row.num("price_list_rate"), row.num("discount_percentage"));
        if !listed.is_zero() && (!discount.is_zero() || row.num("rate").is_zero()) {
            let rate = listed * (Decimal::ONE_HUNDRED - discount) / Decimal::ONE_HUNDRED;
            row.set("rate", books.money(rate));
        }
        row.set("stock_qty", row.num("qty") * row.num("conversion_factor"));
        let amount = books.money(row.num("rate") * row.num("qty"));
        row.set("amount", amount);
        row.set("net_amount", amount);
    }
    taxes::compute(books, doc)
}

/// The other party of a trading document.
pub(crate) fn party_of(doc: &SimDoc) -> &str {
    let fields = ["customer", "supplier", "party_name"];
    let found = fields.into_iter().map(|field| doc.text(field));
    found.into_iter().find(|it| !it.is_empty()).unwrap_or("")
}

fn set_currency(books: &SimBooks, doc: &mut SimDoc, own: &str) -> SimResult<()> {
    if doc.text("currency").is_empty() {
        let kind = if is_selling(doc.kind) {
            "Customer"
        } else {
            "Supplier"
        };
        let of_party = books.value_text(kind, party_of(doc), "default_currency");
        let currency = if of_party.is_empty() { own } else { &of_party };
        doc.set("currency", currency);
    }
    if doc.text("currency") == own {
        doc.set("conversion_rate", Decimal::ONE);
    } else if doc.num("conversion_rate").is_zero() {
        let Some(rate) = books.exchange_rate(doc.text("currency"), own, &day_of(doc)) else {
            return Err(unsuitable(format!(
                "Unable to find exchange rate for {} to {own} for key date {}",
                doc.text("currency"),
                day_of(doc)
            )));
        };
        doc.set("conversion_rate", rate);
    }
    Ok(())
}

fn default_list(books: &SimBooks, doc: &SimDoc) -> String {
    let own = books.value_text("Customer", doc.text("customer"), "default_price_list");
    if !own.is_empty() {
        return own;
    }
    let side = if is_selling(doc.kind) {
        "selling"
    } else {
        "buying"
    };
    let mut lists = books.all("Price List");
    let found = lists.find(|it| it.flag(side) && it.text("currency") == doc.text("currency"));
    found.map_or_else(String::new, |it| it.name.clone())
}

/// The item of a row, which has to be one that can be traded.
pub(crate) fn item_for(books: &SimBooks, row: &SimDoc, at: usize) -> SimResult<Arc<SimDoc>> {
    let code = row.text("item_code");
    let Some(item) = books.find("Item", code) else {
        return Err(unsuitable(format!(
            "Row #{}: Item {code} not found",
            at + 1
        )));
    };
    if item.flag("has_variants") {
        return Err(unsuitable(format!(
            "Item {code} is a template, please select one of its variants"
        )));
    }
    if item.flag("disabled") {
        return Err(unsuitable(format!("Item {code} is disabled")));
    }
    Ok(Arc::clone(item))
}

/// Name, text and units of a row from its item.
pub(crate) fn fill_row(row: &mut SimDoc, item: &SimDoc) {
    for field in ["item_name", "description"] {
        if row.text(field).is_empty() {
            row.set(field, item.get(field).clone());
        }
    }
    row.set("stock_uom", item.text("stock_uom"));
    if row.text("uom").is_empty() {
        row.set("uom", item.text("stock_uom"));
    }
    if row.num("conversion_factor").is_zero() {
        row.set("conversion_factor", Decimal::ONE);
    }
}

/// The price of an item in a list on a day; one for this customer comes first.
pub(crate) fn list_rate(
    books: &SimBooks,
    item: &str,
    list: &str,
    party: &str,
    day: &str,
) -> Option<Decimal> {
    let prices = books.by("Item Price", "item_code", item).filter(|it| {
        let (from, upto) = (it.text("valid_from"), it.text("valid_upto"));
        it.text("price_list") == list
            && (it.text("customer").is_empty() || it.text("customer") == party)
            && (from.is_empty() || from <= day)
            && (upto.is_empty() || day <= upto)
    });
    let best = prices.max_by_key(|it| {
        (
            !it.text("customer").is_empty(),
            it.text("valid_from").to_owned(),
        )
    });
    best.map(|it| it.num("price_list_rate"))
}
