//! All figures, with their names.

use std::sync::{Arc, atomic::AtomicU64};

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::Registry,
};
use protocol::{Tier, Verdict};

use super::labels::{
    self, CallLabels, DeliveryLabels, ModelLabels, RequestLabels, SpanLabels, TargetLabels,
    TokenLabels, ToolLabels, TurnLabels, VerdictLabels, WriteLabels,
};

/// Seconds until the first token and of a tool's call: what feels immediate ends at 0.4, what feels
/// like one answer at 2.5.
const ANSWERS: [f64; 12] = [
    0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0,
];
/// Seconds of a write.
const WRITES: [f64; 10] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5,
];
/// Seconds that a card waits for a person; ten minutes is the default limit.
const WAITS: [f64; 9] = [2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 3600.0];

/// A gauge that may not be known.
type Unsure = Gauge<f64, AtomicU64>;

#[derive(Debug)]
pub(super) struct FigureSet {
    pub(super) turns: Family<TurnLabels, Counter>,
    pub(super) model_requests: Family<RequestLabels, Counter>,
    pub(super) model_first_token_seconds: Histogram,
    pub(super) tokens: Family<TokenLabels, Counter>,
    pub(super) cost_dollars: Family<ModelLabels, Counter<f64, AtomicU64>>,
    pub(super) tool_calls: Family<CallLabels, Counter>,
    pub(super) tool_seconds: Family<ToolLabels, Histogram>,
    pub(super) tool_unknown_timestamp_seconds: Family<ToolLabels, Unsure>,
    pub(super) confirmations_open: Unsure,
    pub(super) confirmations: Family<VerdictLabels, Counter>,
    pub(super) confirmation_wait_seconds: Histogram,
    pub(super) append_seconds: Family<WriteLabels, Histogram>,
    pub(super) websockets: Gauge,
    pub(super) upstream_up: Family<TargetLabels, Gauge>,
    pub(super) kill_switch: Unsure,
    pub(super) webhook_deliveries: Family<DeliveryLabels, Counter>,
    pub(super) spans: Family<SpanLabels, Counter>,
}

impl FigureSet {
    /// Creates them under the names that Prometheus sees behind `jarvis_`. Counters get `_total` and
    /// the version `_info` from the format.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let figures = Self {
            turns: Family::default(),
            model_requests: Family::default(),
            model_first_token_seconds: answers(),
            tokens: Family::default(),
            cost_dollars: Family::default(),
            tool_calls: Family::default(),
            tool_seconds: Family::new_with_constructor(answers),
            tool_unknown_timestamp_seconds: Family::default(),
            confirmations_open: Unsure::default(),
            confirmations: Family::default(),
            confirmation_wait_seconds: Histogram::new(WAITS),
            append_seconds: Family::new_with_constructor(writes),
            websockets: Gauge::default(),
            upstream_up: Family::default(),
            kill_switch: Unsure::default(),
            webhook_deliveries: Family::default(),
            spans: Family::default(),
        };
        let version = Info::new(vec![("version", crate::VERSION)]);
        registry.register("build", "Version of the server", version);
        registry.register("turns", "Turns that have ended", figures.turns.clone());
        registry.register(
            "model_requests",
            "Requests to a model, retries not counted",
            figures.model_requests.clone(),
        );
        registry.register(
            "model_first_token_seconds",
            "Time from a request to the first piece of the answer, retries included",
            figures.model_first_token_seconds.clone(),
        );
        registry.register(
            "tokens",
            "Tokens that models read and wrote",
            figures.tokens.clone(),
        );
        registry.register(
            "cost_dollars",
            "Cost of models in US dollars, as far as their prices are known",
            figures.cost_dollars.clone(),
        );
        registry.register(
            "tool_calls",
            "Calls of tools that have ended or were blocked",
            figures.tool_calls.clone(),
        );
        registry.register(
            "tool_seconds",
            "Time from the start of a call to its end",
            figures.tool_seconds.clone(),
        );
        registry.register(
            "tool_unknown_timestamp_seconds",
            "Time at which a call last ended with an unknown outcome; absent if none has",
            figures.tool_unknown_timestamp_seconds.clone(),
        );
        registry.register(
            "confirmations_open",
            "Confirmations that wait for a person; NaN if unknown",
            figures.confirmations_open.clone(),
        );
        registry.register(
            "confirmations",
            "Confirmations that were decided, have expired or were withdrawn",
            figures.confirmations.clone(),
        );
        registry.register(
            "confirmation_wait_seconds",
            "Time from a request for confirmation to its end, within one run of the server",
            figures.confirmation_wait_seconds.clone(),
        );
        registry.register(
            "append_seconds",
            "Time of one write to the journal, by the fault that it survives",
            figures.append_seconds.clone(),
        );
        registry.register("websockets", "Open websockets", figures.websockets.clone());
        registry.register(
            "upstream_up",
            "1 if the model or a system answered last time, 0 if it did not; absent if unknown",
            figures.upstream_up.clone(),
        );
        registry.register(
            "kill_switch",
            "1 while the kill switch is on; NaN if unknown",
            figures.kill_switch.clone(),
        );
        registry.register(
            "webhook_deliveries",
            "Attempts to deliver a message of a webhook",
            figures.webhook_deliveries.clone(),
        );
        registry.register(
            "spans",
            "Spans of traces that the receiver has taken or that were dropped",
            figures.spans.clone(),
        );
        figures
    }

    /// Has the counters whose growth alerts look at begin at 0: the growth of a series that appears with its
    /// first event is not seen.
    pub(super) fn begin<'a>(&self, models: impl IntoIterator<Item = &'a Arc<str>>) {
        for tier in [Tier::Yellow, Tier::Red] {
            for verdict in [
                Verdict::Approved,
                Verdict::Denied { comment: None },
                Verdict::Expired,
                Verdict::Withdrawn,
            ] {
                let labels = VerdictLabels {
                    tier: labels::tier(Some(tier)),
                    verdict: labels::verdict(&verdict),
                };
                self.confirmations.get_or_create(&labels).inc_by(0);
            }
        }
        for model in models {
            let model = Arc::clone(model);
            let cost = self.cost_dollars.get_or_create(&ModelLabels { model });
            cost.inc_by(0.0);
        }
    }
}

fn answers() -> Histogram {
    Histogram::new(ANSWERS)
}

fn writes() -> Histogram {
    Histogram::new(WRITES)
}
