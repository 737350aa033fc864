//! The events of a conversation as server-sent events, in the format of the HTML standard.
//!
//! `id:` is the number of an event of the journal, so `Last-Event-ID` names the place to go on from.
//! What is not in the journal yet, such as the answer as it streams, has no number and is sent anew to
//! whoever comes back.

mod of_domain;

use std::{collections::VecDeque, convert::Infallible, pin::Pin, time::Duration};

use agent::{Subscription, SubscriptionEnd};
use axum::{
    Extension,
    body::{Body, Bytes},
    extract::{Path, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use futures::StreamExt;
use protocol::{ConversationId, Seq};
use serde::Deserialize;
use serde_json::value::RawValue;
use sign_in::{Ended, SignedIn};
use tokio::time::{Interval, MissedTickBehavior, interval};

pub(in crate::http) use of_domain::followed;

use super::{body::ApiQuery, conversations::named, refusal::RequestRefusal};
pub(super) use crate::routes::EVENT_STREAM;
use crate::{
    backend,
    http::{Http, SocketPlace},
    texts,
};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Interval of the comments that keep proxies from closing a quiet stream.
const BEAT: Duration = Duration::from_secs(15);
/// The first lines of a stream: the time after which a client connects again, in milliseconds.
const FIRST: &[u8] = b"retry: 2000\n\n";
const COMMENT: &[u8] = b": \n\n";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowQuery {
    /// As `Last-Event-ID`, for the first connection of a client that cannot set headers.
    after: Option<u64>,
}

/// Streams what was missed, and then what happens.
pub(super) async fn follow(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
    headers: HeaderMap,
    ApiQuery(query): ApiQuery<FollowQuery>,
) -> Result<Response, RequestRefusal> {
    let id = named(&id)?;
    let after = last_event(&headers)?.or(query.after).unwrap_or_default();
    // It takes a place like a socket of a tab, and as long.
    let place = http.allowances.socket_for(&signed_in)?;
    Box::pin(opened(&http, signed_in, id, after, place, StreamEnd::Never)).await
}

/// The end of a stream that its client and the server let run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamEnd {
    Never,
    /// The end of the turn, or at once if none runs.
    Turn,
}

/// Streams a conversation after an event, as long as the place is held.
pub(super) async fn opened(
    http: &Http,
    signed_in: SignedIn,
    id: ConversationId,
    after: u64,
    place: SocketPlace,
    end: StreamEnd,
) -> Result<Response, RequestRefusal> {
    let head = http.store.conversation_head(signed_in.user.id, id).await;
    let (line, head) = head.map_err(backend::error)?;
    // A journal loses nothing. But the database may be an older copy of what the client followed.
    let is_gap = after > head.0;
    let begin = if is_gap { Seq(0) } else { Seq(after) };
    let person = signed_in.person();
    let subscription = Box::pin(http.engine.subscribe(person, id, begin)).await?;

    let mut pieces = VecDeque::from([Bytes::from_static(FIRST)]);
    if is_gap {
        // The number makes the client forget its own, which leads nowhere.
        let gap = format!(
            "id: 0\nevent: gap\ndata: {{\"after\":{after},\"head\":{}}}\n\n",
            head.0
        );
        pieces.push_back(gap.into());
    }
    let (auth, stopping) = (http.auth.clone(), http.stopping.clone());
    let following = Following {
        pieces,
        subscription,
        newest: begin,
        signed_out: Box::pin(async move { auth.ended(&signed_in).await }),
        stopping: Box::pin(async move { stopping.cancelled().await }),
        beat: beat(),
        ends: end,
        has_finished: false,
        // Read before the subscription began: the end of a turn that ran then is still to come.
        is_running: line.running,
        is_over: false,
        _place: place,
    };
    let stream = futures::stream::unfold(following, |mut following| async move {
        let piece = following.next().await?;
        Some((Ok::<_, Infallible>(piece), following))
    });
    Ok(as_stream(Body::from_stream(stream)))
}

/// A body as a stream that nobody keeps or collects.
fn as_stream(body: Body) -> Response {
    let mut response = Response::new(body);
    for (name, value) in [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, "no-store"),
        // A reverse proxy that collects what streams would hold it back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// The event that ends a stream.
fn end_of(reason: &str) -> Bytes {
    format!("event: end\ndata: {{\"reason\":\"{reason}\"}}\n\n").into()
}

/// The reason of a stream that ends with the sign-in of its client.
fn reason_of(ended: Ended) -> &'static str {
    match ended {
        Ended::SignedOut => "signed_out",
        Ended::Demoted => "role_lowered",
    }
}

fn beat() -> Interval {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat.reset();
    beat
}

/// Returns the number of the last event that the client has, if it says so.
pub(super) fn last_event(headers: &HeaderMap) -> Result<Option<u64>, RequestRefusal> {
    let mut ids = headers.get_all(LAST_EVENT_ID).iter();
    let Some(id) = ids.next() else {
        return Ok(None);
    };
    let digits = id.to_str().unwrap_or_default();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse() {
        Ok(number) if is_number && ids.next().is_none() => Ok(Some(number)),
        _ => Err(RequestRefusal::new(
            StatusCode::BAD_REQUEST,
            "last_event_id_invalid",
            texts::api::LAST_EVENT_ID_INVALID,
        )),
    }
}

/// One stream. What waits for its client is in the subscription, which is bounded, and a few pieces
/// here: the next ones are made when the client has taken them.
struct Following {
    pieces: VecDeque<Bytes>,
    subscription: Subscription,
    /// The newest event of the journal that was sent.
    newest: Seq,
    signed_out: Pin<Box<dyn Future<Output = Ended> + Send>>,
    stopping: Pin<Box<dyn Future<Output = ()> + Send>>,
    beat: Interval,
    ends: StreamEnd,
    /// True if a turn ran when it began.
    is_running: bool,
    /// True once the end of a turn was sent.
    has_finished: bool,
    is_over: bool,
    _place: SocketPlace,
}

impl Following {
    /// Returns the next piece; none at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(piece) = self.pieces.pop_front() {
                return Some(piece);
            }
            if self.is_over {
                return None;
            }
            tokio::select! {
                biased;
                () = &mut self.stopping => self.end("restart"),
                ended = &mut self.signed_out => self.end(reason_of(ended)),
                frame = self.subscription.next() => match frame {
                    Some(Ok(frame)) => {
                        self.take(frame.as_bytes());
                        if !self.pieces.is_empty() {
                            self.beat.reset();
                        }
                    }
                    Some(Err(SubscriptionEnd::TooSlow)) => self.end("too_slow"),
                    None => self.end("conversation_gone"),
                },
                _ = self.beat.tick() => self.pieces.push_back(Bytes::from_static(COMMENT)),
            }
        }
    }

    fn end(&mut self, reason: &str) {
        self.pieces.push_back(end_of(reason));
        self.is_over = true;
    }

    /// Turns a frame of a socket into what goes to the client. JSON has no line breaks outside of its
    /// texts, and none in them, so a frame is one line.
    fn take(&mut self, frame: &[u8]) {
        match kind(frame) {
            Some("events") => {
                if let Some(events) = self.events(frame) {
                    self.pieces.push_back(events);
                }
                if self.ends == StreamEnd::Turn && self.has_finished {
                    self.end("done");
                }
            }
            Some(kind @ ("subscribed" | "block" | "delta" | "progress" | "waiting")) => {
                let mut piece = format!("event: {kind}\ndata: ").into_bytes();
                piece.extend_from_slice(frame);
                piece.extend_from_slice(b"\n\n");
                self.pieces.push_back(piece.into());
                // All that was missed has come.
                if kind == "subscribed" && self.ends == StreamEnd::Turn && !self.is_running {
                    self.end("done");
                }
            }
            // The rest is for the stage of a tab. The end of the subscription follows by itself.
            _ => {}
        }
    }

    fn events(&mut self, frame: &[u8]) -> Option<Bytes> {
        let frame: JournalFrame<'_> = match serde_json::from_slice(frame) {
            Ok(frame) => frame,
            Err(error) => {
                tracing::error!(%error, "a frame of events cannot be read");
                return None;
            }
        };
        let mut piece = String::new();
        for event in frame.events {
            let Ok(Numbered { seq, kind }) = serde_json::from_str(event.get()) else {
                tracing::error!("an event has no number");
                continue;
            };
            // Each once, and in order.
            if seq > self.newest {
                self.newest = seq;
                self.has_finished |= kind == "turn_finished";
                piece += &format!("id: {seq}\nevent: journal\ndata: {}\n\n", event.get());
            }
        }
        (!piece.is_empty()).then(|| piece.into())
    }
}

/// A frame of events, each as it stands.
#[derive(Deserialize)]
struct JournalFrame<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Numbered<'a> {
    seq: Seq,
    #[serde(rename = "type")]
    kind: &'a str,
}

/// Returns the kind of a frame, which is its first member.
fn kind(frame: &[u8]) -> Option<&str> {
    let rest = frame.strip_prefix(b"{\"type\":\"")?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    std::str::from_utf8(&rest[..end]).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agent::SharedFrame;
    use protocol::{LiveBlockId, ServerFrame, Timestamp, UserId};
    use tokio::time::Instant;

    use super::*;
    use crate::{config::UserLimits, http::Allowances};

    fn following(subscription: Subscription) -> Following {
        let limits = UserLimits {
            sockets: 1,
            commands: 1,
            stored_mb: 1,
        };
        let user = UserId::new(Timestamp(0), 1);
        Following {
            pieces: VecDeque::new(),
            subscription,
            newest: Seq(0),
            signed_out: Box::pin(std::future::pending()),
            stopping: Box::pin(std::future::pending()),
            beat: beat(),
            ends: StreamEnd::Never,
            is_running: true,
            has_finished: false,
            is_over: false,
            _place: Allowances::new(limits, 1).socket(user).unwrap(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_stream_says_that_it_is_there() {
        let (post, subscription) = Subscription::posted(Arc::new(()));
        let mut following = following(subscription);
        let begun = Instant::now();
        for beats in 1..=20 {
            let comment = following.next().await.unwrap();
            assert_eq!(comment, COMMENT);
            assert_eq!(begun.elapsed(), BEAT * beats);
        }
        // What is said counts as a sign of life; what is not for programs does not.
        tokio::time::advance(BEAT / 2).await;
        post.send(SharedFrame::new(&ServerFrame::Subscribed {
            conversation: ConversationId::new(Timestamp(0), 1),
            head: Seq(1),
        }));
        let said = following.next().await.unwrap();
        assert!(said.starts_with(b"event: subscribed\ndata: {"));
        tokio::time::advance(BEAT / 2).await;
        post.send(SharedFrame::new(&ServerFrame::Pong { n: 1 }));
        assert_eq!(following.next().await.unwrap(), COMMENT);
        assert_eq!(begun.elapsed(), BEAT * 20 + BEAT / 2 + BEAT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_too_slowly_is_told_and_let_go() {
        let (post, subscription) = Subscription::posted(Arc::new(()));
        let mut following = following(subscription);
        for n in 0..10_000 {
            post.send(SharedFrame::new(&ServerFrame::Pong { n }));
        }
        let end = following.next().await.unwrap();
        assert_eq!(end, "event: end\ndata: {\"reason\":\"too_slow\"}\n\n");
        assert_eq!(following.next().await, None);
    }

    /// The stream of a turn ends behind its end, or behind what was missed if nothing runs.
    #[tokio::test(start_paused = true)]
    async fn the_stream_of_a_turn_ends_with_it() {
        const FINISHED: &str = r#"{"type":"events","conversation":"c","events":[{"seq":1,"at":0,"type":"turn_finished"}]}"#;
        const SUBSCRIBED: &str = r#"{"type":"subscribed","conversation":"c","head":1}"#;
        let done = "event: end\ndata: {\"reason\":\"done\"}\n\n";
        for (ends, is_running, frames, is_over) in [
            (StreamEnd::Turn, true, [SUBSCRIBED, FINISHED], true),
            (StreamEnd::Turn, true, [SUBSCRIBED, SUBSCRIBED], false),
            (StreamEnd::Turn, false, [SUBSCRIBED, ""], true),
            (StreamEnd::Never, false, [SUBSCRIBED, FINISHED], false),
        ] {
            let (_post, subscription) = Subscription::posted(Arc::new(()));
            let mut following = Following {
                ends,
                is_running,
                ..following(subscription)
            };
            for frame in frames {
                following.take(frame.as_bytes());
            }
            let ended = following.pieces.back().is_some_and(|piece| piece == done);
            assert_eq!((ended, following.is_over), (is_over, is_over), "{frames:?}");
        }
    }

    #[test]
    fn a_number_is_digits_and_nothing_else() {
        for (sent, expect) in [
            (&[][..], Some(None)),
            (&["0"], Some(Some(0))),
            (&["18446744073709551615"], Some(Some(u64::MAX))),
            (&["18446744073709551616"], None),
            (&["+1"], None),
            (&["-1"], None),
            (&["1 "], None),
            (&[""], None),
            (&["1", "2"], None),
            (&["one"], None),
        ] {
            let mut headers = HeaderMap::new();
            for id in sent {
                // Not trimmed, as a library that sends it would.
                headers.append(
                    LAST_EVENT_ID,
                    HeaderValue::from_bytes(id.as_bytes()).unwrap(),
                );
            }
            assert_eq!(last_event(&headers).ok(), expect, "{sent:?}");
        }
    }

    /// The kind is read without parsing the frame, so this holds how frames are written.
    #[test]
    fn the_kind_of_a_frame_comes_first() {
        let delta = SharedFrame::new(&ServerFrame::Delta {
            block: LiveBlockId(1),
            offset: 0,
            text: "\"type\":\"events\"\n".to_owned(),
        });
        assert_eq!(kind(delta.as_bytes()), Some("delta"));
        assert!(!delta.as_bytes().contains(&b'\n'), "it is one line");
        assert_eq!(kind(b"{\"type\":\"ev"), None);
        assert_eq!(kind(b"[]"), None);
    }
}
