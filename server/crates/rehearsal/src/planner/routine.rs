//! Rules of a domain's own, and what they need to read words and to write answers.
//!
//! A domain hands them in with its tools ([`Area::routine`]), and they are asked before the rules for all
//! tools. They know the tools as everything here does: by name, schema and result. What they plan is called
//! through the server, whose gate decides on it as on any other call.

use serde_json::Value;

use super::area::Area;
use crate::{
    reply::Block,
    validate::{self, Endpoint, headers::Version},
};

pub use super::{
    Call,
    action::exception,
    area::{Routine, RoutineStep},
    compose::section::failure,
    fill::phrase::phrase,
    span::is_span,
    view::{Done, Tool, View},
    words::{is_filler, original, words},
};
pub use crate::clock::seconds;

/// Values of results in words.
pub mod units {
    pub use crate::planner::compose::units::{code, label, safe, value};
}

/// True if a routine is for the newest words.
pub(super) fn is_for(view: &View<'_>) -> bool {
    next(view, true).is_some()
}

/// The next step of the first routine that has one.
pub(super) fn next(view: &View<'_>, may_call: bool) -> Option<RoutineStep> {
    let mut routines = view.areas.iter().filter_map(|area| area.routine);
    routines.find_map(|routine| routine.next(view, may_call))
}

/// The blocks of an answer to the body of a request, without a server: for the tests of a routine. None if
/// the request is not valid.
pub fn answered(body: &Value, areas: &[Area]) -> Option<Vec<Block>> {
    let request = validate::body(body, Endpoint::Messages, Version::V2026, true).ok()?;
    Some(super::answer(&request, areas))
}
