//! Texts about taking a document back.

use super::posting::lines;

pub(crate) fn is_not_submitted(name: &str, status: &str) -> String {
    format!("{name} is {status}; only a submitted document can be cancelled.")
}

pub(crate) fn has_workflow(
    doctype: &str,
    workflow: &str,
    steps: &[String],
    can_cancel: bool,
) -> String {
    if !can_cancel {
        return format!(
            "{doctype} is governed by the workflow {workflow:?}, which has no step that cancels; a person \
             does it in the ERP."
        );
    }
    format!(
        "Use apply_workflow: {}",
        super::workflow::steps(doctype, workflow, steps)
    )
}

pub(crate) fn is_closed(name: &str) -> String {
    format!(
        "{name} is closed, and a closed order cannot be cancelled; reopen it with set_order_status."
    )
}

pub(crate) fn is_closing(name: &str) -> String {
    format!(
        "{name} closes the session of a till: taking it back cancels the invoices that it made and opens the \
         session again. What that reverses cannot be shown here, so a person does it in the ERP."
    )
}

pub(crate) fn blocked(name: &str, named: &[(String, String)], hidden: usize) -> String {
    const MOST: usize = 6;
    let mut parts: Vec<_> = named
        .iter()
        .take(MOST)
        .map(|(doctype, name)| format!("{doctype} {name}"))
        .collect();
    let more = named.len().saturating_sub(MOST) + hidden;
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    format!(
        "These hang on {name} and have to go first: {}.",
        parts.join(", ")
    )
}

pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_MENTIONS: &str =
    "The reason becomes a comment and must not mention anybody: leave out \"@\".";
pub(crate) const REVERSED_ON: &str = "Reversed on";
pub(crate) const DAY_UNKNOWN: &str =
    "its own posting date, or today if the ERP's ledger is immutable";
pub(crate) const COME_LOOSE: &str = "Payments that come loose";
pub(crate) const REVERSING: &str = "the ERP is reversing";

pub(crate) fn reverses(counts: [usize; 2]) -> String {
    format!("Reverses {}", lines(counts))
}

pub(crate) fn reversed(counts: [usize; 2]) -> String {
    match counts {
        [0, 0] => "no ledger lines".to_owned(),
        _ => lines(counts),
    }
}

pub(crate) const REVERSES_DETAIL: &str =
    "The lines below will be in the books, and take back what was posted.";
pub(crate) const NO_LINES: &str = "It has posted no ledger lines";

pub(crate) fn loose(count: usize) -> String {
    match count {
        1 => "1 payment comes loose".to_owned(),
        _ => format!("{count} payments come loose"),
    }
}

pub(crate) const LOOSE_DETAIL: &str = "Their money stays with the party and pays nothing, unless the ERP's settings keep \
     them, in which case it refuses.";
pub(crate) const LOOSE_PAYMENTS: &str = "Payments that come loose";
pub(crate) const TYPE: &str = "Type";
pub(crate) const NAME: &str = "Name";
pub(crate) const AMOUNT: &str = "Amount";
pub(crate) const AMOUNT_UNKNOWN: &str = "unknown";
pub(crate) const IRREVERSIBLE: &str =
    "A cancelled document stays cancelled; it can only be amended as a new draft.";

pub(crate) fn cancel(
    target: &str,
    party: Option<&str>,
    total: Option<&str>,
    counts: [usize; 2],
) -> String {
    let about = super::submit::about(party, total);
    match counts {
        [0, 0] => format!("Cancel {target}{about}; it has posted no lines."),
        _ => format!("Cancel {target}{about}; it reverses {}.", lines(counts)),
    }
}

pub(crate) fn cancelled(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} cancelled")
}
