//! Rows of what happened, as the tool that tells of it returned them.

use serde_json::Value;

use super::{flat_row::FlatRow, gather, naming, units};
use crate::planner::{
    plan::PlanContext,
    words::{close, meaning, words},
};

/// The first list of what happened, under its name; none if it was not read.
pub(super) fn read(context: PlanContext<'_>) -> Option<(String, Vec<FlatRow>)> {
    let card = context.toolbox.happenings()?;
    let mut done = context.view.done.iter();
    let read = done.find(|done| done.name == card.tool.name && !done.is_error)?;
    gather::lists_of(read).into_iter().next()
}

/// True for a row of the kind that the question names.
pub(super) fn is_of(row: &FlatRow, context: PlanContext<'_>) -> bool {
    let text = naming::cell(row, "what")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let said = words(text);
    context
        .ask
        .content
        .iter()
        .any(|word| said.iter().any(|own| close(&meaning(own), word)))
}

/// The start of a row in words, such as ` at 25 Nov, 02:02 UTC`; empty if it is unknown.
pub(super) fn at(row: &FlatRow) -> String {
    let at = naming::cell(row, "started_at").map(|at| units::value("started_at", at));
    at.map_or(String::new(), |at| format!(" at {at}"))
}
