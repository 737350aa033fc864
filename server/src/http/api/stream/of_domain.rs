//! The streams of domains: what a domain sends, with the beginning, the signs of life and the ends that all
//! streams have.

use std::{collections::VecDeque, convert::Infallible, pin::Pin};

use axum::{
    Extension,
    body::{Body, BodyDataStream, Bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use futures::StreamExt;
use sign_in::{Ended, SignedIn};
use tokio::time::Interval;

use super::{COMMENT, FIRST, as_stream, beat, end_of, last_event, reason_of};
use crate::{
    http::{Http, SocketPlace, api::RequestRefusal},
    routes::{EVENT_STREAM, LastEvent},
};

/// Keeps the stream of a domain open. An answer that is none, such as a refusal, stays as it is.
pub(in crate::http) async fn followed(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    mut request: Request,
    next: Next,
) -> Result<Response, RequestRefusal> {
    let last = LastEvent(last_event(request.headers())?);
    // It takes a place like a socket of a tab, and as long.
    let place = http.allowances.socket_for(&signed_in)?;
    request.extensions_mut().insert(last);
    let answer = next.run(request).await;
    if answer.status() != StatusCode::OK || !is_stream(&answer) {
        return Ok(answer);
    }
    let (auth, stopping) = (http.auth.clone(), http.stopping.clone());
    let open = OpenStream {
        pieces: VecDeque::from([Bytes::from_static(FIRST)]),
        events: answer.into_body().into_data_stream(),
        signed_out: Box::pin(async move { auth.ended(&signed_in).await }),
        stopping: Box::pin(async move { stopping.cancelled().await }),
        beat: beat(),
        is_over: false,
        _place: place,
    };
    let pieces = futures::stream::unfold(open, |mut open| async move {
        let piece = open.next().await?;
        Some((Ok::<_, Infallible>(piece), open))
    });
    Ok(as_stream(Body::from_stream(pieces)))
}

fn is_stream(answer: &Response) -> bool {
    let kind = answer.headers().get(axum::http::header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes() == EVENT_STREAM.as_bytes())
}

/// One stream. The domain is asked for its next event when the client has taken the one before.
struct OpenStream {
    pieces: VecDeque<Bytes>,
    events: BodyDataStream,
    signed_out: Pin<Box<dyn Future<Output = Ended> + Send>>,
    stopping: Pin<Box<dyn Future<Output = ()> + Send>>,
    beat: Interval,
    is_over: bool,
    _place: SocketPlace,
}

impl OpenStream {
    /// Returns the next piece; none at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(piece) = self.pieces.pop_front() {
            return Some(piece);
        }
        if self.is_over {
            return None;
        }
        tokio::select! {
            biased;
            () = &mut self.stopping => Some(self.end("restart")),
            ended = &mut self.signed_out => Some(self.end(reason_of(ended))),
            event = self.events.next() => {
                self.beat.reset();
                match event {
                    Some(Ok(event)) => Some(event),
                    // What the domain has to say about its end, it has said.
                    Some(Err(_)) | None => {
                        self.is_over = true;
                        None
                    }
                }
            }
            _ = self.beat.tick() => Some(Bytes::from_static(COMMENT)),
        }
    }

    fn end(&mut self, reason: &str) -> Bytes {
        self.is_over = true;
        end_of(reason)
    }
}

#[cfg(test)]
mod tests {
    use futures::channel::mpsc;
    use protocol::{Timestamp, UserId};
    use tokio::time::Instant;

    use super::*;
    use crate::{
        config::UserLimits,
        http::{Allowances, api::stream::BEAT},
    };

    type Sender = mpsc::UnboundedSender<Result<Bytes, Infallible>>;

    fn open() -> (Sender, OpenStream) {
        let limits = UserLimits {
            sockets: 1,
            commands: 1,
            stored_mb: 1,
        };
        let user = UserId::new(Timestamp(0), 1);
        let (sender, events) = mpsc::unbounded();
        let open = OpenStream {
            pieces: VecDeque::from([Bytes::from_static(FIRST)]),
            events: Body::from_stream(events).into_data_stream(),
            signed_out: Box::pin(std::future::pending()),
            stopping: Box::pin(std::future::pending()),
            beat: beat(),
            is_over: false,
            _place: Allowances::new(limits, 1).socket(user).unwrap(),
        };
        (sender, open)
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_domain_is_no_quiet_stream() {
        let (sender, mut open) = open();
        assert_eq!(open.next().await.unwrap(), FIRST);
        let begun = Instant::now();
        assert_eq!(open.next().await.unwrap(), COMMENT);
        assert_eq!(begun.elapsed(), BEAT);
        let event = Bytes::from_static(b"event: one\ndata: {}\n\n");
        sender.unbounded_send(Ok(event.clone())).unwrap();
        assert_eq!(open.next().await.unwrap(), event);
        drop(sender);
        assert_eq!(open.next().await, None);
        assert_eq!(open.next().await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_sign_out_ends_it_before_anything_that_waits() {
        let (sender, mut open) = open();
        open.pieces.clear();
        let event = Bytes::from_static(b"event: one\ndata: {}\n\n");
        sender.unbounded_send(Ok(event)).unwrap();
        open.signed_out = Box::pin(std::future::ready(Ended::SignedOut));
        let end = open.next().await.unwrap();
        assert_eq!(end, "event: end\ndata: {\"reason\":\"signed_out\"}\n\n");
        assert_eq!(open.next().await, None);
    }
}
