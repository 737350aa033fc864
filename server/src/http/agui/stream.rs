//! The stream of one run. A client that goes away stops nothing: the conversation goes on, and another
//! request follows it again.

use std::{collections::VecDeque, convert::Infallible, pin::Pin, time::Duration};

use ::agui::{AguiEvent, RunEncoder};
use agent::{Subscription, SubscriptionEnd};
use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, header},
    response::Response,
};
use futures::StreamExt;
use protocol::{ErrorBody, ErrorCode, ServerFrame};
use sign_in::{Ended, SignedIn};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::{
    http::{Http, SocketPlace},
    texts,
};

/// Interval of the comments that keep proxies from closing a quiet stream.
const BEAT: Duration = Duration::from_secs(15);
const COMMENT: &[u8] = b": \n\n";

/// One stream. What waits for its client is in the subscription, which is bounded, and the events of one
/// frame here.
struct Streaming {
    pieces: VecDeque<Bytes>,
    encoder: RunEncoder,
    subscription: Subscription,
    signed_out: Pin<Box<dyn Future<Output = Ended> + Send>>,
    stopping: Pin<Box<dyn Future<Output = ()> + Send>>,
    beat: Interval,
    _place: SocketPlace,
}

/// Answers with a run that begins with `first`.
pub(super) fn respond(
    http: &Http,
    signed_in: SignedIn,
    place: SocketPlace,
    encoder: RunEncoder,
    subscription: Subscription,
    first: Vec<AguiEvent>,
) -> Response {
    let (auth, stopping) = (http.auth.clone(), http.stopping.clone());
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat.reset();
    let mut streaming = Streaming {
        pieces: VecDeque::new(),
        encoder,
        subscription,
        signed_out: Box::pin(async move { auth.ended(&signed_in).await }),
        stopping: Box::pin(async move { stopping.cancelled().await }),
        beat,
        _place: place,
    };
    streaming.take(&first);
    let stream = futures::stream::unfold(streaming, |mut streaming| async move {
        let piece = streaming.next().await?;
        Some((Ok::<_, Infallible>(piece), streaming))
    });
    let mut response = Response::new(Body::from_stream(stream));
    for (name, value) in [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // A reverse proxy that collects what streams would hold it back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

impl Streaming {
    /// Returns the next piece; none after the terminal event.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(piece) = self.pieces.pop_front() {
                return Some(piece);
            }
            if self.encoder.is_over() {
                return None;
            }
            // Every way out has its terminal event: clients take a stream without one for complete.
            let events = tokio::select! {
                biased;
                () = &mut self.stopping => self.encoder.cut(&restarting()),
                ended = &mut self.signed_out => self.encoder.cut(&signed_out(ended)),
                frame = self.subscription.next() => match frame {
                    Some(Ok(frame)) => match serde_json::from_slice(frame.as_bytes()) {
                        Ok(frame) => self.frame(&frame),
                        Err(error) => {
                            tracing::error!(%error, "a frame cannot be read");
                            Vec::new()
                        }
                    },
                    Some(Err(SubscriptionEnd::TooSlow)) => self.encoder.cut(&too_slow()),
                    None => self.encoder.cut(&gone()),
                },
                _ = self.beat.tick() => {
                    self.pieces.push_back(Bytes::from_static(COMMENT));
                    Vec::new()
                }
            };
            self.take(&events);
        }
    }

    fn frame(&mut self, frame: &ServerFrame) -> Vec<AguiEvent> {
        self.encoder.frame(frame)
    }

    fn take(&mut self, events: &[AguiEvent]) {
        if events.is_empty() {
            return;
        }
        let mut piece = Vec::new();
        for event in events {
            match serde_json::to_vec(event) {
                Ok(json) => {
                    piece.extend_from_slice(b"data: ");
                    piece.extend_from_slice(&json);
                    piece.extend_from_slice(b"\n\n");
                }
                Err(error) => tracing::error!(%error, "an event could not be serialised"),
            }
        }
        self.pieces.push_back(piece.into());
        self.beat.reset();
    }
}

fn restarting() -> ErrorBody {
    ErrorBody::new(ErrorCode::ShuttingDown, texts::agui::RESTARTING)
        .with_help(texts::agui::FOLLOW_AGAIN)
}

fn signed_out(ended: Ended) -> ErrorBody {
    match ended {
        Ended::SignedOut => ErrorBody::new(ErrorCode::NotSignedIn, texts::agui::TOKEN_ENDED),
        Ended::Demoted => ErrorBody::new(ErrorCode::RoleNotEnough, texts::agui::ROLE_CHANGED)
            .with_help(texts::agui::FOLLOW_AGAIN),
    }
}

fn too_slow() -> ErrorBody {
    ErrorBody::new(ErrorCode::RateLimited, texts::agui::READS_TOO_SLOWLY)
        .with_help(texts::agui::FOLLOW_AGAIN)
}

fn gone() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ConversationNotFound,
        texts::http::CONVERSATION_NOT_FOUND,
    )
}
