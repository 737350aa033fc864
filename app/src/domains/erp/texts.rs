//! Sentences of this panel for people in one place, so that another language is another such
//! module.

pub(crate) mod document;

pub(crate) const ERP: &str = "ERP";
pub(crate) const GO_TO_ERP: &str = "Go to the ERP";
pub(crate) const SIMULATED: &str = "Simulated";
pub(crate) const SIMULATED_COMPANY: &str = "Simulated company";
pub(crate) const NO_SITE: &str =
    "No ERPNext site is configured: everything shown comes from the built-in simulation.";
pub(crate) const LOADING_ERP: &str = "Loading the ERP…";
pub(crate) const ERP_CANNOT_BE_SHOWN: &str = "The ERP cannot be shown";

/// Suggested beside the pages.
pub(crate) const QUESTIONS: [&str; 1] = ["What waits for approval in the ERP?"];

/// Names of tools whose identifiers are no words.
pub(crate) const TOOLS: [(&str, &str); 17] = [
    ("get_doc", "Document"),
    ("search_doc", "Search documents"),
    ("create_doc", "Create document"),
    ("make_from", "Draft from a document"),
    ("update_doc", "Change document"),
    ("amend_doc", "Amend document"),
    ("submit_doc", "Submit document"),
    ("cancel_doc", "Cancel document"),
    ("delete_doc", "Delete document"),
    ("trace_doc", "Linked documents"),
    ("describe_doctype", "Fields of a type"),
    ("find_link", "Find names"),
    ("party_summary", "Balance with a party"),
    ("apply_workflow", "Workflow step"),
    ("bom_explode", "Materials of an item"),
    ("pos_day", "Day of a till"),
    ("prepare_pos_closing", "Prepare closing of a till"),
];

/// The words of a link.
pub(crate) const OPEN_DOCUMENT: &str = "Open the document";

pub(crate) const UNKNOWN: &str = "unknown";

pub(crate) fn unknown(reason: &str) -> String {
    format!("Unknown: {reason}.")
}

pub(crate) fn out_of_date(trouble: &str) -> String {
    format!("Out of date: {trouble}.")
}

pub(crate) fn may_be_incomplete(reason: &str) -> String {
    format!("Not in the list: {reason}.")
}

/// The age follows.
pub(crate) const UPDATED: &str = "Updated ";
pub(crate) const NO_DATA_YET: &str = "No data yet";

pub(crate) fn last_data(age: &str) -> String {
    format!("Last data {age} old")
}

pub(crate) fn cannot_be_read(reason: &str) -> String {
    format!("The ERP cannot be read: {reason}.")
}

pub(crate) fn rights_missing(types: &str) -> String {
    format!("The configured key may not read {types}.")
}

/// The user follows.
pub(crate) const SHOWN_AS: &str = "Shown as the key of ";
pub(crate) const SHOWN_AS_MEANS: &str = "Everybody here sees what this user of the ERP may read, whoever they are. \
    Only what waits for approval is shown by your own key, if you have one.";

pub(crate) fn confined_to(companies: &str) -> String {
    format!("Companies: {companies}.")
}

pub(crate) const NOTICES: &str = "Notices";
pub(crate) const NO_NOTICES: &str = "No open notices of the ERP.";

pub(crate) const APPROVALS: &str = "Waiting for approval in the ERP";
pub(crate) const NO_APPROVALS: &str = "Nothing waits for a decision by this key.";
/// The user follows.
pub(crate) const BY_OWN_KEY: &str = "by your own key, for ";
pub(crate) const NO_OWN_APPROVALS: &str = "Nothing waits for a decision by your key.";
pub(crate) const RECEIVABLES: &str = "Overdue from customers";
pub(crate) const NO_RECEIVABLES: &str = "No customer invoice is overdue.";
pub(crate) const PAYABLES: &str = "Overdue to suppliers";
pub(crate) const NO_PAYABLES: &str = "No supplier invoice is overdue.";

/// The sums follow.
pub(crate) fn due_within(days: u32) -> String {
    format!("Due within {days} days")
}

pub(crate) const NOTHING_DUE: &str = "nothing";
pub(crate) const DELIVERIES: &str = "Late deliveries";
pub(crate) const NO_DELIVERIES: &str = "No delivery is late.";
pub(crate) const SHORTAGES: &str = "Shortages";
pub(crate) const SHORTAGES_MEAN: &str = "stock and supply, less what is promised";
pub(crate) const NO_SHORTAGES: &str = "No item runs short.";
pub(crate) const DRAFTS: &str = "Drafts";
pub(crate) const NO_DRAFTS: &str = "No drafts.";
pub(crate) const HEALTH: &str = "Ledger and connection";

pub(crate) fn more(count: u32) -> String {
    format!("and {count} more")
}

pub(crate) const AND_MORE: &str = "and more";

pub(crate) fn late(days: u32) -> String {
    match days {
        1 => "1 day late".to_owned(),
        _ => format!("{days} days late"),
    }
}

pub(crate) const MADE_BY_KEY: &str = "made with Jarvis's key";

pub(crate) fn by(user: &str) -> String {
    format!("by {user}")
}

pub(crate) fn steps(steps: &str) -> String {
    format!("This key can: {steps}")
}

pub(crate) const NO_STEPS: &str = "This key cannot decide on it";

/// `roles`: those of the ERP that can take the next step. Everybody reads it, also those who have one of them.
pub(crate) fn waits_for(roles: &str, is_own: bool) -> String {
    // A workflow may forbid approval by the maker, whatever their roles.
    let other = if is_own { " who did not make it" } else { "" };
    format!("waits for somebody with the role {roles}{other}")
}

/// Between roles of which one suffices.
pub(crate) const OR: &str = " or ";

pub(crate) fn steps_unknown(reason: &str) -> String {
    format!("Steps unknown: {reason}")
}

pub(crate) fn in_stock(stock: &str) -> String {
    format!("{stock} in stock")
}

pub(crate) const BELOW_ZERO: &str = "stock below zero";

pub(crate) const LAST_POSTING: &str = "Last posting";
pub(crate) const NOTHING_POSTED: &str = "nothing was posted";
pub(crate) const BALANCE: &str = "Debit and credit";

pub(crate) fn balanced(days: u32) -> String {
    format!("equal over {days} days")
}

pub(crate) fn not_balanced(days: u32) -> String {
    format!("differ over {days} days")
}

pub(crate) const QUEUE: &str = "Submission queue";

pub(crate) fn failed(count: u32) -> String {
    match count {
        0 => "nothing failed".to_owned(),
        _ => format!("{count} failed"),
    }
}

pub(crate) const CLOCK: &str = "Clock of the site";

pub(crate) fn clock(offset: i64) -> String {
    match offset {
        -5..=5 => "agrees with ours".to_owned(),
        offset if offset > 0 => format!("{} ahead of ours", seconds(offset)),
        offset => format!("{} behind ours", seconds(-offset)),
    }
}

fn seconds(seconds: i64) -> String {
    if seconds < 120 {
        format!("{seconds} s")
    } else {
        format!("{} min", seconds / 60)
    }
}

pub(crate) const SITE: &str = "Site";
