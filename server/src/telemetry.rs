//! Traces for OpenTelemetry: requests, turns, calls of models and of tools, effects.
//!
//! They are made by a listener on the journal's writes and one around the model, so the engine knows nothing of
//! them. Nothing that a person, a model or a system wrote is in a span, and no turn waits for one.

mod model;
mod turns;

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use agent::ports::{Correlation, Durability, ObservedEvent, Observer};
use anyhow::Context;
use otlp::{
    ExporterConfig, ExporterLimits, FinishedSpan, SpanContext, SpanExporter, SpanId, SpanKind,
    SpanOutcome, SpanQueue, TraceId, attribute, exporter,
};
use protocol::{ConversationId, Timestamp};

use crate::{config::TraceReceiver, metrics::Metrics, texts};
pub(crate) use model::TracedModel;
use turns::{SpanTool, TurnSpans};

/// Names of attributes of our own.
mod own {
    pub(super) const CORRELATION: &str = "jarvis.correlation";
    pub(super) const TURN: &str = "jarvis.turn.id";
    pub(super) const TIER: &str = "jarvis.tier";
    pub(super) const OUTCOME: &str = "jarvis.outcome";
    pub(super) const MODEL_REQUEST: &str = "jarvis.model_request";
}

/// The traces of a server. Clones share them.
#[derive(Clone)]
pub(crate) struct Telemetry(Arc<TelemetryState>);

struct TelemetryState {
    queue: SpanQueue,
    metrics: Metrics,
    /// The names of the tools of MCP servers.
    outside: HashSet<String>,
    turns: Mutex<TurnSpans>,
}

/// A turn that is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TracedTurn {
    context: SpanContext,
    conversation: ConversationId,
}

/// A request or a command that was answered.
pub(crate) struct TracedRequest<'a> {
    pub(crate) id: &'a Correlation,
    /// Of a closed set: a method and a route, or the kind of thing it is.
    pub(crate) name: String,
    pub(crate) begun: SystemTime,
    /// The status of the answer; none for a command.
    pub(crate) status: Option<u16>,
    pub(crate) failed: bool,
}

impl Telemetry {
    /// Prepares traces for a receiver, and the task that sends them. `outside` are the names of the tools of
    /// MCP servers, `now` is the server's start.
    pub(crate) fn prepare(
        receiver: TraceReceiver,
        metrics: Metrics,
        outside: HashSet<String>,
        now: Timestamp,
    ) -> anyhow::Result<(Self, SpanExporter)> {
        let TraceReceiver {
            collector,
            headers,
            service,
        } = receiver;
        let config = ExporterConfig {
            collector,
            headers,
            service,
            version: crate::VERSION,
            limits: ExporterLimits::default(),
        };
        let counted = metrics.clone();
        let count = move |outcome: SpanOutcome, spans: u64| {
            let outcome = match outcome {
                SpanOutcome::Sent => "sent",
                SpanOutcome::Dropped => "dropped",
            };
            counted.spans(outcome, spans);
        };
        let made = exporter(config, Arc::new(count));
        let (queue, exporter) = made.context(texts::start::TRACES_CANNOT_BE_SENT)?;
        let state = TelemetryState {
            queue,
            metrics,
            outside,
            turns: Mutex::new(TurnSpans::new(now)),
        };
        Ok((Self(Arc::new(state)), exporter))
    }

    /// Records a request that was answered now.
    pub(crate) fn request(&self, request: TracedRequest<'_>) {
        let mut attributes = vec![(own::CORRELATION, request.id.as_str().into())];
        if let Some(status) = request.status {
            attributes.push((attribute::HTTP_STATUS, u64::from(status).into()));
        }
        self.0.queue.push(FinishedSpan {
            context: request_context(request.id),
            parent: None,
            name: request.name,
            kind: SpanKind::Server,
            start: nanoseconds(request.begun),
            end: nanoseconds(SystemTime::now()),
            attributes,
            links: Vec::new(),
            failed: request.failed,
        });
    }

    /// The running turn that a request has begun.
    fn turn_of(&self, correlation: &Correlation) -> Option<TracedTurn> {
        let turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.running(correlation)
    }
}

impl Observer for Telemetry {
    fn wrote(&self, durability: Durability, took: Duration) {
        self.0.metrics.wrote(durability, took);
    }

    fn recorded(&self, event: ObservedEvent<'_>) {
        self.0.metrics.recorded(event);
        let known = |tool: &str| SpanTool {
            name: self.0.metrics.tool(tool),
            is_outside: self.0.outside.contains(tool),
        };
        let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let spans = turns.take(&event, &known);
        drop(turns);
        spans.into_iter().for_each(|span| self.0.queue.push(span));
    }
}

/// The place of a request's span. It follows from the id alone, so that a turn finds it, also in another
/// process.
fn request_context(correlation: &Correlation) -> SpanContext {
    let names = ["request", correlation.as_str()];
    SpanContext {
        trace: TraceId::of(&names),
        span: SpanId::of(&names),
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
