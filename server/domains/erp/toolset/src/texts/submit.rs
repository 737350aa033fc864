//! Texts about making a document final.

pub(crate) fn has_workflow(doctype: &str, workflow: &str, steps: &[String]) -> String {
    format!(
        "Use apply_workflow: {}",
        super::workflow::steps(doctype, workflow, steps)
    )
}

pub(crate) fn is_no_draft(name: &str, status: &str) -> String {
    format!("{name} is no draft; it is {status}.")
}

pub(crate) const POSTING: &str = "the ERP is posting";
pub(crate) const FOLLOWING: &str = "the ERP has queued it and works on it in the background";
pub(crate) const IS_QUEUED: &str = "It is still queued in the ERP.";

pub(crate) fn queue_failed(words: &str) -> String {
    if words.is_empty() {
        return "The ERP's queue could not submit it, and gives no reason.".to_owned();
    }
    format!("The ERP's queue could not submit it. The ERP says: “{words}”")
}

pub(crate) const QUEUED_NOTE: &str = "The ERP works on it in the background and was not done when this call ended: it is still a draft, \
     and nothing is posted until get_doc says submitted.";

pub(crate) fn queued(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} still queued in the ERP: a draft so far")
}

pub(crate) fn submitted(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} submitted")
}

/// Such as ` (Kestrel Cycles, 1190 EUR)`.
pub(super) fn about(party: Option<&str>, total: Option<&str>) -> String {
    match (party, total) {
        (Some(party), Some(total)) => format!(" ({party}, {total})"),
        (Some(one), None) | (None, Some(one)) => format!(" ({one})"),
        (None, None) => String::new(),
    }
}

pub(crate) fn submit(
    target: &str,
    party: Option<&str>,
    total: Option<&str>,
    posts: Option<&str>,
    day: Option<&str>,
) -> String {
    let about = about(party, total);
    let day = day.map(|day| format!(" on {day}")).unwrap_or_default();
    match posts {
        None => format!("Submit {target}{about}; it posts to no ledger."),
        Some(posts) => format!("Submit {target}{about}; it posts {posts}{day}."),
    }
}

/// A closing is submitted before its invoices are made, where it has many sales.
pub(crate) const CLOSING_QUEUED_NOTE: &str = "It is submitted, and the ERP makes the invoices of its sales in the background, which was not done when \
     this call ended: nothing of it is in the books until get_doc says its status is Submitted.";

pub(crate) fn closing_queued(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} submitted, its invoices still queued in the ERP")
}

pub(crate) fn closing_failed(name: &str, words: &str) -> String {
    let why = reason(words);
    format!(
        "{name} is submitted, but the ERP could not make the invoices of its sales, so nothing of it is in the \
         books. A person retries it in the ERP. {why}"
    )
}

/// One of few sales is a draft again.
pub(crate) fn closing_refused(name: &str, words: &str) -> String {
    let why = reason(words);
    format!(
        "{name} is still a draft and nothing of it is in the books: the ERP could not make the invoices of its \
         sales. {why}"
    )
}

fn reason(words: &str) -> String {
    match words {
        "" => "The ERP gives no reason.".to_owned(),
        words => format!("The ERP says: “{words}”"),
    }
}

/// A closing that the ERP has submitted, and then answered with an error.
pub(crate) fn done_despite(error: &str) -> String {
    format!("It is submitted, although the ERP ended the call with an error: {error}")
}

pub(crate) const MAY_BE_QUEUED: &str = "It is a draft, and a document of this size may still be in the ERP's queue, which does not tell.";
