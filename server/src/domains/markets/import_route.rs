//! `/api/v1/markets/imports`: files with candles and records, from the chart's page and from programs.

use axum::{
    Extension, Json,
    body::Bytes,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use markets::{Symbol, Timeframe, drawing::SeenBy, symbols::declared};
use markets_tables::MarketsTables;
use protocol::{Role, UserId};
use serde::Deserialize;
use serde_json::json;
use sign_in::SignedIn;
use tokio::runtime::Handle;

use super::{
    imports::{ImportAnswer, ImportKind, WantedImport, perform_on},
    texts,
};
use crate::routes::Route;

/// The largest file, in bytes; the command and the folder take larger ones.
const LARGEST: usize = 16 * 1024 * 1024;

/// A file that fits the example's query.
const EXAMPLE: &str = r#"{"published_at": "2026-11-23T10:15:00Z", "text": "Euro steady"}"#;

/// The content of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportQuery {
    what: ImportKind,
    /// Of candles.
    symbol: Option<String>,
    timeframe: Option<Timeframe>,
    /// Of trades: those who see them, everybody or the person who sends the file.
    #[serde(default)]
    seen_by: SeenBy,
}

pub(super) fn route(tables: &MarketsTables) -> Route {
    let tables = tables.clone();
    let take = |Extension(who): Extension<SignedIn>, query: Query<ImportQuery>, body: Bytes| async move {
        taken(tables, who.user.id, query.0, body).await
    };
    Route::post("/imports", Role::Operator, take)
        .example("/imports?what=headlines")
        .body(EXAMPLE)
        .limit(LARGEST)
}

async fn taken(tables: MarketsTables, person: UserId, query: ImportQuery, body: Bytes) -> Response {
    let symbol = query
        .symbol
        .unwrap_or_else(|| Symbol::EurUsd.name().to_owned());
    if let Err(unknown) = declared(&symbol) {
        return refused("symbol_unknown", &unknown.to_string());
    }
    let wanted = WantedImport::File {
        what: query.what,
        symbol,
        timeframe: query.timeframe.unwrap_or_default(),
        owner: (query.seen_by == SeenBy::Me).then_some(person),
    };
    // A large file takes a while to read.
    let import = move || Handle::current().block_on(perform_on(&tables, &wanted, || Ok(&body[..])));
    match tokio::task::spawn_blocking(import).await {
        Ok(ImportAnswer::Stored { written, unchanged }) => {
            Json(json!({ "written": written, "unchanged": unchanged })).into_response()
        }
        Ok(ImportAnswer::Refused(why)) => refused("file_refused", &why),
        // No file leads to that.
        Ok(ImportAnswer::Deleted(_)) => StatusCode::NO_CONTENT.into_response(),
        Ok(ImportAnswer::Failed(why)) => (StatusCode::SERVICE_UNAVAILABLE, why).into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}

fn refused(code: &str, why: &str) -> Response {
    let body = json!({ "code": code, "message": why, "help": texts::NOTHING_WAS_IMPORTED });
    (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
}
