//! `/api/v1/markets/prices`: prices that a program sends.

use std::sync::Arc;

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use markets::{Markets, PushRefusal, PushedPrices};
use protocol::Role;
use serde_json::json;

use super::texts;
use crate::routes::Route;

/// The largest message, in bytes.
const LARGEST: usize = 16 * 1024;

/// A message in the right form. Its prices are old.
const EXAMPLE: &str =
    r#"{"EURUSD": {"bid": 1.08412, "ask": 1.0842, "at": "2026-11-23T10:15:00Z"}}"#;

pub(super) fn route(markets: &Markets, pushed: Arc<PushedPrices>) -> Route {
    let markets = markets.clone();
    let take = |text: String| async move { answer(&markets, &pushed, &text).await };
    Route::post("/prices", Role::Operator, take)
        .body(EXAMPLE)
        .limit(LARGEST)
        .feed()
}

async fn answer(markets: &Markets, pushed: &PushedPrices, text: &str) -> Response {
    match markets.bring(pushed, text).await {
        Ok(answer) => Json(answer).into_response(),
        Err(PushRefusal::Store(error)) => {
            (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response()
        }
        Err(refused) => {
            let body = json!({
                "code": refused.code(),
                "message": refused.to_string(),
                "help": texts::FORM_OF_PRICES,
            });
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
    }
}
