//! Server-sent events as the answer of a route.

use std::convert::Infallible;

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures::{Stream, StreamExt};
use serde_json::Value;

/// The media type of a stream.
pub(crate) const EVENT_STREAM: &str = "text/event-stream";

/// The number of the newest event that a client has, if it names one: an extension of each request to a
/// route that streams. It is what the client says, and may be any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastEvent(pub Option<u64>);

/// An event for a client.
#[derive(Debug, Clone, PartialEq)]
pub struct SentEvent {
    /// A client that comes back goes on after the newest number that it got.
    pub id: Option<u64>,
    /// A word.
    pub kind: &'static str,
    pub data: Value,
}

impl SentEvent {
    /// The event as it is sent. JSON has no line breaks outside of its texts, and none in them, so nothing
    /// in it can begin another event.
    fn text(&self) -> String {
        let id = self.id.map(|id| format!("id: {id}\n"));
        let id = id.unwrap_or_default();
        format!("{id}event: {}\ndata: {}\n\n", self.kind, self.data)
    }
}

/// The answer of a route that streams. The server adds signs of life, and ends it with the sign-in; the
/// next event is asked for when the client has taken the one before.
pub struct EventStream(Body);

impl EventStream {
    pub fn new<S>(events: S) -> Self
    where
        S: Stream<Item = SentEvent> + Send + 'static,
    {
        let pieces = events.map(|event| Ok::<_, Infallible>(Bytes::from(event.text())));
        Self(Body::from_stream(pieces))
    }
}

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        let mut response = Response::new(self.0);
        let kind = HeaderValue::from_static(EVENT_STREAM);
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_begins_no_other_event() {
        let event = SentEvent {
            id: Some(7),
            kind: "output",
            data: json!({ "text": "a\n\nid: 9\nevent: end\r\ndata: {}\n\n\u{2028}" }),
        };
        let text = event.text();
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.starts_with("id: 7\nevent: output\ndata: {") && text.ends_with("}\n\n"));
        let bare = SentEvent { id: None, ..event };
        assert!(bare.text().starts_with("event: output\n"));
    }
}
