//! Texts about making a document final.

use super::posting::lines;

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
    counts: [usize; 2],
    day: Option<&str>,
) -> String {
    let about = about(party, total);
    let day = day.map(|day| format!(" on {day}")).unwrap_or_default();
    match counts {
        [0, 0] => format!("Submit {target}{about}; it posts to no ledger."),
        _ => format!("Submit {target}{about}; it posts {}{day}.", lines(counts)),
    }
}
