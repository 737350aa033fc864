//! Signing in with a passkey: the script's two requests, and the page of the second step.

use axum::{
    Json,
    extract::{State, rejection::JsonRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use leptos::prelude::*;
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
    let body = view! {
        <main>
            <p class="sign-in-name">"J.A.R.V.I.S."</p>
            <h1>"Now your passkey"</h1>
            <p>"Your password is correct. You chose to require a passkey as well."</p>
            {passkey(http, true)}
            <p>
                "No passkey at hand? An admin can make you a sign-in link. "
                <a href="/sign-in">"Start over"</a>
            </p>
        </main>
    };
    let theme = plain_page::theme(headers);
    let page = plain_page::scripted(http, theme, "sign-in", "Now your passkey", body.into_any());
    with_cookie(page, cookie)
}

/// Draws the part of a page that asks for a passkey; none where there are none.
pub(super) fn passkey(http: &Http, alone: bool) -> Option<impl IntoView + use<>> {
    let origin = http.auth.origin()?;
    let class = if alone {
        "button button--primary"
    } else {
        "button"
    };
    Some(view! {
        <div class="plain-form" data-passkey="sign-in" data-origin=origin>
            <button type="button" class=class hidden>
                "Sign in with a passkey"
            </button>
            <p role="status">{alone.then_some("Passkeys need JavaScript.")}</p>
        </div>
    })
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    no_store(response)
}
