//! Texts about calls whose outcome has to be found out.

pub(crate) fn may_still_work(name: &str) -> String {
    format!("{name} is still as it was, and the ERP may be working on it.")
}

pub(crate) fn changed_by_and_may_still_work(name: &str, by: Option<&str>) -> String {
    let changed = changed_by(name, by);
    format!("{changed} The ERP may still be working on it.")
}

pub(crate) fn has_not_changed(name: &str) -> String {
    format!("{name} has not changed since.")
}

pub(crate) fn changed_otherwise(name: &str, status: &str) -> String {
    format!("{name} is still {status}, although somebody has changed it since.")
}

pub(crate) fn changed_by(name: &str, by: Option<&str>) -> String {
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    format!("{name} was changed{by} since, and does not show this step.")
}

pub(crate) fn is_status(name: &str, status: &str) -> String {
    format!("{name} is {status} now.")
}

pub(crate) const LOOKING: &str = "The ERP's answer was lost; looking at the document";
pub(crate) const LOOK_FIRST: &str = "Look with get_doc before you try again.";
