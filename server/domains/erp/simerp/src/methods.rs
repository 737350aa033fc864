//! Methods by their dotted path. Each is a function over the books and its arguments.

mod client;
mod defaults;
mod forms;
mod making;
mod preview;
mod shop_floor;
mod workflow;

use serde_json::{Map, Value};

use crate::books::SimBooks;
use crate::refusal::{SimRefusal, SimResult, forbidden, invalid};
use crate::wire::Args;

pub(crate) use self::client::SUBMIT_ELSEWHERE;
pub(crate) use self::defaults::OF_ALL as DEFAULT_OF_ALL;
pub(crate) use self::forms::meta_of;

/// The answer of a method.
pub(crate) enum MethodAnswer {
    /// Under `message`, or `data` in version 2.
    Message(Value),
    /// Members of the answer itself.
    Root(Map<String, Value>),
}

impl From<Value> for MethodAnswer {
    fn from(value: Value) -> Self {
        Self::Message(value)
    }
}

/// A method does not write, or it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodVerb {
    Reads,
    Writes,
}

type Function = fn(&mut SimBooks, &Args) -> SimResult<MethodAnswer>;

/// A method: path, verb, and if guests may call it.
type MethodRow = (&'static str, MethodVerb, Function);

const TABLES: [&[MethodRow]; 7] = [
    client::METHODS,
    defaults::METHODS,
    forms::METHODS,
    making::METHODS,
    preview::METHODS,
    shop_floor::METHODS,
    workflow::METHODS,
];

/// Methods that need no sign-in.
const FOR_GUESTS: [&str; 2] = ["ping", "frappe.ping"];

/// Calls a method.
pub(crate) fn call(
    books: &mut SimBooks,
    path: &str,
    verb: &str,
    args: &Args,
) -> SimResult<MethodAnswer> {
    let found = TABLES
        .into_iter()
        .flatten()
        .find(|(name, ..)| *name == path);
    let Some((_, kind, function)) = found else {
        return Err(unknown(path));
    };
    if books.user == "Guest" && !FOR_GUESTS.contains(&path) {
        return Err(forbidden(format!(
            "Function <strong>{path}</strong> is not whitelisted."
        )));
    }
    let strict = books.profile == crate::books::SimErpProfile::V16Verbs;
    if strict && *kind == MethodVerb::Writes && verb != "POST" {
        return Err(forbidden("Not permitted"));
    }
    function(books, args)
}

fn unknown(path: &str) -> SimRefusal {
    invalid(
        "ValidationError",
        format!("Failed to get method for command {path} with no such attribute"),
    )
}

/// A mandatory argument.
fn need(args: &Args, name: &str) -> SimResult<String> {
    let value = args.text(name);
    if value.is_empty() {
        return Err(crate::refusal::crashed(
            "TypeError",
            format!("missing 1 required positional argument: '{name}'"),
        ));
    }
    Ok(value)
}
