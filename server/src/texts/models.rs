//! Sentences of the server for people: the models on offer.

pub(crate) const IT_DID_NOT_ANSWER_IN_TIME: &str = "it did not answer in time.";

pub(crate) fn there_may_be_others(why: &str) -> String {
    format!("There may be others: the model’s server gives no list. {why}")
}

pub(crate) fn is_not_offered(id: &str) -> String {
    format!("The model {id} is not offered here.")
}

pub(crate) fn is_gone(id: &str) -> String {
    format!("The model {id} is gone, or the key may not use it.")
}

pub(crate) fn has_no_effort_setting(id: &str) -> String {
    format!("The model {id} has no effort setting.")
}

pub(crate) const CHOOSE_ANOTHER_MODEL: &str = "Choose another model for this conversation.";

pub(crate) const WITHOUT_NAME: &str = "without a name";

pub(crate) fn state_ends_on(state: &str, day: &str) -> String {
    format!("{state}, ends on {day}")
}

pub(crate) fn ends_on(day: &str) -> String {
    format!("ends on {day}")
}

pub(crate) fn checked(name: &str) -> String {
    format!("Model: {name}")
}

pub(crate) const TOKENS_MAY_BE_ESTIMATES: &str = "token counts may be estimates";

pub(crate) const COSTS_NOTHING: &str = "costs nothing";

pub(crate) fn price(from: &str, input: &str, output: &str, currency: &str) -> String {
    format!("{from}{input} in, {output} out for a million tokens of {currency}")
}
