//! Texts about drafts that are made and changed.

pub(crate) fn is_single(doctype: &str) -> String {
    format!("There is only one {doctype}; none can be created.")
}

pub(crate) fn reserved(field: &str) -> String {
    match field {
        "docstatus" => {
            "\"docstatus\" is not a field to set; submit_doc makes a draft final.".to_owned()
        }
        "workflow_state" => "\"workflow_state\" changes by a step of the workflow only.".to_owned(),
        _ => format!("{field:?} is set by the ERP itself."),
    }
}

pub(crate) fn no_such_field(field: &str, of: &str) -> String {
    format!("{of} has no field {field:?}; describe_doctype lists them.")
}

pub(crate) fn no_such_table(table: &str, doctype: &str) -> String {
    format!("{doctype} has no table {table:?}; describe_doctype lists them.")
}

pub(crate) fn is_table(field: &str) -> String {
    format!("{field:?} is a table; give its rows under tables.")
}

pub(crate) fn overwritten(field: &str, from: &str) -> String {
    format!("{field:?} cannot be set: the ERP overwrites it from {from}.")
}

pub(crate) fn read_only(field: &str) -> String {
    format!("{field:?} is read-only.")
}

pub(crate) fn reset(field: &str, level: u8) -> String {
    format!(
        "{field:?} is at permission level {level}, which this ERP user may not write; it would be reset."
    )
}

pub(crate) fn not_after_submit(field: &str) -> String {
    format!("{field:?} cannot change after the document is submitted.")
}

pub(crate) fn is_mandatory(field: &str) -> String {
    format!("{field:?} is mandatory, so it cannot be emptied.")
}

pub(crate) fn is_set_once(field: &str) -> String {
    format!("{field:?} can be set only once.")
}

pub(crate) fn no_such_row(table: &str, row: &str) -> String {
    format!("{table:?} has no row {row:?} in this document; get_doc shows the names of its rows.")
}

pub(crate) fn bad_row_change(table: &str) -> String {
    format!(
        "A change in {table:?} does not fit: \"add\" takes fields, \"change\" a row and fields, \"remove\" a row."
    )
}

pub(crate) const NOTHING_TO_CHANGE: &str = "The document already is as asked for.";

pub(crate) fn is_submitted(name: &str, status: &str) -> String {
    format!("{name} is {status}, so give \"submitted\" accordingly.")
}

pub(crate) fn is_closed(name: &str, status: &str) -> String {
    format!("{name} is {status} and can no longer be changed; amend_doc makes a new draft of it.")
}

pub(crate) fn is_not_cancelled(name: &str, status: &str) -> String {
    format!("{name} is not cancelled; it is {status}.")
}

pub(crate) fn is_not_submitted(name: &str) -> String {
    format!("{name} is not submitted, so nothing is made from it.")
}

pub(crate) fn no_mapping(source: &str, target: &str) -> String {
    format!("The ERP does not make a {target} from a {source}.")
}

pub(crate) fn has_no_rows(doctype: &str) -> String {
    format!("A {doctype} has no rows with quantities to choose from.")
}

pub(crate) fn row_is_not_open(row: &str) -> String {
    format!("The row {row:?} is not open in the source; get_doc shows the names of its rows.")
}

pub(crate) fn more_than_open(row: &str, open: &str) -> String {
    format!("Of the row {row:?}, {open} is open.")
}

pub(crate) fn given_twice(name: &str) -> String {
    format!("{name:?} is given twice.")
}

pub(crate) fn needs_company(doctype: &str) -> String {
    format!("A {doctype} needs \"company\": without it the ERP takes its user's default.")
}

pub(crate) fn needs_reference(account: &str, missing: &[&str]) -> String {
    let missing: Vec<_> = missing.iter().map(|it| format!("{it:?}")).collect();
    format!(
        "{account:?} is a bank account, and the ERP takes no payment through one without the bank's reference: \
         give {}.",
        missing.join(" and ")
    )
}

pub(crate) fn no_such_link(doctype: &str, name: &str, exact: Option<&str>) -> String {
    match exact {
        Some(exact) => format!("There is no {doctype} {name:?}; the exact name is {exact:?}."),
        None => format!(
            "There is no {doctype} {name:?} that this ERP user may see; find_link finds names."
        ),
    }
}

pub(crate) fn is_disabled(doctype: &str, name: &str) -> String {
    format!("{doctype} {name:?} is disabled.")
}

pub(crate) fn is_template(doctype: &str, name: &str) -> String {
    format!("{doctype} {name:?} is a template; use one of its variants.")
}

pub(crate) fn row(table: &str, at: usize, item: Option<&str>) -> String {
    match item {
        Some(item) => format!("{table} {at} ({item})"),
        None => format!("{table} {at}"),
    }
}

pub(crate) fn cell(row: &str, column: &str) -> String {
    format!("{row}, {column}")
}

pub(crate) fn new_row(table: &str) -> String {
    format!("{table}, new row")
}

pub(crate) fn make(doctype: &str, source: &str, party: Option<&str>) -> String {
    match party {
        Some(party) => format!("Make a draft {doctype} for {party} from {source}."),
        None => format!("Make a draft {doctype} from {source}."),
    }
}

pub(crate) fn amend(document: &str, party: Option<&str>) -> String {
    match party {
        Some(party) => format!("Make a new draft of the cancelled {document} ({party})."),
        None => format!("Make a new draft of the cancelled {document}."),
    }
}

pub(crate) fn amended_already(names: &str) -> String {
    format!("It was amended already: {names}.")
}

pub(crate) fn update(document: &str, party: Option<&str>, is_submitted: bool) -> String {
    let kind = if is_submitted { "submitted " } else { "" };
    match party {
        Some(party) => format!("Change the {kind}{document} ({party})."),
        None => format!("Change the {kind}{document}."),
    }
}

pub(crate) fn mapping_changed(source: &str) -> String {
    format!("What the ERP makes of {source} has changed.")
}

pub(crate) fn updated(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} changed")
}

pub(crate) const CHANGES_DRAFT: &str = "Changes a draft";
pub(crate) const CHANGES_DRAFT_DETAIL: &str = "A draft is not in the ledgers.";
pub(crate) const CHANGES_SUBMITTED: &str = "Changes a submitted document";
pub(crate) const CHANGES_SUBMITTED_DETAIL: &str =
    "Only fields that the ERP lets change after the submit; its ledger lines stay.";

pub(crate) fn in_workflow(state: &str) -> String {
    format!("In the ERP's workflow its state is {state:?}.")
}

pub(crate) const UPDATE_LOST: &str = "The ERP's answer was lost; looking at the document";
pub(crate) const LOOK_AT_IT: &str = "Look with get_doc before you try again.";
pub(crate) const NOT_CHANGED: &str = "The document has not changed since it was read.";
pub(crate) const MAY_STILL_CHANGE: &str =
    "The document has not changed yet, and the ERP may still be working on it.";

pub(crate) fn changed_otherwise(at: &str, by: &str) -> String {
    format!("The document was changed at {at} by {by}, and is not as asked for.")
}

/// A type that is never submitted has no drafts.
pub(crate) fn create(doctype: &str, party: Option<&str>, is_draft: bool) -> String {
    let of = party.map_or(String::new(), |party| format!(" for {party}"));
    if is_draft {
        format!("Create a draft {doctype}{of}.")
    } else {
        format!("Create {doctype}{of}: in effect at once.")
    }
}

pub(crate) fn new(doctype: &str) -> String {
    format!("new {doctype}")
}

pub(crate) const FIELDS: &str = "Fields";
pub(crate) const POSTS_NOTHING: &str = "Posts nothing";
pub(crate) const POSTS_NOTHING_DETAIL: &str =
    "A draft is not in the ledgers and can be deleted in the ERP.";
pub(crate) const NOT_A_DRAFT: &str = "In effect at once";
/// The state of a document of such a type.
pub(crate) const IN_EFFECT: &str = "in effect";
pub(crate) const NOT_A_DRAFT_DETAIL: &str =
    "This type is never submitted: the document counts as soon as it is saved.";
pub(crate) const FILLED_BY_ERP: &str = "The ERP fills the rest";
pub(crate) const FILLED_BY_ERP_DETAIL: &str =
    "Prices and totals exist only after it is saved; the result says what the ERP changed.";

pub(crate) fn filled_by_erp(mandatory: &[String]) -> String {
    if mandatory.is_empty() {
        return FILLED_BY_ERP_DETAIL.to_owned();
    }
    let mandatory = mandatory.join(", ");
    format!("{FILLED_BY_ERP_DETAIL} Mandatory and not given: {mandatory}.")
}

pub(crate) const TOTALS: &str = "Totals";
pub(crate) const TOTALS_OF_ERP: &str = "Totals computed by the ERP";
pub(crate) const TOTALS_OF_ERP_DETAIL: &str =
    "The rows, prices and taxes below are those that the ERP computes now.";
pub(crate) const SUBMITTED: &str = "submitted";
pub(crate) const CHANGES: &str = "Changes";
pub(crate) const EMPTY: &str = "(empty)";
pub(crate) const STATE: &str = "State";
pub(crate) const LAST_CHANGED: &str = "Last changed";

pub(crate) fn last_changed(at: &str, by: &str) -> String {
    format!("{at} by {by}")
}

pub(crate) fn total_above(total: &str, limit: &str) -> String {
    format!("Its total is {total}, above {limit}.")
}

pub(crate) fn unchecked_links(types: &str) -> String {
    format!("Links not checked: {types}")
}

pub(crate) fn created(doctype: &str, name: &str) -> String {
    format!("{doctype} {name} created")
}

pub(crate) const ANSWER_LOST: &str = "The ERP's answer was lost; looking for the document";

pub(crate) const NOT_MADE: &str = "No such document was made.";

pub(crate) fn cannot_tell(names: &str) -> String {
    format!(
        "It cannot be told which of these the call made, or if one of them was changed since: {names}."
    )
}

pub(crate) fn may_be_anothers(name: &str) -> String {
    format!(
        "{name} is what this call asked for, but another call that was cut off at that time asked for the same."
    )
}

/// Nothing was sent.
pub(crate) const NOT_NOTED: &str =
    "The document was not sent, because what was about to be sent could not be stored first.";

pub(crate) const MAY_STILL_COME: &str =
    "No such document is there yet, and the ERP may still be working on it.";

pub(crate) const LOOK_FIRST: &str = "Look with search_doc before you try again.";

/// Title of the ways to them.
pub(crate) const DRAFTS: &str = "Drafts that are there already";

/// `source`: type and name of the document that they are of.
pub(crate) fn drafts_are_there(names: &[&str], source: &str) -> String {
    match names {
        [one] => format!("{one} is a draft of {source} already."),
        several => format!("{} are drafts of {source} already.", several.join(", ")),
    }
}

pub(crate) const DRAFTS_ARE_THERE_DETAIL: &str =
    "Submit or change that one instead, unless both are wanted.";

pub(crate) fn drafts_unknown(source: &str) -> String {
    format!("It could not be looked up whether there is a draft of {source} already.")
}
