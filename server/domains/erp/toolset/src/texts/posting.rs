//! Texts about the lines that a document posts.

pub(crate) const ACCOUNTING: &str = "Accounting ledger";
pub(crate) const STOCK: &str = "Stock ledger";
pub(crate) const STOCK_OF_OWN_ROWS: &str = "Stock moves, by the document's own rows";

pub(crate) fn cannot_be_shown(doctype: &str) -> String {
    format!(
        "What a {doctype} posts cannot be shown before it is submitted, so it is not submitted from here."
    )
}

pub(crate) const ACCOUNTING_OF_SALES: &str = "Accounting ledger, added up over the sales";
pub(crate) const STOCK_OF_SALES: &str = "Stock ledger, added up over the sales";

pub(crate) fn lines_of_sales(count: usize) -> String {
    match count {
        1 => "the lines of 1 sale".to_owned(),
        _ => format!("the lines of {count} sales"),
    }
}

pub(crate) fn too_many_sales(closing: &str, count: usize, most: usize) -> String {
    format!(
        "{closing} has {count} sales. The postings of each need a preview of their own, and at most {most} are \
         previewed: submit it in the ERP."
    )
}

pub(crate) fn sales_take_too_long(closing: &str, count: usize, seconds: u64) -> String {
    format!(
        "{closing} has {count} sales, and the ERP does not preview the postings of each within {seconds} s: submit \
         it in the ERP."
    )
}

pub(crate) fn sale_not_previewed(name: &str, reason: &str) -> String {
    format!(
        "What the closing posts cannot be shown, because the ERP does not preview its sale {name}; so it is not \
         submitted from here. {reason}"
    )
}

pub(crate) fn sale_without_lines(name: &str) -> String {
    format!(
        "What the closing posts cannot be shown: the ERP's preview of its sale {name} is empty, although the sale \
         has an amount. So it is not submitted from here."
    )
}

pub(crate) fn sale_unreadable(name: &str) -> String {
    format!("The closing's sale {name} cannot be read, so what it posts cannot be shown.")
}

pub(crate) fn sale_consolidated(name: &str, invoice: &str) -> String {
    format!("The closing's sale {name} is in the books already, by {invoice}.")
}

pub(crate) fn sale_not_submitted(name: &str) -> String {
    format!("The closing's sale {name} is not submitted.")
}

pub(crate) const STOCK_AFTER: &str = "Stock after it";

/// `day`: that of the document, if the figures are not those of today.
pub(crate) fn stock_of(item: &str, warehouse: &str, day: Option<&str>) -> String {
    let on = day.map(|day| format!(" on {day}")).unwrap_or_default();
    format!("{STOCK_AFTER}: {item} in {warehouse}{on}")
}

pub(crate) fn from_to(before: &str, after: &str, unit: &str) -> String {
    format!("{before} → {after} {unit}").trim_end().to_owned()
}

pub(crate) fn unknown_stock(reason: &str) -> String {
    format!("unknown: {reason}")
}

pub(crate) const NO_STOCK_RECORD: &str = "the ERP shows no stock of it there";
pub(crate) const STOCK_NOT_TOLD: &str = "the ERP's preview does not tell";

pub(crate) fn more_places(count: usize) -> String {
    match count {
        1 => "of 1 more place not shown".to_owned(),
        _ => format!("of {count} more places not shown"),
    }
}

/// Such as `4 accounting lines and 2 stock lines`.
pub(crate) fn lines(counts: [usize; 2]) -> String {
    let [accounting, stock] = counts;
    let counted = |count: usize, kind: &str| match count {
        1 => format!("1 {kind} line"),
        _ => format!("{count} {kind} lines"),
    };
    let mut parts = Vec::new();
    if accounting > 0 {
        parts.push(counted(accounting, "accounting"));
    }
    if stock > 0 {
        parts.push(counted(stock, "stock"));
    }
    parts.join(" and ")
}

pub(crate) fn counted(counts: [usize; 2], debit: &str) -> String {
    match counts {
        [0, _] => lines(counts),
        _ => format!("{}, debit {debit}", lines(counts)),
    }
}

/// `told`: the lines, in words.
pub(crate) const SALES_ABSURD: &str =
    "A sale of this closing has an absurdly large number, so its lines cannot be shown.";

pub(crate) fn with_debit(told: &str, debit: &str) -> String {
    format!("{told}, debit {debit}")
}

pub(crate) fn posts(told: &str) -> String {
    format!("Posts {told}")
}

pub(crate) const POSTS_DETAIL: &str =
    "The lines below will be in the books. Taking them back needs a cancellation.";
pub(crate) const POSTS_NOTHING: &str = "Posts to no ledger";
pub(crate) const POSTS_NOTHING_DETAIL: &str =
    "It becomes final, and other documents can be made from it.";
pub(crate) const FOLLOWS: &str = "Mail and follow-ups";
pub(crate) const FOLLOWS_DETAIL: &str =
    "The ERP may send mail, reserve stock or make further documents, as its settings say.";
pub(crate) const CUT: &str = "Not all lines are shown";
pub(crate) const CUT_DETAIL: &str =
    "The document has more lines than a card shows; look at it in the ERP first.";
pub(crate) const IRREVERSIBLE: &str =
    "A submitted document can only be cancelled, which stays visible.";
