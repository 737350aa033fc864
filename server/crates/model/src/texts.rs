//! Sentences of failures and of the trials: findings for people, and questions for the model.

use std::time::Duration;

use agent::ports::ModelErrorKind;

pub(crate) const SPEND_LIMIT_REACHED: &str = "A spend limit of the account is reached";
pub(crate) const MALFORMED_LIST: &str = "The list of models is malformed.";

/// Without its full stop: a detail may follow.
pub(crate) fn of_failure(kind: ModelErrorKind) -> &'static str {
    match kind {
        ModelErrorKind::Authentication => "The model's server refused the key",
        ModelErrorKind::Permission => {
            "The account of the key may not use this model, or has no credit"
        }
        ModelErrorKind::NotFound => "The model does not exist, or has been retired",
        ModelErrorKind::Address => "The model's base URL is wrong",
        ModelErrorKind::RateLimited => "The model's server asks to slow down",
        ModelErrorKind::Overloaded => "The model is overloaded",
        ModelErrorKind::Unreachable => "There is no connection to the model's server",
        ModelErrorKind::Timeout => "The model's server fell silent",
        ModelErrorKind::ContextOverflow => "The conversation is longer than the model can read",
        ModelErrorKind::InvalidRequest => "The model's server refused the request as invalid",
        ModelErrorKind::Protocol => "The model's answer broke the protocol or ended early",
        ModelErrorKind::Failed => "The model's server failed",
    }
}

pub(crate) fn with_detail(sentence: &str, detail: &str) -> String {
    if detail.is_empty() {
        format!("{sentence}.")
    } else {
        format!("{sentence}: {detail}.")
    }
}

pub(crate) fn again_after(message: &str, date: &str) -> String {
    format!("{message} Try again after {date}.")
}
