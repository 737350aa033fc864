//! Progress and status of documents, recomputed from the documents and ledgers that hang on them.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::{ledger, stock};

const HUNDRED: Decimal = Decimal::ONE_HUNDRED;

/// Sum of a field over submitted rows that point at a row. `index` is the column that points, such as
/// `items.so_detail`.
pub(crate) fn rows_sum(
    books: &SimBooks,
    kind: &'static str,
    index: &'static str,
    row: &str,
    field: &str,
    counts: impl Fn(&SimDoc) -> bool,
) -> Decimal {
    let link = index.strip_prefix("items.").unwrap_or(index);
    let docs = books.by(kind, index, row);
    let docs = docs.filter(|it| it.docstatus() == 1 && counts(it));
    let rows = docs.flat_map(|it| it.rows("items"));
    rows.filter(|it| it.text(link) == row)
        .map(|it| it.num(field))
        .sum()
}

/// Recomputes a document and stores it if anything changed. `modified` stays.
pub(crate) fn refresh(books: &mut SimBooks, kind: &'static str, name: &str) {
    let Some(before) = books.find(kind, name).cloned() else {
        return;
    };
    let mut doc = SimDoc::clone(&before);
    match kind {
        "Sales Order" => sales_order(books, &mut doc),
        "Purchase Order" => purchase_order(books, &mut doc),
        "Delivery Note" => delivery_note(books, &mut doc),
        "Purchase Receipt" => purchase_receipt(books, &mut doc),
        "Sales Invoice" | "Purchase Invoice" => invoice(books, &mut doc),
        "Material Request" => material_request(books, &mut doc),
        "Work Order" => work_order(books, &mut doc),
        _ => {}
    }
    let status = word(books, &doc);
    if books
        .meta
        .get(kind)
        .is_some_and(|it| it.field("status").is_some())
    {
        doc.set("status", status);
    }
    if doc != *before {
        books.put(doc);
    }
}

fn share(done: Decimal, all: Decimal) -> Decimal {
    if all.is_zero() {
        return Decimal::ZERO;
    }
    (done / all * HUNDRED).round_dp(6).min(HUNDRED)
}

fn of_rows(doc: &SimDoc, done: &str, all: &str) -> Decimal {
    let rows = doc.rows("items");
    let done = rows.iter().map(|row| row.num(done).min(row.num(all)));
    share(done.sum(), rows.iter().map(|row| row.num(all)).sum())
}

fn progress(per: Decimal, words: [&'static str; 3]) -> &'static str {
    if per >= HUNDRED {
        words[2]
    } else if per.is_zero() {
        words[0]
    } else {
        words[1]
    }
}

fn sales_order(books: &SimBooks, doc: &mut SimDoc) {
    for row in doc.rows_mut("items") {
        let name = row.name.clone();
        let sent = rows_sum(
            books,
            "Delivery Note",
            "items.so_detail",
            &name,
            "qty",
            |_| true,
        ) + rows_sum(
            books,
            "Sales Invoice",
            "items.so_detail",
            &name,
            "qty",
            |it| it.flag("update_stock"),
        );
        let billed = rows_sum(
            books,
            "Sales Invoice",
            "items.so_detail",
            &name,
            "amount",
            |_| true,
        );
        row.set("delivered_qty", sent);
        row.set("billed_amt", billed);
    }
    let (sent, billed) = (
        of_rows(doc, "delivered_qty", "qty"),
        of_rows(doc, "billed_amt", "amount"),
    );
    doc.set("per_delivered", sent);
    doc.set("per_billed", billed);
    let words = ["Not Delivered", "Partly Delivered", "Fully Delivered"];
    doc.set("delivery_status", progress(sent, words));
    let words = ["Not Billed", "Partly Billed", "Fully Billed"];
    doc.set("billing_status", progress(billed, words));
}

fn purchase_order(books: &SimBooks, doc: &mut SimDoc) {
    for row in doc.rows_mut("items") {
        let name = row.name.clone();
        let got = rows_sum(
            books,
            "Purchase Receipt",
            "items.purchase_order_item",
            &name,
            "qty",
            |_| true,
        ) + rows_sum(
            books,
            "Purchase Invoice",
            "items.po_detail",
            &name,
            "qty",
            |it| it.flag("update_stock"),
        );
        let billed = rows_sum(
            books,
            "Purchase Invoice",
            "items.po_detail",
            &name,
            "amount",
            |_| true,
        );
        row.set("received_qty", got);
        row.set("billed_amt", billed);
    }
    let (got, billed) = (
        of_rows(doc, "received_qty", "qty"),
        of_rows(doc, "billed_amt", "amount"),
    );
    doc.set("per_received", got);
    doc.set("per_billed", billed);
}

/// The columns by which invoices name the rows of what was sent or received.
struct RowBills {
    invoice: &'static str,
    /// That of an invoice, with the row itself.
    by_row: &'static str,
    /// That of an invoice, with the row of the order, and the row's own with the same.
    by_order: &'static str,
    order: &'static str,
}

fn delivery_note(books: &SimBooks, doc: &mut SimDoc) {
    let bills = RowBills {
        invoice: "Sales Invoice",
        by_row: "items.dn_detail",
        by_order: "items.so_detail",
        order: "so_detail",
    };
    billed(books, doc, &bills);
}

fn purchase_receipt(books: &SimBooks, doc: &mut SimDoc) {
    let bills = RowBills {
        invoice: "Purchase Invoice",
        by_row: "items.pr_detail",
        by_order: "items.po_detail",
        order: "purchase_order_item",
    };
    billed(books, doc, &bills);
}

fn billed(books: &SimBooks, doc: &mut SimDoc, bills: &RowBills) {
    let sum = |column, name: &str| rows_sum(books, bills.invoice, column, name, "amount", |_| true);
    for row in doc.rows_mut("items") {
        let mut billed = sum(bills.by_row, &row.name);
        let order = row.text(bills.order);
        if billed.is_zero() && !order.is_empty() {
            billed = sum(bills.by_order, order);
        }
        let billed = billed.min(row.num("amount"));
        row.set("billed_amt", billed);
    }
    let per = of_rows(doc, "billed_amt", "amount");
    doc.set("per_billed", per);
}

fn invoice(books: &SimBooks, doc: &mut SimDoc) {
    let open = match doc.docstatus() {
        1 => ledger::outstanding(books, doc.kind, &doc.name),
        2 => Decimal::ZERO,
        _ => payable(doc),
    };
    doc.set("outstanding_amount", open);
}

/// The amount of an invoice that is to be paid, in the company's currency.
pub(crate) fn payable(doc: &SimDoc) -> Decimal {
    let rounded = doc.num("base_rounded_total");
    if rounded.is_zero() {
        doc.num("base_grand_total")
    } else {
        rounded
    }
}

fn material_request(books: &SimBooks, doc: &mut SimDoc) {
    let name = doc.name.clone();
    for row in doc.rows_mut("items") {
        let index = "items.material_request_item";
        let bought = rows_sum(books, "Purchase Order", index, &row.name, "qty", |_| true);
        let moved = rows_sum(books, "Stock Entry", index, &row.name, "qty", |_| true);
        row.set("ordered_qty", bought + moved);
    }
    doc.name = name;
    let per = of_rows(doc, "ordered_qty", "qty");
    doc.set("per_ordered", per);
}

fn work_order(books: &SimBooks, doc: &mut SimDoc) {
    let entries: Vec<_> = books
        .by("Stock Entry", "work_order", &doc.name)
        .filter(|it| it.docstatus() == 1)
        .cloned()
        .collect();
    let total = |purpose: &str| {
        let of = entries.iter().filter(|it| it.text("purpose") == purpose);
        of.map(|it| it.num("fg_completed_qty")).sum::<Decimal>()
    };
    let (made, sent) = (
        total("Manufacture"),
        total("Material Transfer for Manufacture"),
    );
    doc.set("produced_qty", made);
    doc.set("material_transferred_for_manufacturing", sent);
    for row in doc.rows_mut("required_items") {
        let item = row.text("item_code").to_owned();
        let sum = |purpose: &str| {
            let of = entries.iter().filter(|it| it.text("purpose") == purpose);
            let rows = of.flat_map(|it| it.rows("items"));
            let own =
                rows.filter(|it| it.text("item_code") == item && !it.flag("is_finished_item"));
            own.map(|it| it.num("qty")).sum::<Decimal>()
        };
        let (sent, used) = (sum("Material Transfer for Manufacture"), sum("Manufacture"));
        row.set("transferred_qty", sent);
        row.set("consumed_qty", used);
    }
}

/// The word for the state of a document, by the rules of its type.
pub(crate) fn word(books: &SimBooks, doc: &SimDoc) -> String {
    match doc.docstatus() {
        0 => return "Draft".to_owned(),
        2 => return "Cancelled".to_owned(),
        _ => {}
    }
    let full = |field: &str| doc.num(field) >= HUNDRED;
    let now = doc.text("status");
    let held = matches!(now, "Closed" | "On Hold" | "Stopped");
    let word = match doc.kind {
        _ if held => now,
        "Sales Order" => match (full("per_delivered"), full("per_billed")) {
            (false, false) => "To Deliver and Bill",
            (true, false) => "To Bill",
            (false, true) => "To Deliver",
            (true, true) => "Completed",
        },
        "Purchase Order" => match (full("per_received"), full("per_billed")) {
            (false, false) => "To Receive and Bill",
            (true, false) => "To Bill",
            (false, true) => "To Receive",
            (true, true) => "Completed",
        },
        "Delivery Note" | "Purchase Receipt" => {
            match (doc.flag("is_return"), doc.num("per_billed")) {
                (true, _) => "Return",
                (_, per) if per >= HUNDRED => "Completed",
                (_, per) if per.is_zero() => "To Bill",
                _ if doc.kind == "Delivery Note" => "Partially Billed",
                _ => "Partly Billed",
            }
        }
        "Sales Invoice" | "Purchase Invoice" => invoice_word(books, doc),
        "Quotation" => {
            let until = doc.text("valid_till");
            let is_past = !until.is_empty() && until < books.today().to_string().as_str();
            if is_past { "Expired" } else { "Open" }
        }
        "Material Request" => match doc.num("per_ordered") {
            per if per >= HUNDRED => match doc.text("material_request_type") {
                "Material Transfer" => "Transferred",
                "Material Issue" => "Issued",
                _ => "Ordered",
            },
            per if per.is_zero() => "Pending",
            _ => "Partially Ordered",
        },
        "Work Order" => {
            if doc.num("produced_qty") >= doc.num("qty") {
                "Completed"
            } else if doc.num("material_transferred_for_manufacturing").is_zero()
                && doc.num("produced_qty").is_zero()
            {
                "Not Started"
            } else {
                "In Process"
            }
        }
        "Timesheet" => match doc.num("per_billed") {
            per if per >= HUNDRED => "Billed",
            per if per.is_zero() => "Submitted",
            _ => "Partially Billed",
        },
        "POS Invoice" if !doc.text("consolidated_invoice").is_empty() => "Consolidated",
        "POS Invoice" if doc.flag("is_return") => "Return",
        "POS Invoice" => "Paid",
        "POS Opening Entry" | "Pick List" => "Open",
        "Hotel Room Reservation" => "Booked",
        _ => "Submitted",
    };
    word.to_owned()
}

fn invoice_word(books: &SimBooks, doc: &SimDoc) -> &'static str {
    let open = doc.num("outstanding_amount");
    let today = books.today().to_string();
    let is_open = open.is_sign_positive() && !open.is_zero();
    let returned = || {
        books.all(doc.kind).any(|it| {
            it.docstatus() == 1 && it.flag("is_return") && it.text("return_against") == doc.name
        })
    };
    if is_open && doc.text("due_date") < today.as_str() {
        "Overdue"
    } else if is_open && open < payable(doc) {
        "Partly Paid"
    } else if is_open {
        "Unpaid"
    } else if doc.flag("is_return") {
        "Return"
    } else if open.is_sign_negative()
        && !open.is_zero()
        && doc.kind == "Sales Invoice"
        && returned()
    {
        "Credit Note Issued"
    } else {
        "Paid"
    }
}

/// Quantities that open orders reserve or bring.
pub(crate) fn replan(books: &mut SimBooks, doc: &SimDoc) {
    let (kind, field, warehouse) = match doc.kind {
        "Sales Order" | "Delivery Note" | "Sales Invoice" => {
            ("Sales Order", "reserved_qty", "warehouse")
        }
        "Purchase Order" | "Purchase Receipt" | "Purchase Invoice" => {
            ("Purchase Order", "ordered_qty", "warehouse")
        }
        "Material Request" => ("Material Request", "indented_qty", "warehouse"),
        _ => return,
    };
    let mut places: Vec<(String, String)> = Vec::new();
    for row in doc.rows("items") {
        let place = (
            row.text("item_code").to_owned(),
            row.text(warehouse).to_owned(),
        );
        if !places.contains(&place) {
            places.push(place);
        }
    }
    for (item, place) in places {
        let open = open_qty(books, kind, &item, &place);
        stock::plan(books, &item, &place, field, open);
    }
}

/// The quantity of an item that open orders of a type still have to move, in a warehouse, in the stock unit.
pub(crate) fn open_qty(books: &SimBooks, kind: &'static str, item: &str, place: &str) -> Decimal {
    let done = match kind {
        "Sales Order" => "delivered_qty",
        "Purchase Order" => "received_qty",
        _ => "ordered_qty",
    };
    let mut open = Decimal::ZERO;
    let orders = books.by(kind, "items.item_code", item);
    for order in orders.filter(|it| it.docstatus() == 1) {
        if matches!(order.text("status"), "Closed" | "Stopped") {
            continue;
        }
        let rows = order.rows("items").iter();
        for row in rows.filter(|it| it.text("item_code") == item && it.text("warehouse") == place) {
            let left = (row.num("qty") - row.num(done)).max(Decimal::ZERO);
            open += left * row.num("conversion_factor");
        }
    }
    open
}

/// Statuses that the passing of days changes.
pub(crate) fn daily(books: &mut SimBooks) {
    for kind in ["Sales Invoice", "Purchase Invoice", "Quotation"] {
        let open: Vec<_> = books
            .all(kind)
            .filter(|it| it.docstatus() == 1)
            .filter(|it| word(books, it) != it.text("status"))
            .map(|it| it.name.clone())
            .collect();
        for name in open {
            refresh(books, kind, &name);
        }
    }
}

/// The customer's open invoices and orders that are not billed, in the company's currency.
pub(crate) fn exposure(books: &SimBooks, customer: &str, company: &str) -> Decimal {
    let ours = |it: &SimDoc| {
        it.docstatus() == 1 && it.text("customer") == customer && it.text("company") == company
    };
    let invoices = books.all("Sales Invoice").filter(|it| ours(it));
    let invoices: Decimal = invoices.map(|it| it.num("outstanding_amount")).sum();
    let orders = books
        .all("Sales Order")
        .filter(|it| ours(it) && it.text("status") != "Closed");
    let orders: Decimal = orders
        .map(|it| {
            let left = HUNDRED - it.num("per_billed");
            books.money(it.num("base_grand_total") * left / HUNDRED)
        })
        .sum();
    invoices + orders
}

/// Sets a status that people choose: closed, held.
pub(crate) fn choose(books: &mut SimBooks, kind: &'static str, name: &str, status: &str) {
    books.set_fields(kind, name, [("status", SimCell::from(status))]);
    refresh(books, kind, name);
    if let Some(doc) = books.find(kind, name).cloned() {
        replan(books, &doc);
    }
}
