//! Texts that all tools that write share.

pub(crate) fn black_type(doctype: &str) -> String {
    format!("Documents of type {doctype} are never written from here.")
}

pub(crate) fn lacks_right(right: &str, doctype: &str) -> String {
    format!("The ERP user of this key lacks the right {right} on {doctype}.")
}

pub(crate) fn has_changed(name: &str, modified: &str, by: &str, fields: &[String]) -> String {
    let what = if fields.is_empty() {
        String::new()
    } else {
        format!(" Changed: {}.", fields.join(", "))
    };
    format!("{name} has changed since you read it ({modified} by {by}).{what} Read it again.")
}

pub(crate) fn cannot_look(reason: &str) -> String {
    format!("The ERP cannot be asked: {reason}.")
}

pub(crate) fn outcome_unknown(what: &str) -> String {
    format!("It is unknown whether it was done. {what}")
}

pub(crate) fn input_does_not_fit(error: &serde_json::Error) -> String {
    format!("The input does not fit: {error}.")
}
