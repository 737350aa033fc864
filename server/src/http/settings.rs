//! Settings: pages of plain forms, for what a user may change.

mod profile;

use axum::{
    Router,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use leptos::prelude::*;

use super::{
    Http, SignedIn,
    plain::{self, no_store, with_status},
};

/// The routes, all behind a session.
pub(super) fn routes() -> Router<Http> {
    Router::new().route("/settings", get(profile::page).post(profile::change))
}

/// What happened to the form that was sent, as its page says it.
enum Note {
    None,
    Done(&'static str),
    Problem(String),
}

/// One page: its heading, what happened, its sections.
fn page(
    http: &Http,
    theme: &'static str,
    signed_in: &SignedIn,
    title: &'static str,
    note: Note,
    body: AnyView,
) -> Response {
    let (status, note) = match note {
        Note::None => (StatusCode::OK, None),
        Note::Done(done) => (
            StatusCode::OK,
            Some(view! { <p class="plain-done" role="status">{done}</p> }.into_any()),
        ),
        Note::Problem(problem) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            Some(view! { <p class="plain-problem" role="alert">{problem}</p> }.into_any()),
        ),
    };
    let user = &signed_in.user;
    let who = format!("{}, {}", user.name, user.role.word());
    let body = view! {
        <header class="plain-head">
            <a href="/">"J.A.R.V.I.S."</a>
            <span>{who}</span>
        </header>
        <main>
            <h1>{title}</h1>
            {note}
            {body}
        </main>
    };
    let page = plain::document(http, theme, "plain", title, body.into_any());
    with_status(page, status)
}

/// After a form that did what it says: a reload does not send it again.
fn done(path: &str) -> Response {
    no_store(Redirect::to(path).into_response())
}

/// The database did not do it.
fn failed(http: &Http, theme: &'static str, error: &store::Error) -> Response {
    tracing::error!(%error, "a setting could not be read or changed");
    super::sign_in::explain(http, theme, StatusCode::SERVICE_UNAVAILABLE)
}
