//! Answers to orders that are withdrawn.

use super::{ending, units};
use crate::{
    planner::{plan::PlanContext, view::Done},
    texts::orders,
};

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
            Some(name) => orders::left_as_it_is(&units::safe(name)),
            None => orders::I_HAVE_DONE_NOTHING.to_owned(),
        };
    }
    let Some(done) = context.view.earlier.iter().rev().find(acts) else {
        return orders::NOTHING_TO_CANCEL.to_owned();
    };
    let end = ending::ended(context, done);
    let end = end.split("\n\n").next().unwrap_or_default();
    let is_undone = ["denied", "withdrawn", "expired", "blocked"]
        .iter()
        .any(|sign| done.data[sign].is_string());
    if is_undone {
        orders::nothing_else_under_way(end)
    } else {
        orders::already_over(end)
    }
}
