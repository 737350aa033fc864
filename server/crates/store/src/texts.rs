//! Sentences for people that the store makes, in one place, so that another language is another such module.

use std::fmt::Display;

pub(crate) const ROW_IS_MISSING: &str = "the row is missing";

pub(crate) const ROW_IS_SURPLUS: &str = "the row does not belong to the chain";

pub(crate) const ROW_DOES_NOT_FOLLOW: &str = "the row does not follow the one before it";

pub(crate) const ROW_WAS_CHANGED: &str = "the row was changed";

pub(crate) const CHAIN_ENDS_WITHOUT_HASH: &str =
    "the chain ends without the expected hash: rows are missing or replaced";

pub(crate) const TOOL_CALL: &str = "A tool call";

pub(crate) const BELONGS_TO_ANOTHER_USER: &str = "it belongs to another user";

pub(crate) const IS_FOR_EVERYBODY: &str = "it is a folder for everybody";

pub(crate) fn is_open_and_holds(name: &impl Display) -> String {
    format!("other users can open it, and it also holds {name}")
}

pub(crate) const IS_OPEN_TO_OTHERS: &str = "other users can open it";
