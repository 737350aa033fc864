//! Mappers: an unsaved document made from another, with what is still open, prices and totals.

mod requests;

use std::sync::Arc;

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::docs::fill_fetched;
use crate::ledger;
use crate::price::{self, is_buying};
use crate::refusal::{SimResult, unsuitable};
use crate::rights::{Right, demand_doc};
use crate::rules::{bom_rows, schedule_payments};

pub(crate) use self::requests::{entry_of_request, pick_list, request};

/// A mapping between two types.
struct Mapping {
    from: &'static str,
    to: &'static str,
    row: &'static str,
    /// Fields of the head besides those that all have.
    head: &'static [&'static str],
    /// Row field with the document, and with the row, that it came from.
    links: [&'static str; 2],
    /// Row field that says how much is done: a quantity, or an amount.
    done: &'static str,
    /// Links that rows hand on.
    handed: &'static [(&'static str, &'static str)],
}

const HEAD: [&str; 9] = [
    "company",
    "currency",
    "conversion_rate",
    "taxes_and_charges",
    "apply_discount_on",
    "additional_discount_percentage",
    "disable_rounded_total",
    "cost_center",
    "project",
];

const ROW: [&str; 14] = [
    "item_code",
    "item_name",
    "description",
    "uom",
    "stock_uom",
    "conversion_factor",
    "price_list_rate",
    "discount_percentage",
    "rate",
    "warehouse",
    "cost_center",
    "project",
    "qty",
    "schedule_date",
];

const SELL: &[&str] = &["customer", "selling_price_list"];
const BUY: &[&str] = &["supplier", "buying_price_list"];

const MAPPINGS: [Mapping; 10] = [
    Mapping {
        from: "Quotation",
        to: "Sales Order",
        row: "Sales Order Item",
        head: &["selling_price_list"],
        links: ["", ""],
        done: "",
        handed: &[],
    },
    Mapping {
        from: "Sales Order",
        to: "Delivery Note",
        row: "Delivery Note Item",
        head: SELL,
        links: ["against_sales_order", "so_detail"],
        done: "delivered_qty",
        handed: &[],
    },
    Mapping {
        from: "Sales Order",
        to: "Sales Invoice",
        row: "Sales Invoice Item",
        head: SELL,
        links: ["sales_order", "so_detail"],
        done: "billed_amt",
        handed: &[],
    },
    Mapping {
        from: "Delivery Note",
        to: "Sales Invoice",
        row: "Sales Invoice Item",
        head: SELL,
        links: ["delivery_note", "dn_detail"],
        done: "billed_amt",
        handed: &[
            ("against_sales_order", "sales_order"),
            ("so_detail", "so_detail"),
        ],
    },
    Mapping {
        from: "Purchase Order",
        to: "Purchase Receipt",
        row: "Purchase Receipt Item",
        head: BUY,
        links: ["purchase_order", "purchase_order_item"],
        done: "received_qty",
        handed: &[],
    },
    Mapping {
        from: "Purchase Order",
        to: "Purchase Invoice",
        row: "Purchase Invoice Item",
        head: BUY,
        links: ["purchase_order", "po_detail"],
        done: "billed_amt",
        handed: &[],
    },
    Mapping {
        from: "Purchase Receipt",
        to: "Purchase Invoice",
        row: "Purchase Invoice Item",
        head: BUY,
        links: ["purchase_receipt", "pr_detail"],
        done: "billed_amt",
        handed: &[
            ("purchase_order", "purchase_order"),
            ("purchase_order_item", "po_detail"),
        ],
    },
    Mapping {
        from: "Material Request",
        to: "Purchase Order",
        row: "Purchase Order Item",
        head: &[],
        links: ["material_request", "material_request_item"],
        done: "ordered_qty",
        handed: &[],
    },
    Mapping {
        from: "Supplier Quotation",
        to: "Purchase Order",
        row: "Purchase Order Item",
        head: BUY,
        links: ["supplier_quotation", "supplier_quotation_item"],
        done: "",
        handed: &[],
    },
    Mapping {
        from: "Purchase Invoice",
        to: "Purchase Invoice",
        row: "Purchase Invoice Item",
        head: BUY,
        links: ["", ""],
        done: "",
        handed: &[],
    },
];

/// Maps a submitted document to a draft of another type that is not saved.
pub(crate) fn map(books: &SimBooks, from: &str, name: &str, to: &str) -> SimResult<SimDoc> {
    let source = books.load(from, name)?;
    demand_doc(books, &source, Right::Read)?;
    let mapping = MAPPINGS.iter().find(|it| it.from == from && it.to == to);
    let Some(mapping) = mapping else {
        return Err(unsuitable(format!("No mapping from {from} to {to}")));
    };
    if source.docstatus() != 1 || matches!(source.text("status"), "Closed" | "On Hold" | "Stopped")
    {
        return Err(unsuitable(format!(
            "Cannot map because following condition fails: docstatus of {name} must be 1, and it must be open"
        )));
    }
    let mut doc = head(books, &source, mapping);
    for row in source.rows("items") {
        if let Some(row) = mapped_row(row, &source, mapping) {
            doc.push("items", row);
        }
    }
    if doc.rows("items").is_empty() {
        return Err(unsuitable(format!("Nothing of {name} is open for a {to}")));
    }
    for tax in source.rows("taxes") {
        let mut tax = tax.clone();
        tax.name = String::new();
        tax.kind = if is_buying(doc.kind) {
            "Purchase Taxes and Charges"
        } else {
            "Sales Taxes and Charges"
        };
        doc.push("taxes", tax);
    }
    fill_fetched(books, &mut doc);
    if to != "Purchase Order" || !doc.text("supplier").is_empty() {
        price::calculate(books, &mut doc)?;
    }
    if to.ends_with("Invoice") {
        schedule_payments(books, &mut doc);
    }
    Ok(doc)
}

fn head(books: &SimBooks, source: &SimDoc, mapping: &Mapping) -> SimDoc {
    let mut doc = SimDoc::new(mapping.to).with("docstatus", 0);
    doc.take_from(source, &HEAD);
    doc.take_from(source, mapping.head);
    if mapping.from == "Quotation" {
        doc.set("customer", source.text("party_name"));
    }
    let today = books.today();
    let order = mapping.to.ends_with("Order");
    doc.set(
        if order {
            "transaction_date"
        } else {
            "posting_date"
        },
        today,
    );
    if let Some(terms) = source.fields.get("payment_terms_template") {
        doc.set("payment_terms_template", terms.clone());
    }
    let company = books.find("Company", source.text("company"));
    if let Some(company) = company {
        let (field, account) = match mapping.to {
            "Sales Invoice" => ("debit_to", "default_receivable_account"),
            "Purchase Invoice" => ("credit_to", "default_payable_account"),
            _ => return doc,
        };
        doc.set(field, company.text(account));
    }
    doc
}

fn mapped_row(row: &SimDoc, source: &SimDoc, mapping: &Mapping) -> Option<SimDoc> {
    let mut out = SimDoc::new(mapping.row);
    for field in ROW {
        if let Some(value) = row.fields.get(field) {
            out.set(field, value.clone());
        }
    }
    let qty = row.num("qty");
    let open = match mapping.done {
        "" => qty,
        "billed_amt" => {
            let amount = row.num("amount");
            if amount.is_zero() {
                qty
            } else {
                ((amount - row.num("billed_amt")) / amount * qty).round_dp(3)
            }
        }
        done => qty - row.num(done),
    };
    if open <= Decimal::ZERO {
        return None;
    }
    out.set("qty", open);
    let [document, detail] = mapping.links;
    if !document.is_empty() {
        out.set(document, &source.name);
        out.set(detail, &row.name);
    }
    for (from, to) in mapping.handed {
        if let Some(value) = row.fields.get(from) {
            out.set(to, value.clone());
        }
    }
    Some(out)
}

/// A payment of an invoice or an order, over what is open.
pub(crate) fn payment(books: &SimBooks, kind: &str, name: &str) -> SimResult<SimDoc> {
    let source = books.load(kind, name)?;
    demand_doc(books, &source, Right::Read)?;
    if source.docstatus() != 1 {
        return Err(unsuitable(format!("{name} is not submitted")));
    }
    let company = books.load("Company", source.text("company"))?;
    let open = if kind.ends_with("Invoice") {
        ledger::outstanding(books, kind, name)
    } else {
        source.num("base_grand_total")
    };
    if open <= Decimal::ZERO {
        return Err(unsuitable(format!("{name} is paid already")));
    }
    let sells = price::is_selling(kind);
    let own = if sells {
        books.value_text(kind, name, "debit_to")
    } else {
        books.value_text(kind, name, "credit_to")
    };
    let default = if sells {
        "default_receivable_account"
    } else {
        "default_payable_account"
    };
    let party_account = if own.is_empty() {
        company.text(default).to_owned()
    } else {
        own
    };
    let bank = company.text("default_bank_account").to_owned();
    let (from, to) = if sells {
        (party_account, bank)
    } else {
        (bank, party_account)
    };
    let currency = company.text("default_currency");
    let row = SimDoc::new("Payment Entry Reference")
        .with("reference_doctype", kind)
        .with("reference_name", name)
        .with("due_date", source.get("due_date").clone())
        .with("total_amount", open)
        .with("outstanding_amount", open)
        .with("allocated_amount", open);
    let mut doc = SimDoc::new("Payment Entry")
        .with("docstatus", 0)
        .with("payment_type", if sells { "Receive" } else { "Pay" })
        .with("posting_date", books.today())
        .with("company", &company.name)
        .with("mode_of_payment", "Wire Transfer")
        .with("party_type", if sells { "Customer" } else { "Supplier" })
        .with("party", price::party_of(&source))
        .with("party_name", price::party_of(&source))
        .with("paid_from", from)
        .with("paid_to", to)
        .with("paid_from_account_currency", currency)
        .with("paid_to_account_currency", currency)
        .with("paid_amount", open)
        .with("received_amount", open)
        .with("source_exchange_rate", Decimal::ONE)
        .with("target_exchange_rate", Decimal::ONE)
        .with("base_paid_amount", open)
        .with("base_received_amount", open)
        .with("total_allocated_amount", open)
        .with("unallocated_amount", Decimal::ZERO)
        .with("difference_amount", Decimal::ZERO);
    doc.push("references", row);
    Ok(doc)
}

/// A stock entry of a work order: material to it, or goods from it.
pub(crate) fn production(
    books: &SimBooks,
    order: &str,
    purpose: &str,
    qty: Option<Decimal>,
) -> SimResult<SimDoc> {
    let order: Arc<SimDoc> = books.load("Work Order", order)?;
    demand_doc(books, &order, Right::Read)?;
    if order.docstatus() != 1 || matches!(order.text("status"), "Stopped" | "Closed") {
        return Err(unsuitable(format!("{} is not open", order.name)));
    }
    let done = if purpose == "Manufacture" {
        order.num("produced_qty")
    } else {
        order.num("material_transferred_for_manufacturing")
    };
    let qty = qty.unwrap_or_else(|| order.num("qty") - done);
    if qty <= Decimal::ZERO || qty > order.num("qty") - done {
        return Err(unsuitable(format!(
            "{qty} is more than is open for {}",
            order.name
        )));
    }
    let wip = order.text("wip_warehouse");
    let mut doc = SimDoc::new("Stock Entry")
        .with("docstatus", 0)
        .with("stock_entry_type", purpose)
        .with("purpose", purpose)
        .with("company", order.text("company"))
        .with("work_order", &order.name)
        .with("bom_no", order.text("bom_no"))
        .with("fg_completed_qty", qty)
        .with("posting_date", books.today());
    let direct = wip.is_empty();
    for (item, need) in bom_rows(books, order.text("bom_no"), qty, false) {
        let mut row = stock_row(books, &item, need);
        let source = order
            .rows("required_items")
            .iter()
            .find(|it| it.text("item_code") == item);
        let source = source.map_or("", |it| it.text("source_warehouse"));
        if purpose == "Manufacture" {
            row.set("s_warehouse", if direct { source } else { wip });
        } else {
            row.set("s_warehouse", source);
            row.set("t_warehouse", wip);
        }
        doc.push("items", row);
    }
    if purpose == "Manufacture" {
        let row = stock_row(books, order.text("production_item"), qty)
            .with("t_warehouse", order.text("fg_warehouse"))
            .with("is_finished_item", 1);
        doc.push("items", row);
    }
    Ok(doc)
}

fn stock_row(books: &SimBooks, item: &str, qty: Decimal) -> SimDoc {
    let unit = books.value_text("Item", item, "stock_uom");
    SimDoc::new("Stock Entry Detail")
        .with("item_code", item)
        .with("item_name", books.value("Item", item, "item_name"))
        .with("qty", qty)
        .with("uom", &unit)
        .with("stock_uom", &unit)
        .with("conversion_factor", Decimal::ONE)
        .with("transfer_qty", qty)
}
