#![doc = include_str!("../README.md")]

mod chart;
mod texts;

use rehearsal::routine::{Routine, RoutineStep, View};

/// The rules for charts.
#[derive(Debug, Clone, Copy)]
pub struct ChartRoutine;

impl Routine for ChartRoutine {
    fn next(&self, view: &View<'_>, may_call: bool) -> Option<RoutineStep> {
        chart::next(view, may_call)
    }

    fn is_meant(&self, question: &str, names: &[String]) -> bool {
        chart::asks_for_price(question, names)
    }
}

#[cfg(test)]
mod tests;
