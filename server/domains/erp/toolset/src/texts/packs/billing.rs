//! Texts about invoices of hours.

pub(crate) const NAME_WHAT: &str =
    "Name a project or timesheets; unbilled_time lists what is not billed.";

pub(crate) fn no_project(name: &str) -> String {
    format!("There is no project {name:?} within reach; find_link finds the exact name.")
}

pub(crate) fn no_timesheet(name: &str) -> String {
    format!("There is no timesheet {name:?} within reach.")
}

pub(crate) fn is_not_submitted(name: &str, docstatus: &str) -> String {
    format!("{name} is {docstatus}; only the hours of a submitted timesheet are billed.")
}

pub(crate) fn is_billed(name: &str, invoices: &str) -> String {
    format!("What is billable of {name} has been billed in {invoices}.")
}

pub(crate) fn nothing_billable(name: &str, project: Option<&str>) -> String {
    match project {
        Some(project) => format!("{name} has no billable hours for {project}."),
        None => format!("{name} has no billable hours."),
    }
}

pub(crate) fn nothing_unbilled(project: &str) -> String {
    format!("{project} has no billable hours of submitted timesheets that are not billed.")
}

pub(crate) fn several_companies(names: &str) -> String {
    format!("The hours are of several companies ({names}); make an invoice for each.")
}

pub(crate) fn several_currencies(names: &str) -> String {
    format!("The hours are in several currencies ({names}); make an invoice for each.")
}

pub(crate) const NAME_CUSTOMER: &str =
    "Neither the projects nor the timesheets name a customer; ask who is billed.";

pub(crate) fn other_customer(of: &str, customer: &str, wanted: &str) -> String {
    format!("{of} is of the customer {customer:?}, not of {wanted:?}.")
}

pub(crate) fn is_absurd(name: &str) -> String {
    format!("Billable hours of {name} have an absurdly large number.")
}

pub(crate) fn has_no_amount(name: &str) -> String {
    format!(
        "Billable hours of {name} have no amount, and the ERP would fill in some price of the item; the rate \
         belongs into the timesheet."
    )
}

pub(crate) fn too_many_rows(most: usize) -> String {
    format!("More than {most} rows of timesheets would be billed at once; name timesheets.")
}

pub(crate) fn in_draft(names: &str) -> String {
    format!(
        "These hours are in a draft already: {names}. Submit or change it, or delete it in the ERP; two invoices \
         of the same hours cannot both be submitted."
    )
}

pub(crate) fn bills(hours: &str, amount: &str, sheets: usize) -> String {
    match sheets {
        1 => format!("{hours} hours of 1 timesheet, {amount} before taxes"),
        _ => format!("{hours} hours of {sheets} timesheets, {amount} before taxes"),
    }
}

pub(crate) const BILLS_DETAIL: &str = "Billable rows of submitted timesheets that no invoice has. They count as billed once the invoice is \
     submitted; taxes and terms the ERP fills in.";

pub(crate) fn rounds(rows: &str, hours: &str) -> String {
    format!("The rows of the invoice add up to {rows}, the hours to {hours}")
}

pub(crate) const ROUNDS_DETAIL: &str = "The ERP multiplies and rounds again; amounts of timesheets that were rounded or changed differ.";
