//! Access control: the middleware that requires a session or a token, and the headers that carry them.

use std::net::SocketAddr;

use ::sign_in::{Found, Presented, SignedIn, Word};
use app::CurrentUser;
use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};

use super::{
    Http, api, by_proxy, client, connections::Asking, plain_page, sign_in, trace::ToSignedIn,
};
use crate::texts;

/// Passes a request with a valid session, and adds its person.
pub(super) async fn require(
    State(http): State<Http>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let proxy = http.proxy_sign_in.as_ref();
    let word = by_proxy::word(proxy, peer.map(|peer| peer.0.ip()), headers);
    let presented = presented(headers);
    let found = match (word, proxy) {
        // A token is used alone.
        (Word::User { name, role }, Some(proxy)) if presented.token().is_none() => {
            let client = client::of(&http, peer.map(|peer| peer.0), headers);
            let rules = &proxy.rules;
            let found = http.auth.by_proxy(rules, &name, role, client, &presented);
            Box::pin(found).await
        }
        (Word::Refused(why), _) => {
            tracing::warn!(why, "reverse proxy statement rejected");
            Ok(Found::Refused(why))
        }
        (Word::NotLetIn { name }, _) if presented.token().is_none() => {
            http.auth.not_let_in(&name).await
        }
        _ => http
            .auth
            .signed_in(&presented)
            .await
            .map(|found| match found {
                Some(signed_in) if !signed_in.needs_word() => {
                    Found::User(Box::new(signed_in), None)
                }
                _ => Found::Nobody,
            }),
    };
    match found {
        Ok(Found::User(signed_in, cookie)) => {
            // There are quotas for people; strangers must not keep a connection for long.
            if let Some(asking) = request.extensions().get::<Asking>() {
                asking.is_taken();
            }
            request.extensions_mut().insert(*signed_in);
            let mut response = next.run(request).await;
            response.extensions_mut().insert(ToSignedIn);
            if let Some(cookie) = cookie
                && !response.headers().contains_key(header::SET_COOKIE)
            {
                add_cookie(&mut response, &cookie);
            }
            response
        }
        Ok(Found::Refused(why)) => {
            by_proxy::refuse(&http, request.headers(), wants_page(&request), why)
        }
        Ok(Found::Nobody) if wants_page(&request) => {
            let theme = plain_page::theme(request.headers());
            let mut response = sign_in::explain(&http, theme, StatusCode::UNAUTHORIZED);
            if let Some(cookie) = http.auth.remember(request.uri().path()) {
                add_cookie(&mut response, &cookie);
            }
            response
        }
        Ok(Found::Nobody) => {
            let for_programs = api::is_for_programs(request.uri().path());
            let (message, help) = if ::sign_in::is_older(&presented) {
                let message = texts::http::OLD_KIND_OF_TOKEN;
                (message, texts::http::CREATE_A_NEW_TOKEN)
            } else if presented.token().is_some() {
                let message = texts::http::TOKEN_IS_NOT_KNOWN;
                (message, texts::http::CREATE_A_TOKEN)
            } else if for_programs {
                (texts::http::NOT_SIGNED_IN, texts::http::SEND_A_TOKEN)
            } else {
                (texts::http::NOT_SIGNED_IN, texts::http::SIGN_IN_HELP)
            };
            let error = ErrorBody::new(ErrorCode::NotSignedIn, message).with_help(help);
            (StatusCode::UNAUTHORIZED, axum::Json(error)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a session could not be looked up");
            let error = ErrorBody::new(ErrorCode::StorageFailed, texts::http::SESSION_UNREADABLE)
                .with_help(texts::http::SEE_LOG);
            (StatusCode::SERVICE_UNAVAILABLE, axum::Json(error)).into_response()
        }
    }
}

/// True if a browser asks for a page, rather than a program for data.
pub(super) fn wants_page(request: &Request) -> bool {
    let accept = request
        .headers()
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    let upgrade = request.headers().contains_key(header::UPGRADE);
    !upgrade && accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Returns the identifying headers of a request, as text.
pub(super) fn presented(headers: &HeaderMap) -> Presented<'_> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let authorization = headers.get(header::AUTHORIZATION);
    Presented {
        cookies: cookies.filter_map(|value| value.to_str().ok()).collect(),
        authorization: authorization.and_then(|value| value.to_str().ok()),
    }
}

/// Adds a `Set-Cookie` header to a response.
pub(super) fn add_cookie(response: &mut Response, cookie: &str) {
    match HeaderValue::from_str(cookie) {
        Ok(cookie) => {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Err(error) => tracing::error!(%error, "cookie is not a valid header value, not sent"),
    }
}

/// Returns the user behind a request, as pages and server functions know them.
pub(super) fn current_user(signed_in: &SignedIn) -> CurrentUser {
    let user = &signed_in.user;
    CurrentUser {
        id: user.id,
        name: user.name.clone(),
        role: user.role,
        toolsets: user.toolsets.clone(),
        is_program: signed_in.is_program(),
        request: None,
    }
}
