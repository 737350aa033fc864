//! Documents as the ERP maps them from another: rows, prices, taxes and what is still open, computed
//! and not saved. The model names types; the methods are constants of this crate.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    input::SourceRow,
    is_reserved, rows_in,
    totals::{amounts_anew, without_tax_amounts},
};
use crate::{
    client::ErpMethod,
    decimal::{decimal, number},
    error::ErpError,
    meta::TypeMeta,
    site::{Document, ErpSite},
    texts::draft as say,
};

/// A type that documents are mapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub(crate) enum MapTarget {
    #[serde(rename = "Sales Order")]
    SalesOrder,
    #[serde(rename = "Delivery Note")]
    DeliveryNote,
    #[serde(rename = "Sales Invoice")]
    SalesInvoice,
    #[serde(rename = "Purchase Order")]
    PurchaseOrder,
    #[serde(rename = "Purchase Receipt")]
    PurchaseReceipt,
    #[serde(rename = "Purchase Invoice")]
    PurchaseInvoice,
    #[serde(rename = "Payment Entry")]
    PaymentEntry,
    #[serde(rename = "Stock Entry")]
    StockEntry,
    #[serde(rename = "Pick List")]
    PickList,
    #[serde(rename = "Material Request")]
    MaterialRequest,
}

impl MapTarget {
    pub(crate) const fn doctype(self) -> &'static str {
        match self {
            Self::SalesOrder => "Sales Order",
            Self::DeliveryNote => "Delivery Note",
            Self::SalesInvoice => "Sales Invoice",
            Self::PurchaseOrder => "Purchase Order",
            Self::PurchaseReceipt => "Purchase Receipt",
            Self::PurchaseInvoice => "Purchase Invoice",
            Self::PaymentEntry => "Payment Entry",
            Self::StockEntry => "Stock Entry",
            Self::PickList => "Pick List",
            Self::MaterialRequest => "Material Request",
        }
    }

    /// The method that maps a type to this one, if the ERP has one.
    fn method(self, source: &str) -> Option<ErpMethod> {
        use ErpMethod as Method;
        Some(match (self, source) {
            (Self::SalesOrder, "Quotation") => Method::OrderOfQuotation,
            (Self::DeliveryNote, "Sales Order") => Method::DeliveryOfOrder,
            (Self::SalesInvoice, "Sales Order") => Method::InvoiceOfOrder,
            (Self::SalesInvoice, "Delivery Note") => Method::InvoiceOfDelivery,
            (Self::PickList, "Sales Order") => Method::PickListOfOrder,
            (Self::MaterialRequest, "Sales Order") => Method::RequestOfOrder,
            (Self::PurchaseOrder, "Material Request") => Method::OrderOfRequest,
            (Self::StockEntry, "Material Request") => Method::StockEntryOfRequest,
            (Self::PurchaseOrder, "Supplier Quotation") => Method::OrderOfSupplierQuotation,
            (Self::PurchaseReceipt, "Purchase Order") => Method::ReceiptOfOrder,
            (Self::PurchaseInvoice, "Purchase Order") => Method::InvoiceOfPurchase,
            (Self::PurchaseInvoice, "Purchase Receipt") => Method::InvoiceOfReceipt,
            (
                Self::PaymentEntry,
                "Sales Invoice" | "Purchase Invoice" | "Sales Order" | "Purchase Order",
            ) => Method::PaymentOf,
            _ => return None,
        })
    }
}

/// The document as the ERP maps it now, without what belongs to a stored one.
pub(crate) async fn mapped(
    site: &ErpSite,
    source_doctype: &str,
    source_name: &str,
    target: MapTarget,
) -> Result<Document, ErpError> {
    let refused = || ErpError::input(say::no_mapping(source_doctype, target.doctype()));
    let method = target.method(source_doctype).ok_or_else(refused)?;
    let name = source_name.to_owned();
    let answer = if method == ErpMethod::PaymentOf {
        let parameters = [("dt", source_doctype.to_owned()), ("dn", name)];
        site.method(method, &parameters).await?
    } else {
        site.method(method, &[("source_name", name)]).await?
    };
    match answer.data {
        Value::Object(document) => Ok(unsaved(document)),
        _ => Err(site.unusable("message")),
    }
}

/// Leaves out what only a stored document has, in rows too.
fn unsaved(mut document: Document) -> Document {
    document.retain(|name, _| !is_reserved(name));
    for rows in document.values_mut().filter_map(Value::as_array_mut) {
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            row.retain(|name, _| !is_reserved(name));
        }
    }
    document
}

/// Keeps only the named rows of the source, with their quantities. Amounts and totals are computed
/// anew by the ERP.
pub(crate) fn narrowed(
    meta: &TypeMeta,
    mut document: Document,
    wanted: &[SourceRow],
) -> Result<Document, ErpError> {
    if wanted.is_empty() {
        return Ok(document);
    }
    let has_quantities = |table: &&str| {
        rows_in(&document, table)
            .iter()
            .any(|it| it["qty"] != Value::Null)
    };
    let mut tables = ["items", "locations"].into_iter();
    let Some(table) = tables.find(has_quantities) else {
        return Err(ErpError::input(say::has_no_rows(&meta.name)));
    };
    let field = meta.table_fields().find(|it| it.name == table);
    let columns = field.and_then(|it| meta.rows_of(it)).unwrap_or_default();
    let mut open = rows_in(&document, table).to_vec();
    let mut rows = Vec::new();
    for SourceRow { source_row, qty } in wanted {
        // The row that it comes from is named in a field whose name differs from type to type.
        let of = |row: &Value| {
            let mut values = row.as_object().into_iter().flat_map(|row| row.values());
            values.any(|it| it == source_row)
        };
        let at = open.iter().position(of);
        let at = at.ok_or_else(|| ErpError::input(say::row_is_not_open(source_row)))?;
        // Taken out, so that a row that is named twice is not open a second time.
        let mut row = open.remove(at);
        let most = decimal(&row["qty"]).unwrap_or_default();
        let qty = decimal(qty).filter(|qty| *qty > Decimal::ZERO && *qty <= most);
        let qty = qty.ok_or_else(|| {
            ErpError::input(say::more_than_open(
                source_row,
                &most.normalize().to_string(),
            ))
        })?;
        if let Value::Object(mut of_row) = row {
            of_row.insert("qty".to_owned(), number(qty));
            // Of the whole quantity, and the ERP computes them.
            for field in ["stock_qty", "transfer_qty", "received_stock_qty"] {
                of_row.shift_remove(field);
            }
            row = Value::Object(amounts_anew(meta, columns, of_row));
        }
        rows.push(row);
    }
    document.insert(table.to_owned(), Value::Array(rows));
    // They are those of all that is open.
    for name in ["payment_schedule", "advances"] {
        document.shift_remove(name);
    }
    let is_total = |name: &str| {
        name.contains("total") || name.contains("outstanding") || name == "rounding_adjustment"
    };
    document.retain(|name, _| !is_total(name) || name == "disable_rounded_total");
    without_tax_amounts(&mut document);
    Ok(document)
}

/// Makes a payment of what is open one of the amount that is given: as much is received, and each reference
/// gets no more than is left of it. The ERP computes the other amounts anew. Of two currencies a call gives
/// both amounts.
pub(crate) fn part_paid(document: &mut Document, given: &Document) {
    let currency = |field: &str| document.get(field).and_then(Value::as_str);
    let from = currency("paid_from_account_currency");
    let is_one = from.is_some() && from == currency("paid_to_account_currency");
    let paid = given.get("paid_amount").and_then(decimal);
    let Some(paid) = paid.filter(|_| is_one && !given.contains_key("received_amount")) else {
        return;
    };
    document.insert("received_amount".to_owned(), number(paid));
    let rows = document.get_mut("references").and_then(Value::as_array_mut);
    let mut left = paid.max(Decimal::ZERO);
    for row in rows.into_iter().flatten().filter_map(Value::as_object_mut) {
        let open = row.get("allocated_amount").and_then(decimal);
        let part = open.unwrap_or_default().min(left);
        left = left.saturating_sub(part);
        row.insert("allocated_amount".to_owned(), number(part));
    }
    for name in [
        "base_paid_amount",
        "base_received_amount",
        "total_allocated_amount",
        "base_total_allocated_amount",
        "unallocated_amount",
        "difference_amount",
    ] {
        document.shift_remove(name);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_payment_of_a_part_leaves_the_rest_open() {
        let object = |value: Value| value.as_object().cloned().unwrap();
        let mapped = |to: &str| {
            object(json!({
                "paid_amount": 300, "received_amount": 300, "base_paid_amount": 300,
                "paid_from_account_currency": "EUR", "paid_to_account_currency": to,
                "references": [{"allocated_amount": 200}, {"allocated_amount": 100}],
            }))
        };
        let pay = |to: &str, given: Value| {
            let (mut document, given) = (mapped(to), object(given));
            document.extend(given.clone());
            part_paid(&mut document, &given);
            let rows = document["references"].as_array().unwrap();
            let parts = rows
                .iter()
                .map(|row| decimal(&row["allocated_amount"]).unwrap());
            let parts: Vec<String> = parts.map(|part| part.normalize().to_string()).collect();
            let received = decimal(&document["received_amount"]).unwrap();
            (
                received.normalize().to_string(),
                parts.join(" "),
                document.contains_key("base_paid_amount"),
            )
        };
        let told = |received: &str, parts: &str, has_base| {
            (received.to_owned(), parts.to_owned(), has_base)
        };
        assert_eq!(
            pay("EUR", json!({"paid_amount": 250.25})),
            told("250.25", "200 50.25", false)
        );
        assert_eq!(
            pay("EUR", json!({"paid_amount": 400})),
            told("400", "200 100", false)
        );
        assert_eq!(pay("EUR", json!({})), told("300", "200 100", true));
        assert_eq!(
            pay("USD", json!({"paid_amount": 100})),
            told("300", "200 100", true)
        );
    }
}
