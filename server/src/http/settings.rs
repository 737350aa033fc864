//! Settings: pages of plain forms, for what a user may change.

mod profile;
mod sessions;
mod tokens;
mod users;

use axum::{
    Router,
    http::StatusCode,
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use leptos::prelude::*;
use protocol::Role;
use serde::Deserialize;

use super::{
    Http, SignedIn, bearer,
    plain::{self, moment, no_store, with_status},
};

/// The routes, all behind a session.
pub(super) fn routes() -> Router<Http> {
    let users = Router::new()
        .route("/settings/users", get(users::page).post(users::change))
        .layer(middleware::from_fn(bearer::admins_only));
    Router::new()
        .route("/settings", get(profile::page).post(profile::change))
        .route(
            "/settings/sessions",
            get(sessions::page).post(sessions::end),
        )
        .route("/settings/tokens", get(tokens::page).post(tokens::change))
        .merge(users)
}

/// What a form says that cannot be read.
const UNREADABLE: &str = "The form could not be read.";

/// The pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Profile,
    Sessions,
    Tokens,
    Users,
}

impl Tab {
    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Profile => ("/settings", "Password"),
            Self::Sessions => ("/settings/sessions", "Sessions"),
            Self::Tokens => ("/settings/tokens", "API tokens"),
            Self::Users => ("/settings/users", "Users"),
        }
    }
}

/// The query of a page after a form that did what it says.
#[derive(Deserialize)]
struct Arrived {
    done: Option<String>,
}

impl Arrived {
    fn note(&self, done: &'static str) -> Note {
        match self.done {
            Some(_) => Note::Done(done),
            None => Note::None,
        }
    }
}

/// What happened to the form that was sent, as its page says it.
enum Note {
    None,
    Done(&'static str),
    Problem(String),
    /// What is shown this once.
    Secret {
        text: String,
        secret: String,
    },
}

/// One page: its heading, what happened, its sections.
fn page(
    http: &Http,
    theme: &'static str,
    signed_in: &SignedIn,
    tab: Tab,
    note: Note,
    body: AnyView,
) -> Response {
    let (status, note) = match note {
        Note::None => (StatusCode::OK, None),
        Note::Done(done) => (
            StatusCode::OK,
            Some(view! { <p class="plain-done" role="status">{done}</p> }.into_any()),
        ),
        Note::Secret { text, secret } => (
            StatusCode::OK,
            Some(
                view! {
                    <div class="plain-done" role="status">
                        <p>{text}</p>
                        <code class="plain-secret">{secret}</code>
                    </div>
                }
                .into_any(),
            ),
        ),
        Note::Problem(problem) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            Some(view! { <p class="plain-problem" role="alert">{problem}</p> }.into_any()),
        ),
    };
    let user = &signed_in.user;
    let who = format!("{}, {}", user.name, user.role.word());
    let (_, title) = tab.name();
    let tabs = [Tab::Profile, Tab::Sessions, Tab::Tokens, Tab::Users];
    let may = |other: &Tab| *other != Tab::Users || user.role >= Role::Admin;
    let links: Vec<_> = tabs
        .into_iter()
        .filter(may)
        .map(|other| {
            let (path, name) = other.name();
            let current = (other == tab).then_some("page");
            view! { <a href=path aria-current=current>{name}</a> }
        })
        .collect();
    let body = view! {
        <header class="plain-head">
            <a href="/">"J.A.R.V.I.S."</a>
            <nav class="plain-nav" aria-label="Settings">{links}</nav>
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

/// A choice of roles up to `most`.
fn roles(selected: Role, most: Role) -> impl IntoView {
    let options: Vec<_> = Role::ALL
        .into_iter()
        .filter(|role| *role <= most)
        .map(|role| {
            let word = role.word();
            view! { <option value=word selected=role == selected>{word}</option> }
        })
        .collect();
    view! { <select name="role" aria-label="Role">{options}</select> }
}
