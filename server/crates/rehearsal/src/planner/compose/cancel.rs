//! Answers to orders that are withdrawn.

use super::{ending, units};
use crate::planner::{plan::PlanContext, view::Done};

/// The answer: the outcome of the last order.
pub(super) fn told(context: PlanContext<'_>) -> String {
    let acts = |done: &&Done| {
        context
            .toolbox
            .card(&done.name)
            .is_none_or(|card| !card.reads)
    };
    // The order and its end in the same words: nothing was begun.
    let orders = context
        .ask
        .action
        .as_ref()
        .is_some_and(|action| !action.verbs.contains(&"cancel"));
    if orders {
        let named = context
            .ask
            .named
            .iter()
            .filter_map(|record| record.name.as_deref());
        let strange = context.ask.strangers.iter().map(|it| it.word.as_str());
        return match named.chain(strange).next() {
            Some(name) => format!("Very well, sir: I leave {} as it is.", units::safe(name)),
            None => "Very well, sir: I have done nothing.".to_owned(),
        };
    }
    let Some(done) = context.view.earlier.iter().rev().find(acts) else {
        return "There is nothing to cancel, sir: nothing is under way.".to_owned();
    };
    let end = ending::ended(context, done);
    let end = end.split("\n\n").next().unwrap_or_default();
    let is_undone = ["denied", "withdrawn", "expired", "blocked"]
        .iter()
        .any(|sign| done.data[sign].is_string());
    if is_undone {
        format!("{end} Nothing else is under way.")
    } else {
        format!("That is over, sir: {end} Nothing else is under way.")
    }
}
