//! The output of a run as server-sent events. `id:` is a place in both of its streams, so that
//! `Last-Event-ID` goes on without loss or doubles.

use std::{collections::VecDeque, sync::Arc};

use axum::{
    Extension,
    extract::{Path, Query},
};
use field::ports::{FieldFault, FieldFaultCode};
use field_dispatch::{FieldBackend, OutputPiece, OutputPlace, RunFollower};
use serde::Deserialize;
use serde_json::json;

use super::{FieldPrograms, runs::FieldRunBody, written};
use crate::{
    domains::field::answers::DeviceAnswer,
    routes::{EventStream, LastEvent, SentEvent},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputQuery {
    /// As `Last-Event-ID`, for the first connection of a client that cannot set headers.
    after: Option<u64>,
}

/// Streams what was missed of a run, and then what comes, to its end.
pub(super) async fn events(
    it: FieldPrograms,
    Extension(last): Extension<LastEvent>,
    Path(id): Path<String>,
    Query(query): Query<OutputQuery>,
) -> Result<EventStream, DeviceAnswer> {
    let LastEvent(last) = last;
    let after = last.or(query.after).unwrap_or_default();
    let place = it.backend.output_place(&id, after).await?;
    let mut ready = VecDeque::new();
    if place.is_none() {
        // The number makes the client forget its own, which leads nowhere.
        ready.push_back(SentEvent {
            id: Some(OutputPlace::default().number()),
            kind: "gap",
            data: json!({ "after": after }),
        });
    }
    let follow = RunFollow {
        follower: it.backend.follower(&id),
        backend: it.backend,
        has_more: true,
        place: place.unwrap_or_default(),
        shown: None,
        ready,
        is_over: false,
    };
    let events = futures::stream::unfold(follow, |mut follow| async move {
        let event = follow.next().await?;
        Some((event, follow))
    });
    Ok(EventStream::new(events))
}

/// One follower of a run.
struct RunFollow {
    backend: Arc<FieldBackend>,
    follower: RunFollower,
    /// More is there, without waiting for a change.
    has_more: bool,
    /// All before it was sent.
    place: OutputPlace,
    /// The state that was sent last.
    shown: Option<FieldRunBody>,
    ready: VecDeque<SentEvent>,
    is_over: bool,
}

impl RunFollow {
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
                self.end(reason(&fault));
            }
        }
    }

    /// Takes what is there, after a change if all was taken before.
    async fn look(&mut self) -> Result<(), FieldFault> {
        if !self.has_more {
            self.follower.changed().await;
        }
        let backend = &self.backend;
        let since = backend.output_for(&mut self.follower, self.place).await?;
        self.has_more = since.has_more;
        for piece in &since.pieces {
            self.place = piece.next;
            self.ready.push_back(output(piece));
        }
        let run = FieldRunBody::from(since.run.clone());
        let state = run.without_output();
        if self.shown.as_ref() != Some(&state) {
            self.ready.push_back(SentEvent {
                id: None,
                kind: "run",
                data: written(&run),
            });
            self.shown = Some(state);
        }
        if since.is_done {
            self.end("done");
        }
        Ok(())
    }

    fn end(&mut self, reason: &'static str) {
        self.ready.push_back(SentEvent {
            id: None,
            kind: "end",
            data: json!({ "reason": reason }),
        });
        self.is_over = true;
    }
}

fn output(piece: &OutputPiece) -> SentEvent {
    SentEvent {
        id: Some(piece.next.number()),
        kind: "output",
        data: json!({
            "stream": piece.stream,
            "text": piece.text,
            "left_out": piece.left_out,
        }),
    }
}

fn reason(fault: &FieldFault) -> &'static str {
    match fault.code {
        FieldFaultCode::UnknownRun => "run_gone",
        _ => {
            tracing::warn!(%fault, "the output of a run cannot be read");
            "failed"
        }
    }
}
