//! Calls as the audit chain records them, for a replay under another policy.

use std::collections::HashMap;

use agent::Recorded;
use protocol::{Assurance, CallId, EventBody, OriginSource, Role, Timestamp};
use serde::Deserialize;
use serde_json::Value;
use sqlx::Row;

use crate::{Error, Store, audit::bounded::is_shortened};

/// Rows read for each call that is asked for: a call has a few.
const ROWS: usize = 3;

#[derive(Deserialize)]
struct RecordedBody {
    event: EventBody,
    #[serde(default)]
    detail: RecordedDetail,
}

/// The detail that the chain keeps beside the event.
#[derive(Default, Deserialize)]
struct RecordedDetail {
    tool: Option<String>,
    input: Option<Value>,
    gate: Option<RecordedFacts>,
}

/// The gate's facts; older rows do not have them.
#[derive(Default, Deserialize)]
struct RecordedFacts {
    role: Option<Role>,
    tainted: Option<bool>,
    denied: Option<bool>,
    by_person: Option<bool>,
}

impl Store {
    /// The newest recorded calls, at most `limit`, newest first. Unreadable rows are left out.
    pub async fn recorded_calls(&self, limit: usize) -> Result<Vec<Recorded>, Error> {
        let rows = sqlx::query(
            "SELECT at, body FROM audit WHERE kind IN \
             ('confirmation_requested', 'tool_queued', 'tool_started', 'tool_blocked') \
             ORDER BY seq DESC LIMIT ?",
        )
        .bind(i64::try_from(limit.saturating_mul(ROWS)).unwrap_or(i64::MAX))
        .fetch_all(self.readers())
        .await?;
        let read = move || -> Result<Vec<Recorded>, Error> {
            let mut calls = RecordedCalls::new(limit);
            for row in rows {
                let at = Timestamp(row.try_get("at")?);
                if let Ok(body) = serde_json::from_str(row.try_get("body")?) {
                    calls.add(at, body);
                }
            }
            Ok(calls.found)
        };
        // Thousands of texts are parsed: not on a thread that others wait for.
        let read = tokio::task::spawn_blocking(read).await;
        read.map_err(|error| Error::Damaged(error.to_string()))?
    }
}

/// The calls of rows that come newest first.
struct RecordedCalls {
    limit: usize,
    found: Vec<Recorded>,
    places: HashMap<CallId, usize>,
}

impl RecordedCalls {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            found: Vec::new(),
            places: HashMap::new(),
        }
    }

    fn add(&mut self, at: Timestamp, body: RecordedBody) {
        let Some((call, recorded)) = recorded(at, body) else {
            return;
        };
        if let Some(place) = self.places.get(&call) {
            if let Some(newer) = self.found.get_mut(*place) {
                complete(newer, recorded);
            }
        } else if self.found.len() < self.limit {
            self.places.insert(call, self.found.len());
            self.found.push(recorded);
        }
    }
}

fn recorded(at: Timestamp, body: RecordedBody) -> Option<(CallId, Recorded)> {
    let RecordedDetail { tool, input, gate } = body.detail;
    // Another policy's decision on a missing input cannot be known.
    let input = input.filter(|input| !is_shortened(input));
    let facts = gate.unwrap_or_default();
    let mut recorded = Recorded {
        at,
        tool: tool?,
        input: input?,
        target: None,
        by_person: facts.by_person.unwrap_or(false),
        role: facts.role,
        tainted: facts.tainted,
        denied: facts.denied.unwrap_or(false),
        irreversible: None,
        granted: false,
    };
    let call = match body.event {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => {
            let untrusted = |source: &OriginSource| {
                matches!(
                    source,
                    OriginSource::Tool { .. } | OriginSource::Context | OriginSource::Unknown
                )
            };
            let mut origins = confirmation.origins.iter();
            // Cards from before these facts were recorded beside them.
            recorded.tainted = recorded
                .tainted
                .or_else(|| Some(origins.any(|origin| untrusted(&origin.source))));
            recorded.by_person |= confirmation.original.is_some();
            recorded.irreversible = Some(
                confirmation.irreversible.is_some()
                    || matches!(
                        confirmation.assurance,
                        Assurance::Type { .. } | Assurance::Unknown
                    ),
            );
            recorded.target = Some(confirmation.target);
            call
        }
        EventBody::ToolQueued { call, target, .. } => {
            recorded.target = target;
            call
        }
        EventBody::ToolStarted {
            call,
            target,
            grant,
            input,
            ..
        } => {
            recorded.target = target;
            recorded.granted = grant.is_some();
            recorded.by_person |= input.is_some();
            call
        }
        EventBody::ToolBlocked { call, .. } => call,
        _ => return None,
    };
    Some((call, recorded))
}

/// Adds the facts of an older row of the same call. The newest input counts.
fn complete(newer: &mut Recorded, older: Recorded) {
    newer.role = newer.role.or(older.role);
    newer.tainted = newer.tainted.or(older.tainted);
    newer.irreversible = newer.irreversible.or(older.irreversible);
    newer.by_person |= older.by_person;
    newer.target = newer.target.take().or(older.target);
    newer.at = older.at;
}
