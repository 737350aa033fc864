//! Texts about what a person has to know before a document becomes final.

pub(crate) fn not_checked(what: &str, reason: &str) -> String {
    format!("{what} not checked: {reason}")
}

pub(crate) const NOT_CHECKED_DETAIL: &str = "The ERP did not tell, which says nothing good.";
pub(crate) const CREDIT: &str = "Credit limit";
pub(crate) const DUPLICATES: &str = "Duplicates";
pub(crate) const STOCK: &str = "Stock";

pub(crate) fn credit_passed(owed: &str, total: &str, limit: &str) -> String {
    format!("Credit limit passed: {owed} owed and {total} more, of {limit}")
}

pub(crate) const CREDIT_DETAIL: &str =
    "The ERP may refuse it. Orders that are not billed yet are not counted here.";

pub(crate) fn same_total(names: &str) -> String {
    format!("Same party and total within 3 days: {names}")
}

pub(crate) const SAME_TOTAL_DETAIL: &str = "It may be the same thing a second time.";

pub(crate) fn below_zero(item: &str, warehouse: &str, left: &str) -> String {
    format!("{item:?} in {warehouse:?} would be at {left}")
}

pub(crate) const BELOW_ZERO_DETAIL: &str =
    "The ERP refuses it unless its settings allow negative stock.";
pub(crate) const OWN_ROWS: &str = "No stock preview";
pub(crate) const OWN_ROWS_DETAIL: &str = "The ERP has no stock preview for this type, so the moves are those that the document's rows say.";

pub(crate) const ACCOUNTS_UNKNOWN: &str = "Accounting lines may be missing here";
pub(crate) const ACCOUNTS_UNKNOWN_DETAIL: &str = "An ERP that previews no stock of this type \
     previews no accounting lines of it either, although it may post some.";

pub(crate) fn of_sales(count: usize) -> String {
    match count {
        1 => "As previewed of its one sale".to_owned(),
        _ => format!("Added up over {count} sales"),
    }
}

pub(crate) const OF_SALES_DETAIL: &str = "The ERP has no preview of a closing. It previews each of its sales, and these are their lines, added up. \
     It will make one invoice of each customer's sales and one credit note of what came back: their sums are \
     these but for rounding, and stock leaves at its value of that moment.";

pub(crate) fn erp_warns(words: &str) -> String {
    format!("The ERP warns: “{words}”")
}

pub(crate) const ERP_WARNS_DETAIL: &str = "These are the ERP's words about the preview.";

pub(crate) fn future(day: &str) -> String {
    format!("Posts on {day}, which is still to come")
}

pub(crate) const FUTURE_DETAIL: &str = "Reports up to today do not show it.";

pub(crate) fn back_dated(day: &str, days: i32) -> String {
    format!("Back-dated to {day}, {days} days ago")
}

pub(crate) const BACK_DATED_DETAIL: &str =
    "It changes figures that others may have relied on; later stock values are computed anew.";
