//! Texts about what is out of reach.

pub(crate) fn secret_type(name: &str) -> String {
    format!(
        "Documents of type {name:?} hold secrets or records of people; they are never read here."
    )
}

pub(crate) fn sensitive_type(name: &str) -> String {
    format!(
        "{name:?} is a payroll, clinical or bank type; list it in readable_types to allow reading."
    )
}

pub(crate) fn company_out_of_reach(name: &str) -> String {
    format!("The company {name:?} is not among the configured companies.")
}

pub(crate) fn table_type(name: &str) -> String {
    format!("{name:?} is the type of a table's rows; read the document that has the table.")
}

pub(crate) fn is_protected(object: &str) -> String {
    format!("{object} is protected by the configuration.")
}
