//! `/api/v1/markets/notices`: the notices that a person alone gets. Those of everybody are the engine's.

use axum::{
    Extension, Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use markets::Markets;
use protocol::Role;
use serde_json::json;
use sign_in::SignedIn;

use crate::routes::Route;

pub(super) fn route(markets: &Markets) -> Route {
    let markets = markets.clone();
    let read = |Extension(who): Extension<SignedIn>| async move { answer(&markets, &who).await };
    Route::get("/notices", Role::Viewer, read)
}

async fn answer(markets: &Markets, who: &SignedIn) -> Response {
    match markets.own_notices(who.user.id).await {
        Ok(notices) => Json(json!({ "notices": notices })).into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}
