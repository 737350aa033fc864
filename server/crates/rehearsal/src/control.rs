//! Control over HTTP, for tests outside this process; only if the server was started with it.

mod document;

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    fault::Fault,
    pace::Pace,
    reply::Block,
    script::{Scripted, Seen},
    shared::Shared,
};

pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/control/script", post(push).delete(clear))
        .route("/control/requests", get(requests))
}

/// A single entry or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entries {
    Many(Vec<Value>),
    One(Value),
}

async fn push(State(shared): State<Arc<Shared>>, body: Bytes) -> (StatusCode, Json<Value>) {
    let entries = match serde_json::from_slice(&body) {
        Ok(Entries::Many(entries)) => entries,
        Ok(Entries::One(entry)) => vec![entry],
        Err(error) => return wrong(&error),
    };
    let mut read = Vec::new();
    for entry in entries {
        match serde_json::from_value::<Scripted>(entry) {
            Ok(scripted) => read.push(scripted),
            Err(error) => return wrong(&error),
        }
    }
    for scripted in read {
        shared.script.push(scripted);
    }
    (
        StatusCode::OK,
        Json(json!({ "waiting": shared.script.waiting() })),
    )
}

fn wrong(error: &serde_json::Error) -> (StatusCode, Json<Value>) {
    let answer = json!({ "error": error.to_string() });
    (StatusCode::BAD_REQUEST, Json(answer))
}

async fn clear(State(shared): State<Arc<Shared>>) -> StatusCode {
    shared.script.clear();
    StatusCode::NO_CONTENT
}

async fn requests(State(shared): State<Arc<Shared>>) -> Json<Vec<Seen>> {
    Json(shared.script.requests())
}

/// Parses markers such as `[[fault:stall]]`, `[[fault:{"type":"stall","after":3}]]`,
/// `[[tokens:5000]]`, `[[rate:500]]` and `[[first:0]]` (milliseconds) in the user's words.
pub(crate) fn markers(words: &str, default: Pace, scripted: &mut Scripted) {
    let mut rest = words;
    while let Some((_, after)) = rest.split_once("[[") {
        let Some((marker, next)) = after.split_once("]]") else {
            return;
        };
        rest = next;
        let Some((name, value)) = marker.split_once(':') else {
            continue;
        };
        let mut pace = scripted.pace.unwrap_or(default);
        match (name.trim(), value.trim().parse::<u32>()) {
            ("tokens", Ok(count)) => {
                scripted.blocks = Some(vec![Block::text(document::of(u64::from(count)))]);
            }
            ("rate", Ok(rate)) => {
                pace.tokens_per_second = rate;
                scripted.pace = Some(pace);
            }
            ("first", Ok(ms)) => {
                pace.first_token_ms = u64::from(ms);
                scripted.pace = Some(pace);
            }
            ("fault", _) => scripted.faults.extend(fault(value.trim())),
            _ => {}
        }
    }
}

/// Parses a fault from JSON, or from its name alone, which means after three deltas.
fn fault(text: &str) -> Option<Fault> {
    if text.starts_with('{') {
        return serde_json::from_str(text).ok();
    }
    [
        json!({ "type": text }),
        json!({ "type": text, "after": 3 }),
        json!({ "type": text, "ms": 3_000 }),
        json!({ "type": text, "status": 502 }),
    ]
    .into_iter()
    .find_map(|value| serde_json::from_value(value).ok())
}
