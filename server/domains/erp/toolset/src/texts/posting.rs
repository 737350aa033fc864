//! Texts about the lines that a document posts.

pub(crate) const ACCOUNTING: &str = "Accounting ledger";
pub(crate) const STOCK: &str = "Stock ledger";
pub(crate) const STOCK_OF_OWN_ROWS: &str = "Stock moves, by the document's own rows";

pub(crate) fn cannot_be_shown(doctype: &str) -> String {
    format!(
        "What a {doctype} posts cannot be shown before it is submitted, so it is not submitted from here."
    )
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

pub(crate) fn posts(counts: [usize; 2]) -> String {
    format!("Posts {}", lines(counts))
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
