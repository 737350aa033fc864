//! What happens to devices, bundles, proposals and runs as server-sent events. `id:` is the number of an event,
//! which goes up also over a restart, so that `Last-Event-ID` goes on without loss or doubles.
//!
//! An event has identifiers and words. What people or devices wrote is read by the identifier, with the rights of
//! that route, so nobody gets a value here.

use std::{collections::VecDeque, sync::Arc};

use axum::{Extension, extract::Query};
use field::ports::FieldFault;
use field_dispatch::FieldBackend;
use field_tables::FieldEvent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{FieldPrograms, written};
use crate::{
    domains::field::answers::DeviceAnswer,
    routes::{EventStream, LastEvent, SentEvent},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsQuery {
    /// As `Last-Event-ID`, for the first connection of a client that cannot set headers.
    after: Option<u64>,
}

/// Something that happened to a device, a bundle, a proposal or a run, which the name of the event tells.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldEvent")]
pub(in crate::domains::field) struct FieldEventBody {
    /// Of a device `enrolled`, `adopted`, `suspended`, `resumed`, `retired`, `edited`, `session_returned`; of a
    /// bundle `begun`, `complete`; of a proposal `proposed`, `checked`; of a run its phase, or `lapsed`,
    /// `given_back`, `cancel_asked`, `late_report`, `resolved`.
    kind: String,
    /// Identifier of the device, bundle, proposal or run.
    id: String,
    site: String,
    /// None for a bundle of no device.
    device: Option<String>,
    /// The version of a proposal.
    version: Option<u64>,
    at_ms: i64,
}

/// Streams what was missed, and then what happens.
pub(super) async fn follow(
    it: FieldPrograms,
    Extension(last): Extension<LastEvent>,
    Query(query): Query<EventsQuery>,
) -> Result<EventStream, DeviceAnswer> {
    let LastEvent(last) = last;
    let mut follow = EventsFollow {
        backend: it.backend,
        place: 0,
        ready: VecDeque::new(),
        is_over: false,
    };
    match last.or(query.after) {
        // A number that no event has is behind them all, which is a gap.
        Some(after) => follow.place = i64::try_from(after).unwrap_or(i64::MAX),
        None => {
            let newest = follow.backend.newest_event().await?;
            follow.go_on(newest, "begin");
        }
    }
    let events = futures::stream::unfold(follow, |mut follow| async move {
        let event = follow.next().await?;
        Some((event, follow))
    });
    Ok(EventStream::new(events))
}

/// One follower of the field.
struct EventsFollow {
    backend: Arc<FieldBackend>,
    /// All events to this number were sent.
    place: i64,
    ready: VecDeque<SentEvent>,
    is_over: bool,
}

impl EventsFollow {
    /// The next event; none at the end.
    async fn next(&mut self) -> Option<SentEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            if let Err(fault) = Box::pin(self.look()).await {
                tracing::warn!(%fault, "the events of field devices cannot be read");
                self.ready.push_back(SentEvent {
                    id: None,
                    kind: "end",
                    data: json!({ "reason": "failed" }),
                });
                self.is_over = true;
            }
        }
    }

    /// Waits for events behind the place.
    async fn look(&mut self) -> Result<(), FieldFault> {
        let found = self.backend.happened_after(self.place).await?;
        if found.is_gap {
            // What is left would not tell what is missing: whoever follows reads the lists anew.
            self.go_on(found.newest, "gap");
            return Ok(());
        }
        for event in found.events {
            self.place = event.number;
            self.ready.push_back(sent(event));
        }
        Ok(())
    }

    /// Goes on behind the newest event. The number makes the client take that place.
    fn go_on(&mut self, newest: i64, kind: &'static str) {
        self.place = newest;
        self.ready.push_back(SentEvent {
            id: Some(number(newest)),
            kind,
            data: json!({ "newest": newest }),
        });
    }
}

fn sent(event: FieldEvent) -> SentEvent {
    SentEvent {
        id: Some(number(event.number)),
        kind: event.subject.word(),
        data: written(&FieldEventBody {
            kind: event.kind,
            id: event.id,
            site: event.site,
            device: event.device,
            version: event.version,
            at_ms: event.at_ms,
        }),
    }
}

/// The number of an event, which is never negative.
fn number(number: i64) -> u64 {
    number.unsigned_abs()
}
