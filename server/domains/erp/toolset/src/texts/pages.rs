//! Texts of the page of a document.

pub(crate) const NOT_A_PAGE: &str = "There is no such page of a document.";
pub(crate) const RENAMED_OR_DELETED: &str = "It may have been renamed or deleted in the ERP.";
pub(crate) const ASK_FOR_THE_RIGHT: &str =
    "Ask an administrator of the ERP for a role with this right.";
pub(crate) const YES: &str = "yes";
pub(crate) const NO_STEPS: &str = "the ERP does not say which steps there are";
pub(crate) const NO_TIME: &str = "the ERP does not say when";

pub(crate) fn rows_not_shown(count: usize) -> String {
    match count {
        1 => "1 more row is not shown.".to_owned(),
        _ => format!("{count} more rows are not shown."),
    }
}

pub(crate) const ACCOUNTING: &str = "Accounting";
pub(crate) const STOCK: &str = "Stock";

pub(crate) const BALANCE: &str = "Balance";
pub(crate) const COMPANY: &str = "Company";
pub(crate) const CUSTOMER_OWES: &str = "By the ledger; above zero the customer owes the company.";
pub(crate) const COMPANY_OWES: &str = "By the ledger; above zero the company owes the supplier.";
pub(crate) const OPEN_INVOICES: &str = "Open invoices";
pub(crate) const OPEN_ORDERS: &str = "Open orders";
pub(crate) const STOCK_BY_WAREHOUSE: &str = "Stock by warehouse";
pub(crate) const SELLING_PRICES: &str = "Selling prices";
pub(crate) const ONLY_THE_FIRST: &str = "There are more; only the first are shown.";

pub(crate) fn of_companies(asked: usize, all: usize) -> String {
    format!("Only {asked} of {all} companies were asked.")
}

pub(crate) fn hidden_in_links(problem: &str) -> String {
    format!("Not read: {problem}.")
}

/// The page lists them above the buttons that would make others.
pub(crate) const DRAFTS_ARE_ABOVE: &str = "Drafts that were made from it are not among these links. Where it has a button for another, they are \
     listed above the buttons.";

pub(crate) const SUBMIT: &str = "Submit";
pub(crate) const CANCEL: &str = "Cancel document";

pub(crate) fn draft_of(doctype: &str) -> String {
    format!("Draft {doctype}")
}

pub(crate) fn another_draft_of(doctype: &str) -> String {
    format!("Draft another {doctype}")
}

pub(crate) const ONLY_NEWEST_VERSIONS: &str =
    "The ERP keeps only the newest changes at hand; older ones are in its own history.";
pub(crate) const ROW_ADDED: &str = "Row added";
pub(crate) const ROW_REMOVED: &str = "Row removed";

/// The word for the fate of a row, and its table.
pub(crate) fn with_row(word: &str, table: &str) -> String {
    format!("{word}: {table}")
}

pub(crate) fn in_row(table: &str, row: &str, field: &str) -> String {
    format!("{table}, row {row}: {field}")
}

/// A column of a ledger, for people.
pub(crate) fn ledger_column(name: &str) -> &str {
    match name {
        "posting_date" => "Date",
        "account" => "Account",
        "debit" => "Debit",
        "credit" => "Credit",
        "party" => "Party",
        "cost_center" => "Cost center",
        "project" => "Project",
        "against" => "Against",
        "against_voucher" => "Against document",
        "item_code" => "Item",
        "warehouse" => "Warehouse",
        "actual_qty" => "Quantity",
        "stock_uom" => "Unit",
        "qty_after_transaction" => "Quantity after",
        "valuation_rate" => "Valuation rate",
        "stock_value_difference" => "Value",
        other => other,
    }
}
