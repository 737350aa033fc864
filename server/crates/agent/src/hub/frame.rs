//! A frame, serialised once for all who receive it.

use bytes::Bytes;
use protocol::ServerFrame;

use crate::sight::{Sight, Unseen};

/// The JSON text of one [`ServerFrame`]. Clones share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFrame(Bytes);

impl SharedFrame {
    /// Serialises a frame.
    pub fn new(frame: &ServerFrame) -> Self {
        match serde_json::to_vec(frame) {
            Ok(json) => Self(json.into()),
            Err(error) => {
                // Only a type with keys that are not strings gets here, and no frame has any.
                tracing::error!(%error, "a frame could not be serialised");
                Self(Bytes::from_static(br#"{"type":"unknown"}"#))
            }
        }
    }

    /// UTF-8 JSON.
    pub fn as_bytes(&self) -> &Bytes {
        &self.0
    }

    /// UTF-8 JSON.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    /// The frame as a subscriber with this sight gets it.
    pub(super) fn seen_with(self, sight: Sight) -> Self {
        if sight == Sight::Values {
            return self;
        }
        match serde_json::from_slice(&self.0) {
            Ok(ServerFrame::Events {
                conversation,
                events,
            }) => Self::new(&ServerFrame::Events {
                conversation,
                events: Unseen::new(events).by(sight),
            }),
            Ok(_) => self,
            Err(error) => {
                // What cannot be read cannot be covered.
                tracing::error!(%error, "a frame cannot be read");
                Self::new(&ServerFrame::Unknown)
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use protocol::{ConversationId, Event, EventBody, Seq, Timestamp, TurnId, Verdict};

    use super::*;

    const AT: Timestamp = Timestamp(1_700_000_000_000);

    fn decided(digest: &str) -> SharedFrame {
        let body = EventBody::ConfirmationDecided {
            turn: TurnId::new(AT, 1),
            call: protocol::CallId::new(AT, 1),
            digest: digest.to_owned(),
            verdict: Verdict::Approved,
            by: None,
            via: None,
        };
        SharedFrame::new(&ServerFrame::Events {
            conversation: ConversationId::new(AT, 1),
            events: vec![Event {
                seq: Seq(1),
                at: AT,
                body,
            }],
        })
    }

    #[test]
    fn events_in_a_frame_are_covered_and_all_else_stays() {
        assert_eq!(decided("1f0a").seen_with(Sight::Values), decided("1f0a"));
        assert_eq!(decided("1f0a").seen_with(Sight::Tokens), decided(""));
        let pong = SharedFrame::new(&ServerFrame::Pong { n: 1 });
        assert_eq!(pong.clone().seen_with(Sight::Tokens), pong);
        let unread = SharedFrame(Bytes::from_static(b"{\"type\":\"events\"}"));
        let unknown = SharedFrame::new(&ServerFrame::Unknown);
        assert_eq!(unread.seen_with(Sight::Tokens), unknown);
    }
}
