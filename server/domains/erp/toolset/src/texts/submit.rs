//! Texts about making a document final.

pub(crate) fn is_never_submitted(doctype: &str) -> String {
    format!("{doctype} is never submitted: it counts as soon as it is saved.")
}

pub(crate) fn has_workflow(doctype: &str, workflow: &str) -> String {
    format!("{doctype} is governed by the workflow {workflow:?}; a plain submit would go round it.")
}

pub(crate) fn is_no_draft(name: &str, status: &str) -> String {
    format!("{name} is no draft; it is {status}.")
}

pub(crate) fn has_changed(name: &str, modified: &str, by: &str) -> String {
    format!("{name} has changed since you read it ({modified} by {by}). Read it again.")
}

pub(crate) const ANSWER_LOST: &str = "The ERP's answer was lost; looking at the document";
pub(crate) const POSTING: &str = "the ERP is posting";
pub(crate) const LOOK_FIRST: &str = "Look with get_doc before you try again.";
pub(crate) const MAY_BE_QUEUED: &str =
    "It is still a draft, and has so many rows that the ERP may submit it in the background.";
pub(crate) const STILL_A_DRAFT: &str = "The document is still a draft and has not changed.";
pub(crate) const CHANGED_DRAFT: &str =
    "The document is still a draft, and was changed by somebody since.";
pub(crate) const MAY_STILL_WORK: &str =
    "The document is still a draft, and the ERP may be working on it.";

pub(crate) fn queued(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} queued: still a draft")
}

pub(crate) fn submitted(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} submitted")
}

pub(crate) const DOCUMENT: &str = "Document";
pub(crate) const PARTY: &str = "Party";
pub(crate) const COMPANY: &str = "Company";
pub(crate) const TOTAL: &str = "Total";
pub(crate) const CURRENCY: &str = "Currency";
pub(crate) const POSTS_ON: &str = "Posts on";
pub(crate) const ACCOUNTING: &str = "Accounting ledger";
pub(crate) const STOCK: &str = "Stock ledger";

fn lines(counts: [usize; 2]) -> String {
    let [accounting, stock] = counts;
    let mut parts = Vec::new();
    if accounting > 0 {
        parts.push(format!("{accounting} accounting lines"));
    }
    if stock > 0 {
        parts.push(format!("{stock} stock lines"));
    }
    parts.join(" and ")
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
pub(crate) const LINES_CUT: &str = "Not all lines are shown";
pub(crate) const LINES_CUT_DETAIL: &str =
    "The document posts more lines than a card shows; look at it in the ERP first.";
pub(crate) const IRREVERSIBLE: &str =
    "A submitted document can only be cancelled, which stays visible.";

pub(crate) fn submit(doctype: &str, name: &str, party: Option<&str>, counts: [usize; 2]) -> String {
    let party = party.map(|party| format!(" ({party})")).unwrap_or_default();
    if counts.iter().any(|count| *count > 0) {
        format!(
            "Submit {doctype} {name}{party}; it posts {}.",
            lines(counts)
        )
    } else {
        format!("Submit {doctype} {name}{party}; it posts to no ledger.")
    }
}
