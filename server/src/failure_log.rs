//! Lines of the log about calls and turns that failed, with the id of the request that they come of.
//!
//! One for each failure, so that the id of an error leads to it. What a tool, a system or a model said is in none: it
//! is text from outside.

use std::time::Duration;

use agent::ports::{Durability, ObservedEvent, Observer};
use protocol::{EventBody, ToolOutcome, TurnOutcome};

use crate::{metrics::Metrics, outcomes::code_word};

/// Logs failures, and passes everything on to the listener that measures.
pub(crate) struct FailureLog<O> {
    metrics: Metrics,
    next: O,
}

impl<O: Observer> FailureLog<O> {
    pub(crate) fn before(next: O, metrics: Metrics) -> Self {
        Self { metrics, next }
    }

    fn log(&self, event: &ObservedEvent<'_>) {
        let conversation = event.conversation;
        let correlation = event.correlation.map(tracing::field::display);
        // A name that a model made up is text from outside as well.
        let tool = || self.metrics.tool(event.call.map_or("", |call| call.tool));
        match event.body {
            EventBody::ToolBlocked { call, reason, .. } => tracing::info!(
                %conversation,
                %call,
                tool = %tool(),
                reason = %code_word(reason),
                correlation,
                "a call was blocked"
            ),
            EventBody::ToolFinished {
                call,
                outcome: ToolOutcome::Failed { error },
                ..
            } => tracing::info!(
                %conversation,
                %call,
                tool = %tool(),
                code = %code_word(&error.code),
                correlation,
                "a call failed"
            ),
            EventBody::ToolFinished {
                call,
                outcome: ToolOutcome::OutcomeUnknown { .. },
                ..
            } => tracing::warn!(
                %conversation,
                %call,
                tool = %tool(),
                correlation,
                "the outcome of a call is unknown"
            ),
            EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Failed { error },
                ..
            } => tracing::info!(
                %conversation,
                %turn,
                code = %code_word(&error.code),
                correlation,
                "a turn failed"
            ),
            EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Limited { error },
                ..
            } => tracing::info!(
                %conversation,
                %turn,
                code = %code_word(&error.code),
                correlation,
                "a turn ended at a limit"
            ),
            _ => {}
        }
    }
}

impl<O: Observer> Observer for FailureLog<O> {
    fn wrote(&self, durability: Durability, took: Duration) {
        self.next.wrote(durability, took);
    }

    fn recorded(&self, event: ObservedEvent<'_>) {
        self.log(&event);
        self.next.recorded(event);
    }
}
