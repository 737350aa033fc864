//! Settings: pages of plain forms for a user's own settings and for admins.

mod frame;
mod import;
mod kill_switch;
mod look;
mod model;
mod passkeys;
mod policy;
mod profile;
mod prompts;
mod sessions;
mod tokens;
mod users;

pub(super) use users::bad_name;

use axum::{
    Extension, RequestPartsExt, Router,
    extract::{DefaultBodyLimit, FromRequestParts, Query, Request, State},
    http::{StatusCode, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use leptos::prelude::*;
use protocol::{Role, Status};
use serde::Deserialize;

use super::{
    Http, SignedIn,
    auth::wants_page,
    bearer, by_proxy,
    plain_page::{self, moment, no_store, with_status},
};

/// Returns the routes, all behind a session.
pub(super) fn routes(http: &Http) -> Router<Http> {
    let users = Router::new()
        .route("/settings/users", get(users::page).post(users::change))
        .route("/settings/model", get(model::page).post(model::change))
        .route("/settings/policy", get(policy::page).post(policy::change))
        .layer(middleware::from_fn_with_state(http.clone(), admins_only));
    Router::new()
        .route("/settings", get(profile::page).post(profile::change))
        .route("/settings/look", get(look::page).post(look::change))
        .route("/settings/kill-switch", post(kill_switch::change))
        .route(
            "/settings/sessions",
            get(sessions::page).post(sessions::end),
        )
        .route(
            "/settings/passkeys",
            get(passkeys::page).post(passkeys::change),
        )
        .route("/settings/passkeys/begin", post(passkeys::begin))
        .route("/settings/passkeys/add", post(passkeys::add))
        .route("/settings/tokens", get(tokens::page).post(tokens::change))
        .route(
            "/settings/prompts",
            get(prompts::page).post(prompts::change),
        )
        .route("/settings/import", get(import::page))
        .merge(users)
}

/// Refuses everybody but admins; a browser gets a page with a way out.
async fn admins_only(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    const WHY: &str = "Only admins can do this.";
    if signed_in.user.role >= Role::Admin {
        return next.run(request).await;
    }
    if !wants_page(&request) {
        return bearer::refuse(WHY);
    }
    let body = view! {
        <main>
            <p class="sign-in-name">"J.A.R.V.I.S."</p>
            <h1>"Admins only"</h1>
            <p>{WHY} " Ask an admin, or sign in as one."</p>
            <p>
                <a href="/settings">"Your settings"</a>
            </p>
        </main>
    };
    let theme = plain_page::theme(request.headers());
    let page = plain_page::document(&http, theme, "sign-in", "Admins only", body.into_any());
    no_store(with_status(page, StatusCode::FORBIDDEN))
}

/// Returns the route for an uploaded file. It limits the body itself, as that is larger than any
/// other; behind a session like the others.
pub(super) fn files() -> Router<Http> {
    Router::new()
        .route("/chat/import", post(import::keep))
        .layer(DefaultBodyLimit::disable())
}

/// The note on a form that cannot be read.
const UNREADABLE: &str = "The form can't be read.";

/// The pages of the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Profile,
    Look,
    Passkeys,
    Sessions,
    Tokens,
    Prompts,
    Import,
    Users,
    Model,
    Policy,
}

impl Tab {
    /// The settings of everybody.
    const YOURS: [Self; 7] = [
        Self::Profile,
        Self::Look,
        Self::Passkeys,
        Self::Sessions,
        Self::Tokens,
        Self::Prompts,
        Self::Import,
    ];
    const OF_ADMINS: [Self; 3] = [Self::Users, Self::Model, Self::Policy];

    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Profile => ("/settings", "Password"),
            Self::Look => ("/settings/look", "Appearance"),
            Self::Passkeys => ("/settings/passkeys", "Passkeys"),
            Self::Sessions => ("/settings/sessions", "Sessions"),
            Self::Tokens => ("/settings/tokens", "API tokens"),
            Self::Prompts => ("/settings/prompts", "Prompts"),
            Self::Import => ("/settings/import", "Import"),
            Self::Users => ("/settings/users", "Users"),
            Self::Model => ("/settings/model", "Model"),
            Self::Policy => ("/settings/policy", "Policy"),
        }
    }
}

/// The query of a page after a form that succeeded.
#[derive(Deserialize)]
struct Arrived {
    done: Option<String>,
}

/// A request of a page, with its user.
struct Visit {
    http: Http,
    signed_in: SignedIn,
    theme: &'static str,
    /// The status of the server; none if it cannot be read.
    status: Option<Status>,
    /// True if the form before succeeded.
    arrived: bool,
}

impl FromRequestParts<Http> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Response> {
        let signed_in = parts.extract::<Extension<SignedIn>>().await;
        let Extension(signed_in) = signed_in.map_err(IntoResponse::into_response)?;
        let arrived = parts.extract::<Query<Arrived>>().await;
        let Query(arrived) = arrived.map_err(IntoResponse::into_response)?;
        Ok(Self {
            http: http.clone(),
            status: http.backend.status(&signed_in.user).await.ok(),
            signed_in,
            theme: plain_page::theme(&parts.headers),
            arrived: arrived.done.is_some(),
        })
    }
}

/// The result of a form, as its page reports it.
enum Note {
    None,
    Done(&'static str),
    /// Information.
    Told(String),
    Problem(String),
    /// A secret that is shown only this once.
    Secret {
        text: String,
        secret: String,
    },
}

impl Visit {
    /// Returns the note on a form that succeeded with this.
    fn note(&self, done: &'static str) -> Note {
        if self.arrived {
            Note::Done(done)
        } else {
            Note::None
        }
    }

    /// Draws one page: its heading, the note, its sections.
    fn page(&self, tab: Tab, note: Note, body: AnyView) -> Response {
        page(self, tab, note, body)
    }

    /// Asks for another sign-in if this one is not fresh, so that nobody who finds a browser open
    /// creates access for later, or changes rules. `path` is the page to return to.
    async fn needs_fresh(&self, path: &str) -> Option<Response> {
        let auth = &self.http.auth;
        let by_proxy = by_proxy::needs_word(&self.signed_in);
        let read = async {
            let fresh = auth.is_fresh(&self.signed_in).await?;
            let own = auth.store.has_own_way_in(self.signed_in.user.id).await?;
            Ok::<_, store::Error>((fresh, own))
        };
        let own = match read.await {
            Ok((true, _)) => return None,
            Ok((false, own)) => own,
            Err(error) => return Some(self.failed(&error)),
        };
        let further = if by_proxy && !own {
            view! {
                <form method="post" action="/sign-out">
                    <p>"Your reverse proxy signs you in: sign out, then open this page again."</p>
                    <button type="submit" class="button button--primary">"Sign out"</button>
                </form>
            }
            .into_any()
        } else {
            view! {
                {by_proxy.then_some("Signing in through your reverse proxy isn't enough.")}
                <p>
                    <a href="/sign-in" class="button button--primary">"Sign in"</a>
                </p>
            }
            .into_any()
        };
        let title = "Sign in again";
        let body = view! {
            <main>
                <p class="sign-in-name">"J.A.R.V.I.S."</p>
                <h1>{title}</h1>
                <p>
                    "This change needs a sign-in within the last 15 minutes, with your password \
                    or a passkey. Nothing was changed."
                </p>
                {further}
            </main>
        };
        let page = plain_page::document(&self.http, self.theme, "sign-in", title, body.into_any());
        let mut page = with_status(page, StatusCode::FORBIDDEN);
        if let Some(cookie) = auth.remember(path) {
            page.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Some(page)
    }

    /// Reports that the database failed.
    fn failed(&self, error: &store::Error) -> Response {
        tracing::error!(%error, "a setting could not be read or changed");
        super::sign_in::explain(&self.http, self.theme, StatusCode::SERVICE_UNAVAILABLE)
    }
}

fn page(visit: &Visit, tab: Tab, note: Note, body: AnyView) -> Response {
    let (status, note) = match note {
        Note::None => (StatusCode::OK, None),
        Note::Done(done) => (
            StatusCode::OK,
            Some(view! { <p class="plain-done" role="status">{done}</p> }.into_any()),
        ),
        Note::Told(text) => (
            StatusCode::OK,
            Some(view! { <p class="plain-done" role="status">{text}</p> }.into_any()),
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
    let (_, title) = tab.name();
    let content = view! {
        <main>
            <h1>{title}</h1>
            {note}
            {body}
        </main>
    };
    let body = frame::framed(visit, tab, content.into_any());
    let document = match tab {
        Tab::Passkeys => plain_page::scripted,
        _ => plain_page::document,
    };
    let page = document(&visit.http, visit.theme, "plain", title, body);
    with_status(page, status)
}

/// Redirects after a form that succeeded: a reload does not send it again.
fn done(path: &str) -> Response {
    no_store(Redirect::to(path).into_response())
}

/// Draws a choice of roles up to `most`.
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
