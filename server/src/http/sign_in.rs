//! Signing in with a password or a one-time link, and out.

use app::plain_pages::sign_in::{self as pages, LinkOffer, SignInForm};
use axum::{
    Extension, Form,
    extract::{Query, State, rejection::FormRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use sign_in::{Client, SignedIn, Tried};

use super::{
    Http,
    auth::{add_cookie, presented},
    by_passkey, by_proxy,
    plain_page::{self, no_store, with_status},
};
use crate::texts;

/// The query of a sign-in link.
#[derive(Deserialize)]
pub(super) struct Link {
    token: Option<String>,
}

/// The fields of the form.
#[derive(Deserialize)]
pub(super) struct Fields {
    name: String,
    password: String,
}

/// Draws the page of a link: the user that it signs in, and a button. Opening it changes nothing,
/// so programs that preview links do not use them up, and no other site can sign a browser in by
/// linking there. Without a token, draws the page with the form.
pub(super) async fn page(
    State(http): State<Http>,
    headers: HeaderMap,
    Query(link): Query<Link>,
) -> Response {
    let theme = plain_page::theme(&headers);
    let Some(token) = link.token else {
        return form(&http, theme, StatusCode::OK, FormerAttempt::default());
    };
    let found = async {
        let user = http.auth.link_user(&token).await?;
        Ok::<_, store::Error>(user.zip(Some(http.auth.signed_in(&presented(&headers)).await?)))
    };
    match found.await {
        Ok(Some((user, now))) => {
            let now = now.map(|signed_in| signed_in.user.name);
            let offer = LinkOffer {
                token,
                name: user.name,
                now,
            };
            plain_page::answer(&http, theme, offer.page())
        }
        Ok(None) => explain(&http, theme, StatusCode::FORBIDDEN),
        Err(error) => {
            tracing::error!(%error, "a sign-in link could not be looked up");
            explain(&http, theme, StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// Signs in: with the link in the address, or with the name and password of the form.
pub(super) async fn enter(
    State(http): State<Http>,
    client: Client,
    headers: HeaderMap,
    Query(link): Query<Link>,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    match link.token {
        Some(token) => by_link(&http, &token, client, &headers).await,
        None => by_password(&http, client, &headers, fields).await,
    }
}

/// Uses up a link and goes to the first page.
async fn by_link(http: &Http, token: &str, client: Client, headers: &HeaderMap) -> Response {
    let theme = plain_page::theme(headers);
    match http.auth.sign_in(token, client, &presented(headers)).await {
        Ok(Some(cookie)) => welcome(http, headers, &cookie),
        Ok(None) => explain(http, theme, StatusCode::FORBIDDEN),
        Err(error) => {
            tracing::error!(%error, "signing in failed");
            explain(http, theme, StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// Signs in with name and password.
async fn by_password(
    http: &Http,
    client: Client,
    headers: &HeaderMap,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    let theme = plain_page::theme(headers);
    let Form(fields) = match fields {
        Ok(fields) => fields,
        Err(rejection) => {
            let attempt = FormerAttempt {
                problem: Some(texts::settings::FORM_CANNOT_BE_READ.to_owned()),
                name: None,
            };
            return form(http, theme, rejection.status(), attempt);
        }
    };
    let Fields { name, password } = fields;
    let again = |status, problem: &str| {
        let attempt = FormerAttempt {
            problem: Some(problem.to_owned()),
            name: Some(name.trim().chars().take(64).collect()),
        };
        form(http, theme, status, attempt)
    };
    let presented = presented(headers);
    let tried = http
        .auth
        .try_password(name.trim(), password, client, &presented);
    match Box::pin(tried).await {
        Ok(Tried::In(cookie)) => welcome(http, headers, &cookie),
        Ok(Tried::Half(cookie)) => by_passkey::second_step(http, headers, cookie),
        Ok(Tried::Wrong) => again(
            StatusCode::FORBIDDEN,
            texts::settings::INCORRECT_NAME_OR_PASSWORD,
        ),
        Ok(Tried::ShutOut(why)) => again(StatusCode::FORBIDDEN, why),
        Ok(Tried::Wait(wait)) => {
            let seconds = wait.as_secs().max(1);
            let problem = texts::settings::too_many_attempts(seconds);
            let mut response = again(StatusCode::TOO_MANY_REQUESTS, &problem);
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            response
        }
        Ok(Tried::Busy) => again(
            StatusCode::SERVICE_UNAVAILABLE,
            texts::settings::TOO_MANY_SIGN_INS,
        ),
        Err(error) => {
            tracing::error!(%error, "signing in failed");
            explain(http, theme, StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// Answers programs that preview a link before a person opens it, and leaves the link unused.
pub(super) async fn look() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Ends the session.
pub(super) async fn sign_out(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    headers: HeaderMap,
) -> Response {
    match http.auth.sign_out(&signed_in).await {
        Ok(cookie) => {
            let mut response = match &http.proxy_sign_in {
                Some(proxy) if signed_in.needs_word() => {
                    by_proxy::signed_out(&http, &headers, proxy)
                }
                _ => Redirect::to("/").into_response(),
            };
            add_cookie(&mut response, &cookie);
            no_store(response)
        }
        Err(error) => {
            tracing::error!(%error, "signing out failed");
            let theme = plain_page::theme(&headers);
            explain(&http, theme, StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// Redirects to the person's destination.
fn welcome(http: &Http, headers: &HeaderMap, cookie: &str) -> Response {
    let presented = presented(headers);
    let mut response = Redirect::to(&http.auth.onward(&presented)).into_response();
    add_cookie(&mut response, cookie);
    if let Some(cookie) = http.auth.forget(&presented) {
        add_cookie(&mut response, &cookie);
    }
    no_store(response)
}

/// Answers people without a session: with a form, or with the reason why there is none.
pub(super) fn explain(http: &Http, theme: &'static str, status: StatusCode) -> Response {
    let page = match status {
        StatusCode::FORBIDDEN => pages::dead_link(),
        StatusCode::SERVICE_UNAVAILABLE => pages::no_database(),
        _ => return form(http, theme, status, FormerAttempt::default()),
    };
    with_status(plain_page::answer(http, theme, page), status)
}

/// The attempt before, as the form shows it.
#[derive(Default)]
struct FormerAttempt {
    problem: Option<String>,
    name: Option<String>,
}

fn form(http: &Http, theme: &'static str, status: StatusCode, attempt: FormerAttempt) -> Response {
    let form = SignInForm {
        problem: attempt.problem,
        name: attempt.name,
        origin: http.auth.origin(),
    };
    with_status(plain_page::answer(http, theme, form.page()), status)
}
