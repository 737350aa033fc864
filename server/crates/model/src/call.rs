//! One call of the model: attempts, waits, and the answer as a stream.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agent::ports::{Correlation, ModelError, ModelErrorKind, ModelEvent};
use bytes::Bytes;
use protocol::{ErrorBody, Timestamp, Usage};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::accumulate::Accumulator;
use crate::client_state::ClientState;
use crate::estimate;
use crate::failure::{Failure, header, request_id};
use crate::reader::EventReader;
use crate::retry;
use crate::texts;

const DRAIN_TIMEOUT: Duration = Duration::from_millis(50);

/// The state of one call. Nothing runs beside it: dropping it closes the connection or ends the
/// wait.
pub(crate) struct ModelCall {
    inner: Arc<ClientState>,
    body: Bytes,
    retries: u32,
    /// See [`agent::ports::ModelRequest::correlation`].
    correlation: Option<Correlation>,
    /// Estimated tokens of the request, if usage that is left out is estimated.
    prompt: Option<u64>,
    /// Events that were read and not yet taken.
    events: VecDeque<ModelEvent>,
    phase: CallPhase,
}

enum CallPhase {
    Ask,
    Wait(Instant),
    Read(Box<StreamReading>),
    /// The answer is complete. Reading a body to its end gives its connection back.
    Drain(Box<Response>),
    /// The error follows the events that came before it.
    Failed(Box<ModelError>),
    Over,
}

struct StreamReading {
    response: Response,
    request_id: Option<String>,
    reader: EventReader,
    silence: Silence,
}

/// Watches for silence. One timer serves a whole answer: it is reset when it fires, not at each
/// piece of text.
struct Silence {
    /// Longest silence before the next byte.
    patience: Duration,
    heard: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Silence {
    fn new(patience: Duration) -> Self {
        let heard = Instant::now();
        Self {
            patience,
            heard,
            timer: Box::pin(sleep_until(heard + patience)),
        }
    }

    /// Something came; the silence that begins now may last `patience`.
    fn broken(&mut self, patience: Duration) {
        self.heard = Instant::now();
        if patience < self.patience {
            self.timer.as_mut().reset(self.heard + patience);
        }
        self.patience = patience;
    }

    /// Ends when it has been silent for too long.
    async fn too_long(&mut self) {
        loop {
            self.timer.as_mut().await;
            let until = self.heard + self.patience;
            if Instant::now() >= until {
                return;
            }
            self.timer.as_mut().reset(until);
        }
    }
}

impl ModelCall {
    pub(crate) fn new(
        inner: Arc<ClientState>,
        body: Bytes,
        correlation: Option<Correlation>,
        prompt: Option<u64>,
    ) -> Self {
        Self {
            inner,
            body,
            retries: 0,
            correlation,
            prompt,
            events: VecDeque::new(),
            phase: CallPhase::Ask,
        }
    }

    /// A call that fails before it is sent.
    pub(crate) fn failed(inner: Arc<ClientState>, failure: Failure) -> Self {
        let error = failure.into_error(Vec::new(), Usage::default());
        Self {
            phase: CallPhase::Failed(Box::new(error)),
            ..Self::new(inner, Bytes::new(), None, None)
        }
    }

    /// The next item of the stream.
    pub(crate) async fn next(mut self) -> Option<(Result<ModelEvent, ModelError>, Self)> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some((Ok(event), self));
            }
            match std::mem::replace(&mut self.phase, CallPhase::Over) {
                // Boxed: this future is moved with each item of the stream.
                CallPhase::Ask => self.phase = Box::pin(self.ask()).await,
                CallPhase::Wait(until) => {
                    tokio::time::sleep_until(until).await;
                    self.phase = CallPhase::Ask;
                }
                CallPhase::Read(reading) => self.phase = self.read(reading).await,
                CallPhase::Drain(response) => Box::pin(drain(*response)).await,
                CallPhase::Failed(error) => return Some((Err(*error), self)),
                CallPhase::Over => return None,
            }
        }
    }

    async fn ask(&mut self) -> CallPhase {
        let request = self.inner.messages(self.body.clone());
        let response = match self.inner.attempt(request).await {
            Ok(response) => response,
            Err(failure) => return self.retry_or_fail(failure, Usage::default()),
        };
        let request_id = request_id(response.headers());
        tracing::debug!(
            model_request = request_id,
            correlation = self.correlation.as_ref().map(tracing::field::display),
            retries = self.retries,
            "the model answers"
        );
        // Some servers leave the header out; the wrong one means a proxy's page.
        let kind = header(response.headers(), CONTENT_TYPE.as_str());
        if kind.is_some_and(|kind| !kind.trim_start().starts_with("text/event-stream")) {
            let failure = self.inner.not_a_stream(response).await;
            return self.fail(failure, Vec::new(), Usage::default());
        }
        CallPhase::Read(Box::new(StreamReading {
            response,
            request_id,
            reader: EventReader::new(self.inner.profile),
            silence: Silence::new(self.inner.first_byte_timeout),
        }))
    }

    /// Reads until there is something to report.
    async fn read(&mut self, mut reading: Box<StreamReading>) -> CallPhase {
        let chunk = tokio::select! {
            biased;
            chunk = reading.response.chunk() => chunk,
            () = reading.silence.too_long() => {
                let failure = Failure::silence(reading.silence.patience);
                return self.break_off(&reading, failure);
            }
        };
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => return self.break_off(&reading, Failure::broken(&error)),
        };
        reading.silence.broken(self.inner.config.idle_timeout);
        let taken = match &chunk {
            Some(bytes) => reading.reader.take(bytes, &mut self.events),
            None => reading.reader.end_of_stream(&mut self.events),
        };
        if let Err(fault) = taken {
            let failure = Failure::fault(fault, self.inner.key.as_ref());
            return self.break_off(&reading, failure);
        }
        // An answer that has begun is never asked for again.
        if !reading.reader.answer().is_empty() {
            self.body = Bytes::new();
        }
        if !reading.reader.answer().is_complete() {
            return CallPhase::Read(reading);
        }
        let StreamReading {
            response,
            request_id,
            reader,
            ..
        } = *reading;
        let answer = reader.into_answer();
        let usage = self.usage(&answer);
        let mut reply = answer.into_reply(request_id);
        reply.usage = usage;
        self.events.push_back(ModelEvent::Finished(reply));
        CallPhase::Drain(Box::new(response))
    }

    /// The answer cannot be read any further. It is asked for again only if the vendor itself gave
    /// up before anything was shown; otherwise it would be billed, or seen, twice.
    fn break_off(&mut self, reading: &StreamReading, mut failure: Failure) -> CallPhase {
        let answer = reading.reader.answer();
        // A server that sent nothing may have done nothing.
        let usage = if answer.is_empty() {
            answer.usage()
        } else {
            self.usage(answer)
        };
        failure.status = Some(reading.response.status().as_u16());
        failure.request_id = reading.request_id.clone().or(failure.request_id);
        if answer.is_empty() {
            self.retry_or_fail(failure, usage)
        } else {
            self.fail(failure, answer.partial(), usage)
        }
    }

    /// The usage of an answer, with estimates in place of what the server left out.
    fn usage(&self, answer: &Accumulator) -> Usage {
        let mut usage = answer.usage();
        if let Some(prompt) = self.prompt
            && estimate::complete(&mut usage, prompt, answer.bytes())
        {
            self.inner.estimates.fetch_add(1, Ordering::Relaxed);
            tracing::debug!("the model's server gave no usage, it is estimated");
        }
        usage
    }

    fn retry_or_fail(&mut self, mut failure: Failure, usage: Usage) -> CallPhase {
        if !failure.retryable {
            return self.fail(failure, Vec::new(), usage);
        }
        let now = self.inner.env.now();
        // A 64-bit float has 53 bits of precision.
        let chance = (self.inner.env.random() >> 75) as f64 / (1_u64 << 53) as f64;
        let delay = retry::delay(&failure.headers, self.retries, system_time(now), chance);
        let until = Timestamp(
            now.0
                .saturating_add_unsigned(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
        );
        if delay > self.inner.config.max_wait {
            let date = httpdate::fmt_http_date(system_time(until).min(latest()));
            failure.message = texts::again_after(&failure.message, &date);
            return self.fail(failure, Vec::new(), usage);
        }
        if self.retries >= self.inner.config.max_retries {
            return self.fail(failure, Vec::new(), usage);
        }
        self.retries += 1;
        tracing::info!(
            kind = ?failure.kind,
            status = failure.status,
            model_request = failure.request_id,
            correlation = self.correlation.as_ref().map(tracing::field::display),
            retry = self.retries,
            delay_ms = delay.as_millis(),
            "the model is asked again"
        );
        self.events.push_back(ModelEvent::Waiting {
            error: ErrorBody::new(failure.kind.code(), failure.message),
            until,
        });
        CallPhase::Wait(Instant::now() + delay)
    }

    fn fail(
        &self,
        failure: Failure,
        partial: Vec<Arc<serde_json::value::RawValue>>,
        usage: Usage,
    ) -> CallPhase {
        let error = failure.into_error(partial, usage);
        if error.kind == ModelErrorKind::InvalidRequest {
            tracing::error!(
                status = error.status,
                model_request = error.request_id,
                correlation = self.correlation.as_ref().map(tracing::field::display),
                "{error}"
            );
        } else {
            tracing::warn!(
                status = error.status,
                model_request = error.request_id,
                correlation = self.correlation.as_ref().map(tracing::field::display),
                "{error}"
            );
        }
        CallPhase::Failed(Box::new(error))
    }
}

/// Reads the little that follows an answer. A server that takes longer loses the connection.
async fn drain(mut response: Response) {
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    if tokio::time::timeout(DRAIN_TIMEOUT, rest).await.is_err() {
        tracing::debug!("the response did not end with its answer");
    }
}

fn system_time(at: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(at.0).unwrap_or(0))
}

/// The last day that an HTTP date can name.
fn latest() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(253_402_300_799)
}
