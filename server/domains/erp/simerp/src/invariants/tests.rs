//! Each check finds what it is for, alone.

use std::time::Duration;

use super::*;
use crate::books::{SimErpProfile, bin_name};
use crate::cell::SimDoc;
use crate::clock::SiteTime;
use crate::seed;

/// Changes a field of a stored document behind the back of its rules.
fn bend(books: &mut SimBooks, kind: &'static str, name: &str, field: &'static str, by: i64) {
    let value = books.value(kind, name, field).num() + Decimal::from(by);
    books.set_fields(kind, name, [(field, value.into())]);
}

/// The first line of a company in an account that no other check reads.
fn expense(books: &SimBooks, company: &str) -> String {
    let mut lines = books.all("GL Entry").filter(|it| {
        let kind = books.value_text("Account", it.text("account"), "account_type");
        it.text("company") == company && !matches!(&*kind, "Stock" | "Receivable" | "Payable")
    });
    let line = lines.next().expect("a line");
    line.name.clone()
}

fn bend_one_company(books: &mut SimBooks) {
    let line = expense(books, "Aldergate Cycles");
    bend(books, "GL Entry", &line, "debit", 5);
}

/// Two companies are wrong by the same amount: together they balance.
fn bend_two_companies(books: &mut SimBooks) {
    bend_one_company(books);
    let line = expense(books, "Aldergate Trading");
    bend(books, "GL Entry", &line, "credit", 5);
}

/// Stock in a new warehouse, whose account has no line at all.
fn stock_without_a_line(books: &mut SimBooks) {
    let voucher = books
        .all("Stock Entry")
        .find(|it| it.docstatus() == 1)
        .expect("an entry");
    let voucher = voucher.name.clone();
    let (item, place) = ("PUMP", "Annex - AC");
    let account = SimDoc::new("Account").named("1499 - Annex - AC");
    books.put(account.with("account_type", "Stock"));
    let warehouse = SimDoc::new("Warehouse").named(place);
    let warehouse = warehouse.with("company", "Aldergate Cycles");
    books.put(warehouse.with("account", "1499 - Annex - AC"));
    let place = |doc: SimDoc| doc.with("item_code", item).with("warehouse", place);
    let bin = place(SimDoc::new("Bin").named(bin_name(item, "Annex - AC")));
    books.put(bin.with("actual_qty", 1).with("stock_value", 5));
    let entry = place(SimDoc::new("Stock Ledger Entry").named("SLE-X"));
    let entry = entry.with("voucher_type", "Stock Entry");
    let entry = entry.with("voucher_no", voucher);
    books.put(
        entry
            .with("actual_qty", 1)
            .with("stock_value_difference", 5),
    );
}

/// A line of nothing, but of an invoice that is no more.
fn live_line_of_a_dead_voucher(books: &mut SimBooks) {
    let line = books.all("Payment Ledger Entry").next().expect("a line");
    let line = SimDoc::clone(line).named("PLE-X").with("amount", 0);
    let dead = line
        .with("voucher_type", "Payment Entry")
        .with("voucher_no", "NONE");
    books.put(dead.with("delinked", 0));
}

/// An invoice that is open by another amount than its ledger says.
fn other_outstanding(books: &mut SimBooks) {
    let invoice = books
        .all("Purchase Invoice")
        .find(|it| it.docstatus() == 1)
        .expect("an invoice");
    let name = invoice.name.clone();
    bend(books, "Purchase Invoice", &name, "outstanding_amount", 1);
}

#[test]
fn what_is_wrong_is_named() {
    let mut books = SimBooks::new(
        1,
        SiteTime::at(Duration::from_secs(1_795_275_004)),
        SimErpProfile::V16,
    );
    seed::fill(&mut books).expect("the history is posted");
    assert_eq!(broken(&books), Vec::<String>::new());
    for (change, expected) in [
        (
            bend_one_company as fn(&mut SimBooks),
            &[
                "trial balance of Aldergate Cycles is 5",
                "more debit than credit",
            ][..],
        ),
        (
            bend_two_companies,
            &[
                "trial balance of Aldergate Cycles is 5",
                "trial balance of Aldergate Trading is -5",
                "more debit than credit",
                "more debit than credit",
            ],
        ),
        (
            stock_without_a_line,
            &["1499 - Annex - AC has 0, the stock is worth 5"],
        ),
        (
            live_line_of_a_dead_voucher,
            &["PLE-X is live, Payment Entry NONE is dead"],
        ),
        (
            other_outstanding,
            &["says 1 is open, the ledger", "is \"Paid\", not \"Overdue\""],
        ),
    ] {
        books.begin();
        change(&mut books);
        let found = broken(&books);
        books.rollback();
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for words in expected {
            assert!(
                found.iter().any(|it| it.contains(words)),
                "{words}: {found:#?}"
            );
        }
    }
}
