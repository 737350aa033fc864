//! Texts of what the reading tools found.

fn of(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun} documents"),
    }
}

pub(crate) fn found(count: usize, doctype: &str, has_more: bool) -> String {
    let more = if has_more { ", and more" } else { "" };
    format!("{}{more}", of(count, doctype))
}

pub(crate) const NOT_COUNTED_WITH_ANY_OF: &str = "not counted together with any_of";
pub(crate) const COUNT_TOOK_TOO_LONG: &str = "the ERP stopped counting after a second";
pub(crate) const ASK_FOR_FEWER_COLUMNS: &str =
    "rows were left out for their size; ask for fewer fields, or page with start";

pub(crate) fn document(doctype: &str, name: &str, state: Option<&str>) -> String {
    match state {
        Some(state) => format!("{doctype} {name}: {state}"),
        None => format!("{doctype} {name}"),
    }
}

pub(crate) fn fields(doctype: &str, count: usize) -> String {
    format!("{doctype}: {count} fields")
}

pub(crate) fn fields_cut(count: usize) -> String {
    format!("the type has {count} such fields; only the first are shown")
}

pub(crate) const READ_ONLY: &str = "read-only";
pub(crate) const OVERWRITTEN: &str = "overwritten from a link";
pub(crate) const SET_ONCE: &str = "can be set only once";
pub(crate) const UNIQUE: &str = "unique";
pub(crate) const AFTER_SUBMIT: &str = "may change after submit";
pub(crate) const SOMETIMES_MANDATORY: &str = "mandatory under a condition";
pub(crate) const ABOVE_YOUR_LEVEL: &str = "above this user's permission level: reset if written";

pub(crate) fn types_found(count: usize, like: &str) -> String {
    format!("{count} types with “{like}” in the name")
}

pub(crate) fn matches(count: usize, doctype: &str, text: &str) -> String {
    match count {
        0 => format!("no {doctype} matches “{text}”"),
        1 => format!("1 {doctype} matches “{text}”"),
        _ => format!("{count} {doctype} names match “{text}”"),
    }
}

pub(crate) const OF_NO_COMPANY: &str =
    "this type belongs to no company, so company did not narrow it";

pub(crate) fn report(name: &str, shown: usize, count: usize) -> String {
    if shown == count {
        format!("{name}: {count} rows")
    } else {
        format!("{name}: the first {shown} of {count} rows")
    }
}

pub(crate) fn not_generated(name: &str) -> String {
    format!("{name} is not generated for these filters")
}

pub(crate) const NOT_GENERATED_NOTE: &str = "The ERP prepares this report in the background and has no copy for exactly these filters. \
     That says nothing about the data. A person can generate it in the ERP.";

pub(crate) fn approvals(count: usize) -> String {
    match count {
        0 => "nothing waits for approval".to_owned(),
        1 => "1 document waits for approval".to_owned(),
        _ => format!("{count} documents wait for approval"),
    }
}

pub(crate) fn waiting_of_type(count: usize, doctype: &str) -> String {
    format!("{count} of type {doctype}")
}

pub(crate) fn not_read(doctype: &str, reason: &str) -> String {
    format!("{doctype}: {reason}")
}

pub(crate) fn roles_unknown(doctype: &str) -> String {
    format!("the roles of this ERP user are not known, so neither are the steps of {doctype}")
}

pub(crate) const SITE_CHECKS_A_CONDITION: &str = "the ERP also checks a condition";
pub(crate) const OWN_DOCUMENT: &str = "this ERP user made the document, and self-approval is off";

pub(crate) fn traced(doctype: &str, name: &str, before: usize, after: usize) -> String {
    format!("{doctype} {name}: {before} before, {after} after")
}

pub(crate) const ONLY_SUBMITTED_IS_CANCELLED: &str = "only a submitted document can be cancelled";
pub(crate) const CANCEL_FIRST: &str =
    "the submitted documents under after would have to be cancelled first; payments may come loose";
pub(crate) const DRAFTS_ARE_NOT_TRACED: &str = "drafts made from it are not listed under after";

pub(crate) fn posts_nothing(doctype: &str) -> String {
    format!("{doctype} is never submitted, so it posts nothing.")
}

pub(crate) fn draft_has_no_preview(doctype: &str) -> String {
    format!("the ERP has no preview of this ledger for a draft {doctype}")
}

pub(crate) const NO_LINES: &str = "it posted no lines to this ledger";
pub(crate) const PREVIEW: &str =
    "a preview: the date and the values are those of submitting it now";
pub(crate) const PREVIEW_IS_EMPTY: &str =
    "the preview has no lines, so it would post none to this ledger";
pub(crate) const FROM_OWN_ROWS: &str = "this version has no stock preview for a Stock Entry; the lines come from its own rows, without values";

pub(crate) fn lines_cut(most: usize) -> String {
    format!("only the first {most} lines were read, and the sums are of those")
}

pub(crate) fn ledger(
    doctype: &str,
    name: &str,
    status: &str,
    accounting: Option<u64>,
    stock: Option<u64>,
) -> String {
    let mut parts = Vec::new();
    parts.extend(accounting.map(|count| format!("{count} accounting lines")));
    parts.extend(stock.map(|count| format!("{count} stock lines")));
    let lines = if parts.is_empty() {
        "no ledger that can be read".to_owned()
    } else {
        parts.join(", ")
    };
    format!("{doctype} {name} ({status}): {lines}")
}

pub(crate) fn party(name: &str, balance: Option<&str>) -> String {
    match balance {
        Some(balance) => format!("{name}: balance {balance}"),
        None => format!("{name}: balance unknown"),
    }
}

pub(crate) const CREDIT_LEFT: &str =
    "the party's own limit in this company less its balance; orders not billed are not subtracted";

pub(crate) fn balance(party_type: &str) -> &'static str {
    match party_type {
        "Customer" => {
            "debit less credit of all ledger entries of the party: what the customer owes"
        }
        _ => "credit less debit of all ledger entries of the party: what the company owes",
    }
}

pub(crate) const OPEN_ORDERS: &str = "submitted orders that are neither completed nor closed, in company currency; not_billed by per_billed";
pub(crate) const OPEN_INVOICES: &str = "submitted invoices with an outstanding amount, credit notes negative; overdue: due before today";
pub(crate) const NO_PAYMENT: &str = "none";
pub(crate) const NO_SUCH_COMPANY: &str = "the company was not found";

pub(crate) fn too_many_to_sum(most: usize, doctype: &str) -> String {
    format!("there are more than {most} {doctype} documents to sum; use a report")
}
