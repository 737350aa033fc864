//! The model, measured: requests, the time to the first token, usage and cost.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use agent::ports::{Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest};
use futures::{
    StreamExt,
    stream::{BoxStream, Stream},
};
use protocol::{Cost, ErrorBody, ErrorCode, ModelChoice, Usage};
use tokio::time::Instant;

use super::{
    Metrics, Reachability,
    labels::{self, ModelLabels, RequestLabels, TokenLabels},
};

type Answered = Result<ModelEvent, ModelError>;

/// A model whose calls are measured.
pub(crate) struct MeasuredModel {
    model: Arc<dyn Model>,
    metrics: Metrics,
}

impl MeasuredModel {
    pub(crate) fn new(model: Arc<dyn Model>, metrics: Metrics) -> Self {
        Self { model, metrics }
    }
}

impl Model for MeasuredModel {
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Answered> {
        let call = MeasuredCall {
            id: request.model.clone(),
            model: Arc::clone(&self.model),
            metrics: self.metrics.clone(),
            asked: Instant::now(),
            begun: false,
            usage: Usage::default(),
            outcome: "cancelled",
            recorded: false,
        };
        let answer = self.model.ask(request);
        MeasuredAnswer { answer, call }.boxed()
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
struct MeasuredAnswer {
    answer: BoxStream<'static, Answered>,
    call: MeasuredCall,
}

impl Stream for MeasuredAnswer {
    type Item = Answered;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answered>> {
        let item = ready!(self.answer.as_mut().poll_next(cx));
        match &item {
            Some(Ok(ModelEvent::Delta { .. })) if self.call.begun => {}
            Some(item) => self.call.note(item),
            None => {}
        }
        Poll::Ready(item)
    }
}

/// The state of a call. It is recorded at its end, or when the stream is dropped, so that an answer that a
/// person stopped counts as well.
struct MeasuredCall {
    id: String,
    model: Arc<dyn Model>,
    metrics: Metrics,
    asked: Instant,
    /// A piece of the answer has come.
    begun: bool,
    usage: Usage,
    outcome: &'static str,
    recorded: bool,
}

impl Drop for MeasuredCall {
    fn drop(&mut self) {
        self.record();
    }
}

impl MeasuredCall {
    fn note(&mut self, item: &Answered) {
        match item {
            Ok(ModelEvent::BlockStarted { .. } | ModelEvent::Delta { .. }) if !self.begun => {
                self.begun = true;
                let times = &self.metrics.0.figures.model_first_token_seconds;
                times.observe(self.asked.elapsed().as_secs_f64());
                self.metrics.note_model(Reachability::Up);
            }
            // It waits for a limit to pass, or for a model that is not there.
            Ok(ModelEvent::Waiting { error, .. }) if error.code != ErrorCode::ModelRateLimited => {
                self.metrics.note_model(Reachability::Away);
            }
            Ok(ModelEvent::Usage(usage)) => self.usage = *usage,
            Ok(ModelEvent::Finished(reply)) => {
                self.usage = reply.usage;
                self.outcome = "answered";
                self.metrics.note_model(Reachability::Up);
                self.record();
            }
            Ok(_) => {}
            Err(error) => {
                // As the engine counts it: what a failed call has used is paid for as well.
                if error.usage != Usage::default() {
                    self.usage = error.usage;
                }
                self.outcome = labels::model_error(error.kind);
                self.metrics.note_model(reach(error.kind));
                self.record();
            }
        }
    }

    fn record(&mut self) {
        if std::mem::replace(&mut self.recorded, true) {
            return;
        }
        let figures = &self.metrics.0.figures;
        let model = self.metrics.model(&self.id);
        let labels = RequestLabels {
            model: model.clone(),
            outcome: self.outcome,
        };
        figures.model_requests.get_or_create(&labels).inc();
        if self.usage == Usage::default() {
            return;
        }
        for (kind, tokens) in [
            ("input", self.usage.input),
            ("output", self.usage.output),
            ("cache_read", self.usage.cache_read),
            ("cache_write", self.usage.cache_write),
        ] {
            let labels = TokenLabels {
                model: model.clone(),
                kind,
            };
            figures.tokens.get_or_create(&labels).inc_by(tokens);
        }
        if let Some(Cost(micros)) = self.model.cost(&self.id, &self.usage) {
            let cost = figures.cost_dollars.get_or_create(&ModelLabels { model });
            cost.inc_by(micros as f64 / 1_000_000.0);
        }
    }
}

/// A model that refuses a request is there. One whose server fails, or whose answer cannot be read, answers nobody.
fn reach(kind: ModelErrorKind) -> Reachability {
    match kind {
        ModelErrorKind::Authentication
        | ModelErrorKind::Permission
        | ModelErrorKind::Address
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Unreachable
        | ModelErrorKind::Timeout
        | ModelErrorKind::Protocol
        | ModelErrorKind::Failed => Reachability::Away,
        ModelErrorKind::NotFound
        | ModelErrorKind::RateLimited
        | ModelErrorKind::ContextOverflow
        | ModelErrorKind::InvalidRequest => Reachability::Up,
    }
}
