//! The model, traced: one span for each call, below the turn that makes it.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::SystemTime,
};

use agent::ports::{Correlation, Model, ModelError, ModelEvent, ModelRequest};
use futures::{
    StreamExt,
    stream::{BoxStream, Stream},
};
use otlp::{
    AttributeValue, FinishedSpan, SpanContext, SpanId, SpanKind, TraceId, attribute, operation,
};
use protocol::{Cost, ErrorBody, ModelChoice, StopReason, Usage};

use super::{Telemetry, TracedTurn, nanoseconds, own, request_context};
use crate::metrics::labels;

type Answered = Result<ModelEvent, ModelError>;

/// The vendor whose API is spoken, whoever answers.
const PROVIDER: &str = "anthropic";

/// A model whose calls are traced.
pub(crate) struct TracedModel {
    model: Arc<dyn Model>,
    telemetry: Telemetry,
    /// The host that answers.
    server: Option<Arc<str>>,
}

impl TracedModel {
    pub(crate) fn new(
        model: Arc<dyn Model>,
        telemetry: Telemetry,
        server: Option<Arc<str>>,
    ) -> Self {
        Self {
            model,
            telemetry,
            server,
        }
    }
}

impl Model for TracedModel {
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Answered> {
        let of = request.correlation.as_ref();
        let call = TracedCall {
            turn: of.and_then(|of| self.telemetry.turn_of(of)),
            telemetry: self.telemetry.clone(),
            server: self.server.clone(),
            correlation: request.correlation.clone(),
            model: request.model.clone(),
            max_tokens: request.max_tokens,
            begun: SystemTime::now(),
            first: None,
            usage: Usage::default(),
            stop: None,
            id: None,
            response: None,
            response_model: None,
            error: Some("cancelled"),
            recorded: false,
        };
        let answer = self.model.ask(request);
        TracedAnswer { answer, call }.boxed()
    }

    fn offers(&self, choice: &ModelChoice, usual: &str) -> Result<Option<u64>, ErrorBody> {
        self.model.offers(choice, usual)
    }

    fn reads_images(&self, model: &str) -> Option<bool> {
        self.model.reads_images(model)
    }

    fn cost(&self, model: &str, usage: &Usage) -> Option<Cost> {
        self.model.cost(model, usage)
    }
}

/// The answer as it streams. A piece of text costs one comparison.
struct TracedAnswer {
    answer: BoxStream<'static, Answered>,
    call: TracedCall,
}

impl Stream for TracedAnswer {
    type Item = Answered;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answered>> {
        let item = ready!(self.answer.as_mut().poll_next(cx));
        match &item {
            Some(Ok(ModelEvent::Delta { .. })) if self.call.first.is_some() => {}
            Some(item) => self.call.note(item),
            None => {}
        }
        Poll::Ready(item)
    }
}

/// The state of a call. Its span ends with it, or when the stream is dropped.
struct TracedCall {
    telemetry: Telemetry,
    server: Option<Arc<str>>,
    turn: Option<TracedTurn>,
    correlation: Option<Correlation>,
    model: String,
    max_tokens: u32,
    begun: SystemTime,
    /// Time at which the first piece of the answer came.
    first: Option<SystemTime>,
    usage: Usage,
    stop: Option<StopReason>,
    /// The vendor's id of the request.
    id: Option<String>,
    /// The vendor's id of the answer.
    response: Option<String>,
    response_model: Option<String>,
    error: Option<&'static str>,
    recorded: bool,
}

impl Drop for TracedCall {
    fn drop(&mut self) {
        self.record();
    }
}

impl TracedCall {
    fn note(&mut self, item: &Answered) {
        match item {
            Ok(ModelEvent::BlockStarted { .. } | ModelEvent::Delta { .. }) => {
                self.first.get_or_insert_with(SystemTime::now);
            }
            Ok(ModelEvent::Usage(usage)) => self.usage = *usage,
            Ok(ModelEvent::Finished(reply)) => {
                self.usage = reply.usage;
                self.stop = Some(reply.stop);
                self.id.clone_from(&reply.request_id);
                self.response.clone_from(&reply.id);
                self.response_model.clone_from(&reply.model);
                self.error = None;
                self.record();
            }
            Ok(_) => {}
            Err(error) => {
                if error.usage != Usage::default() {
                    self.usage = error.usage;
                }
                self.id.clone_from(&error.request_id);
                self.error = Some(labels::model_error(error.kind));
                self.record();
            }
        }
    }

    fn record(&mut self) {
        if std::mem::replace(&mut self.recorded, true) {
            return;
        }
        let random = rand::random::<u64>().to_string();
        let request = self.correlation.as_ref().map(request_context);
        // A title is asked for beside the turn, and maybe after it.
        let above = self.turn.map(|turn| turn.context).or(request);
        let trace = above.map(|above| above.trace);
        let model = self.telemetry.0.metrics.model(&self.model);
        let span = FinishedSpan {
            context: SpanContext {
                trace: trace.unwrap_or_else(|| TraceId::of(&["model", &random])),
                span: SpanId::of(&["model", &random]),
            },
            parent: above.map(|above| above.span),
            name: format!("{} {model}", operation::CHAT),
            kind: SpanKind::Client,
            start: nanoseconds(self.begun),
            end: nanoseconds(SystemTime::now()),
            attributes: self.attributes(&model),
            links: Vec::new(),
            failed: self.error.is_some_and(|error| error != "cancelled"),
        };
        self.telemetry.0.queue.push(span);
    }

    fn attributes(&self, model: &str) -> Vec<(&'static str, AttributeValue)> {
        let Usage {
            output,
            cache_read,
            cache_write,
            ..
        } = self.usage;
        let mut attributes = vec![
            (attribute::OPERATION, operation::CHAT.into()),
            (attribute::PROVIDER, PROVIDER.into()),
            (attribute::REQUEST_MODEL, model.into()),
            (
                attribute::REQUEST_MAX_TOKENS,
                u64::from(self.max_tokens).into(),
            ),
            (attribute::INPUT_TOKENS, self.usage.total_input().into()),
            (attribute::OUTPUT_TOKENS, output.into()),
            (attribute::CACHE_READ_TOKENS, cache_read.into()),
            (attribute::CACHE_WRITE_TOKENS, cache_write.into()),
        ];
        if let Some(first) = self.first {
            let waited = first.duration_since(self.begun).unwrap_or_default();
            let waited = AttributeValue::Fraction(waited.as_secs_f64());
            attributes.push((attribute::TIME_TO_FIRST_CHUNK, waited));
        }
        if let Some(stop) = self.stop {
            let reasons = AttributeValue::Texts(vec![stop_word(stop).to_owned()]);
            attributes.push((attribute::FINISH_REASONS, reasons));
        }
        if let Some(turn) = self.turn {
            attributes.push((
                attribute::CONVERSATION,
                turn.conversation.to_string().into(),
            ));
        }
        if let Some(server) = &self.server {
            attributes.push((attribute::SERVER, (&**server).into()));
        }
        if let Some(correlation) = &self.correlation {
            attributes.push((own::CORRELATION, correlation.as_str().into()));
        }
        if let Some(id) = &self.id {
            attributes.push((own::MODEL_REQUEST, id.as_str().into()));
        }
        if let Some(response) = &self.response {
            attributes.push((attribute::RESPONSE_ID, response.as_str().into()));
        }
        if let Some(model) = &self.response_model {
            attributes.push((attribute::RESPONSE_MODEL, model.as_str().into()));
        }
        if let Some(error) = self.error {
            attributes.push((attribute::ERROR, error.into()));
        }
        attributes
    }
}

fn stop_word(stop: StopReason) -> &'static str {
    match stop {
        StopReason::EndTurn => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::ContextWindow => "context_window",
        StopReason::Refusal => "refusal",
        StopReason::Pause => "pause",
        StopReason::Cancelled => "cancelled",
        StopReason::Interrupted => "interrupted",
        StopReason::Unknown => "unknown",
    }
}
