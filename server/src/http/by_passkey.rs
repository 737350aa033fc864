//! Signing in with a passkey: the script's two requests, and the page of the second step.

use app::plain_pages::sign_in::second_step as page;
use axum::{
    Json,
    extract::{State, rejection::JsonRejection},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use serde_json::json;
use sign_in::{Client, PublicKeyCredential, Trouble};

use super::{
    Http,
    auth::{add_cookie, presented},
    plain_page::{self, no_store},
};
use crate::texts;

/// Returns the answer to a request whose passkey failed.
pub(super) fn failed(trouble: Trouble) -> Response {
    let (status, code, message) = match trouble {
        Trouble::Refused(why) => (StatusCode::FORBIDDEN, ErrorCode::Forbidden, why),
        error => {
            tracing::error!(%error, "a passkey could not be asked for or checked");
            let message = texts::settings::PASSKEYS_DO_NOT_WORK;
            (
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorCode::StorageFailed,
                message,
            )
        }
    };
    no_store((status, Json(ErrorBody::new(code, message))).into_response())
}

/// Returns the request for the browser's passkey prompt.
pub(super) async fn begin(State(http): State<Http>, headers: HeaderMap) -> Response {
    match http.auth.ask_passkey(&presented(&headers)).await {
        Ok((question, cookie)) => with_cookies(Json(question).into_response(), [cookie]),
        Err(trouble) => failed(trouble),
    }
}

/// Handles the browser's answer.
pub(super) async fn finish(
    State(http): State<Http>,
    client: Client,
    headers: HeaderMap,
    answer: Result<Json<PublicKeyCredential>, JsonRejection>,
) -> Response {
    let Ok(Json(answer)) = answer else {
        let error = ErrorBody::new(
            ErrorCode::Malformed,
            texts::settings::BROWSER_ANSWER_UNREADABLE,
        );
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response();
    };
    let presented = presented(&headers);
    match Box::pin(http.auth.try_passkey(answer, client, &presented)).await {
        Ok(cookie) => {
            let to = http.auth.onward(&presented);
            let response = Json(json!({ "to": to })).into_response();
            with_cookies(response, [Some(cookie), http.auth.forget(&presented)])
        }
        Err(trouble) => failed(trouble),
    }
}

/// Draws the page after a correct password of a user who also needs a passkey.
pub(super) fn second_step(http: &Http, headers: &HeaderMap, cookie: String) -> Response {
    let theme = plain_page::theme(headers);
    let page = plain_page::answer(http, theme, page(http.auth.origin()));
    with_cookies(page, [Some(cookie)])
}

fn with_cookies(
    mut response: Response,
    cookies: impl IntoIterator<Item = Option<String>>,
) -> Response {
    for cookie in cookies.into_iter().flatten() {
        add_cookie(&mut response, &cookie);
    }
    no_store(response)
}
