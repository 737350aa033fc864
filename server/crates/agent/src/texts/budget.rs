//! Sentences for people: budgets.

pub(crate) fn is_partly_used(percent: u128, scope: &str, used: &str, limit: &str) -> String {
    format!("{percent} % of the budget {scope} is used: {used} of {limit}.")
}

pub(crate) const SCOPE_CONVERSATION: &str = "of this conversation";

pub(crate) const SCOPE_DAY: &str = "that you have for today (UTC)";

pub(crate) const SCOPE_UNKNOWN: &str = "that holds here";

pub(crate) fn is_used_up(scope: &str, used: &str, limit: &str) -> String {
    format!("The budget {scope} is used up: {used} of {limit}.")
}

pub(crate) fn and_unpriced(tokens: &str) -> String {
    format!(" Another {tokens} tokens had no known price and are not in this sum.")
}

pub(crate) const RESETS_AT_MIDNIGHT: &str = " It resets at midnight (UTC).";

pub(crate) fn help(key: &str, until: &str) -> String {
    format!(
        "An admin can raise it: Settings, Model, or {key}_cents and {key}_tokens in jarvis.toml. \
         Results so far are kept, and you can continue then.{until}"
    )
}
