//! Signing in with a passkey: the script's two requests, and the page of the second step.

use app::plain_pages::sign_in;
use axum::{
    Json,
    extract::{State, rejection::JsonRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use serde_json::json;
use webauthn_rs::prelude::PublicKeyCredential;

use super::{
    Http,
    client::Client,
    passkeys::Trouble,
    plain_page::{self, no_store},
};

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let (status, code, message) = match self {
            Self::Refused(why) => (StatusCode::FORBIDDEN, ErrorCode::Forbidden, why),
            error => {
                tracing::error!(%error, "a passkey could not be asked for or checked");
                let message = "Passkeys aren't working at the moment. The server's log has the \
                details.";
                (
                    StatusCode::SERVICE_UNAVAILABLE,
                    ErrorCode::StorageFailed,
                    message,
                )
            }
        };
        no_store((status, Json(ErrorBody::new(code, message))).into_response())
    }
}

/// Returns the request for the browser's passkey prompt.
pub(super) async fn begin(State(http): State<Http>, headers: HeaderMap) -> Response {
    match http.auth.ask_passkey(&headers).await {
        Ok((question, cookie)) => with_cookie(Json(question).into_response(), cookie),
        Err(trouble) => trouble.into_response(),
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
        let error = ErrorBody::new(ErrorCode::Malformed, "The browser's answer can't be read.");
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response();
    };
    match Box::pin(http.auth.try_passkey(answer, client, &headers)).await {
        Ok(cookie) => {
            let to = http.auth.onward(&headers);
            let response = Json(json!({ "to": to })).into_response();
            with_cookie(
                with_cookie(response, Some(cookie)),
                http.auth.forget(&headers),
            )
        }
        Err(trouble) => trouble.into_response(),
    }
}

/// Draws the page after a correct password of a user who also needs a passkey.
pub(super) fn second_step(
    http: &Http,
    headers: &HeaderMap,
    cookie: Option<HeaderValue>,
) -> Response {
    let page = sign_in::second_step(http.auth.origin());
    let theme = plain_page::theme(headers);
    with_cookie(plain_page::answer(http, theme, page), cookie)
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    no_store(response)
}
