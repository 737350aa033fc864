//! Sentences of the server for people: webhooks.

use std::fmt::Display;

pub(crate) fn about(endpoint: &str) -> String {
    format!("webhook {endpoint}")
}

pub(crate) fn fails_for_days(endpoint: &str) -> String {
    format!(
        "The webhook {endpoint} is disabled: for 5 days no message was delivered. Restart the server \
         once its receiver works again."
    )
}

pub(crate) fn wants_no_more(endpoint: &str) -> String {
    format!(
        "The webhook {endpoint} is disabled: its receiver answered that it wants no more messages \
         (410). Change its address or remove it from the configuration, then restart the server."
    )
}

pub(crate) fn cannot_start(endpoint: &str) -> String {
    format!("the webhook {endpoint} cannot be started")
}

pub(crate) fn secret_is_wrong(path: &impl Display, why: &impl Display) -> String {
    format!("{path}: {why}")
}

pub(crate) fn no_such_endpoint(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("there is no webhook {name} in the configuration"),
        None => "there are no webhooks in the configuration".to_owned(),
    }
}

pub(crate) fn test_delivered(endpoint: &str) -> String {
    format!("{endpoint}: delivered")
}

pub(crate) fn test_gone(endpoint: &str) -> String {
    format!("{endpoint}: the receiver wants no more messages (410)")
}

pub(crate) fn test_failed(endpoint: &str, why: &impl Display) -> String {
    format!("{endpoint}: not delivered, {why}")
}
