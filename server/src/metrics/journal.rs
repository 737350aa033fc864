//! The listener on the journal.

use std::{sync::PoisonError, time::Duration};

use agent::ports::{Durability, ObservedCall, ObservedEvent, Observer};
use protocol::{CallId, EventBody, Timestamp};

use super::{
    MOST_WAITS, Metrics,
    labels::{self, CallLabels, ToolLabels, TurnLabels, VerdictLabels, WriteLabels},
};
use crate::outcomes::turn_word;

impl Observer for Metrics {
    fn wrote(&self, durability: Durability, took: Duration) {
        let labels = WriteLabels {
            durability: labels::durability(durability),
        };
        let times = self.0.figures.append_seconds.get_or_create(&labels);
        times.observe(took.as_secs_f64());
    }

    fn recorded(&self, event: ObservedEvent<'_>) {
        let ObservedEvent { body, at, call, .. } = event;
        let figures = &self.0.figures;
        let tool = |call: Option<ObservedCall<'_>>| self.tool(call.map_or("", |call| call.tool));
        match body {
            EventBody::TurnFinished { outcome, .. } => {
                let outcome = turn_word(outcome);
                figures.turns.get_or_create(&TurnLabels { outcome }).inc();
            }
            EventBody::ToolBlocked { tier, .. } => {
                let labels = CallLabels {
                    tool: tool(call),
                    tier: labels::tier(*tier),
                    outcome: "blocked",
                };
                figures.tool_calls.get_or_create(&labels).inc();
            }
            EventBody::ToolFinished {
                outcome,
                elapsed_ms,
                ..
            } => {
                let tool = tool(call);
                let labels = CallLabels {
                    tool: tool.clone(),
                    tier: labels::tier(call.and_then(|call| call.tier)),
                    outcome: labels::call(outcome),
                };
                figures.tool_calls.get_or_create(&labels).inc();
                let tool = ToolLabels { tool };
                if labels.outcome == labels::UNKNOWN {
                    let times = &figures.tool_unknown_timestamp_seconds;
                    times.get_or_create(&tool).set(at.0 as f64 / 1_000.0);
                }
                let times = figures.tool_seconds.get_or_create(&tool);
                times.observe(Duration::from_millis(*elapsed_ms).as_secs_f64());
            }
            EventBody::ConfirmationRequested { call, .. } => self.asked(*call, at),
            EventBody::ConfirmationDecided {
                call: id, verdict, ..
            } => {
                let labels = VerdictLabels {
                    tier: labels::tier(call.and_then(|call| call.tier)),
                    verdict: labels::verdict(verdict),
                };
                figures.confirmations.get_or_create(&labels).inc();
                self.decided(*id, at);
            }
            _ => {}
        }
    }
}

impl Metrics {
    /// A card that is asked again goes on waiting.
    pub(super) fn asked(&self, call: CallId, at: Timestamp) {
        let mut waits = self.0.waits.lock().unwrap_or_else(PoisonError::into_inner);
        // Cards of conversations that were deleted stay here, and must not grow without end.
        if waits.len() < MOST_WAITS {
            waits.entry(call).or_insert(at);
        }
    }

    fn decided(&self, call: CallId, at: Timestamp) {
        let mut waits = self.0.waits.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = waits.remove(&call);
        drop(waits);
        if let Some(asked) = asked {
            let waited = at.0.saturating_sub(asked.0);
            let waited = Duration::from_millis(u64::try_from(waited).unwrap_or_default());
            let times = &self.0.figures.confirmation_wait_seconds;
            times.observe(waited.as_secs_f64());
        }
    }
}
