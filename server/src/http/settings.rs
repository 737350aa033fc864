//! Settings: pages of plain forms for a user's own settings and for admins.

mod api;
mod import;
mod kill_switch;
mod look;
mod mcp_servers;
mod mcp_test;
mod model;
mod notifications;
mod own_keys;
mod passkeys;
mod persona;
mod policy;
mod profile;
mod prompts;
mod sessions;
mod systems;
mod tokens;
mod users;

use agent::ports::Person;
use app::plain_pages::{
    self as pages,
    settings::{
        ConfiguredValue, Note, SettingsFrame, SettingsHistory, SettingsPage, SettingsVersion,
    },
};
use axum::{
    Extension, RequestPartsExt, Router,
    extract::{DefaultBodyLimit, FromRequestParts, Query, Request, State},
    http::{StatusCode, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use kit::density::Density;
use protocol::Role;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use sign_in::SignedIn;
use store::{SettingsKind, StoredSettings};

use super::{
    Http,
    auth::{add_cookie, current_user, wants_page},
    bearer,
    plain_page::{self, no_store, with_status},
    trace::RequestId,
};
use crate::{config::Source, texts, tuning::Tuning};

/// Returns the routes, all behind a session.
pub(super) fn routes(http: &Http) -> Router<Http> {
    let users = Router::new()
        .route("/settings/users", get(users::page).post(users::change))
        .route("/settings/model", get(model::page).post(model::change))
        .route(
            "/settings/persona",
            get(persona::installation).post(persona::change_installation),
        )
        .route("/settings/policy", get(policy::page).post(policy::change))
        .route("/settings/systems", get(systems::page))
        .route(
            "/settings/mcp",
            get(mcp_servers::page).post(mcp_servers::change),
        )
        .route(
            "/settings/mcp/tools/{name}",
            get(mcp_test::page).post(mcp_test::run),
        )
        .route("/settings/mcp/calls/{id}", get(mcp_test::call))
        .layer(middleware::from_fn_with_state(http.clone(), admins_only));
    Router::new()
        .route("/settings", get(profile::page).post(profile::change))
        .route("/settings/look", get(look::page).post(look::change))
        .route("/settings/notifications", get(notifications::page))
        .route(
            "/settings/assistant",
            get(persona::own).post(persona::change_own),
        )
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
        .route("/settings/api", get(api::page))
        .route("/settings/keys", get(own_keys::page).post(own_keys::change))
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
    if signed_in.user.role >= Role::Admin {
        return next.run(request).await;
    }
    if !wants_page(&request) {
        return bearer::refuse(texts::settings::ADMINS_ONLY);
    }
    let theme = plain_page::theme(request.headers());
    let page = plain_page::answer(
        &http,
        theme,
        pages::sign_in::admins_only(texts::settings::ADMINS_ONLY),
    );
    no_store(with_status(page, StatusCode::FORBIDDEN))
}

/// Returns the route for an uploaded file. It limits the body itself, as that is larger than any
/// other; behind a session like the others.
pub(super) fn files() -> Router<Http> {
    Router::new()
        .route("/chat/import", post(import::keep))
        .layer(DefaultBodyLimit::disable())
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
    request: RequestId,
    theme: &'static str,
    density: Density,
    frame: SettingsFrame,
    /// True if the form before succeeded.
    arrived: bool,
}

impl FromRequestParts<Http> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Response> {
        let signed_in = parts.extract::<Extension<SignedIn>>().await;
        let Extension(signed_in) = signed_in.map_err(IntoResponse::into_response)?;
        let request = parts.extract::<Extension<RequestId>>().await;
        let Extension(request) = request.map_err(IntoResponse::into_response)?;
        let arrived = parts.extract::<Query<Arrived>>().await;
        let Query(arrived) = arrived.map_err(IntoResponse::into_response)?;
        let user = &signed_in.user;
        let current = current_user(&signed_in);
        let frame = SettingsFrame {
            user: user.name.clone(),
            role: user.role,
            status: http.backend.status(&current).await.ok(),
            waiting: http.backend.waiting(&current).await.unwrap_or_default(),
        };
        Ok(Self {
            http: http.clone(),
            frame,
            signed_in,
            request,
            theme: plain_page::theme(&parts.headers),
            density: plain_page::density(&parts.headers),
            arrived: arrived.done.is_some(),
        })
    }
}

impl Visit {
    /// The person who asks by this request.
    fn person(&self) -> Person {
        Person {
            correlation: Some(self.request.0.clone()),
            ..self.signed_in.person()
        }
    }

    /// Returns the note of a page that was opened, perhaps after a form that succeeded.
    fn note(&self) -> Note {
        if self.arrived {
            Note::Saved
        } else {
            Note::None
        }
    }

    /// Answers with one page.
    fn page(&self, note: Note, page: impl SettingsPage) -> Response {
        let status = match note {
            Note::Problem(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Note::None | Note::Saved | Note::Told(_) | Note::Secret { .. } => StatusCode::OK,
        };
        let page = self.frame.document(note, page);
        with_status(plain_page::answer(&self.http, self.theme, page), status)
    }

    /// Asks for another sign-in if this one is not fresh, so that nobody who finds a browser open
    /// creates access for later, or changes rules. `path` is the page to return to.
    async fn needs_fresh(&self, path: &str) -> Option<Response> {
        let auth = &self.http.auth;
        let by_proxy = self.signed_in.needs_word();
        let read = async {
            let fresh = auth.is_fresh(&self.signed_in).await?;
            let own = self
                .http
                .store
                .has_own_way_in(self.signed_in.user.id)
                .await?;
            Ok::<_, store::Error>((fresh, own))
        };
        let own_way_in = match read.await {
            Ok((true, _)) => return None,
            Ok((false, own)) => own,
            Err(error) => return Some(self.failed(&error)),
        };
        let again = pages::sign_in::SignInAgain {
            by_proxy,
            own_way_in,
        };
        let page = plain_page::answer(&self.http, self.theme, again.page());
        let mut page = with_status(page, StatusCode::FORBIDDEN);
        if let Some(cookie) = auth.remember(path) {
            add_cookie(&mut page, &cookie);
        }
        Some(page)
    }

    /// Reports that the database failed.
    fn failed(&self, error: &store::Error) -> Response {
        tracing::error!(%error, "a setting could not be read or changed");
        super::sign_in::explain(&self.http, self.theme, StatusCode::SERVICE_UNAVAILABLE)
    }
}

/// Redirects after a form that succeeded: a reload does not send it again.
fn done(path: &str) -> Response {
    no_store(Redirect::to(path).into_response())
}

/// Returns the newest stored settings of a kind and the number of their version; those before any were
/// stored have the number 0.
async fn newest<T: Default + DeserializeOwned>(
    http: &Http,
    kind: SettingsKind,
) -> Result<(T, u64), store::Error> {
    match http.store.settings(kind, 1).await?.pop() {
        Some(newest) => Ok((parsed(&newest)?, newest.version)),
        None => Ok((T::default(), 0)),
    }
}

fn parsed<T: DeserializeOwned>(settings: &StoredSettings) -> Result<T, store::Error> {
    serde_json::from_value(settings.body.clone()).map_err(damaged)
}

fn damaged(error: serde_json::Error) -> store::Error {
    store::Error::Damaged(error.to_string())
}

/// The most versions in the history of a page.
const VERSIONS: usize = 20;

/// Returns the history of settings for its page, from at most [`VERSIONS`] and one more; `nothing`:
/// the settings before the first version.
fn history(mut versions: Vec<StoredSettings>, newest: u64, nothing: Value) -> SettingsHistory {
    // The oldest shown is compared with the one before it, which is read for that alone.
    let before = (versions.len() > VERSIONS)
        .then(|| versions.pop())
        .flatten()
        .map_or(nothing, |version| version.body);
    let versions = versions.into_iter().map(|version| SettingsVersion {
        number: version.version,
        at: version.at,
        by: version.by,
        body: version.body,
    });
    SettingsHistory {
        versions: versions.collect(),
        newest,
        before,
    }
}

/// Returns a value of the configuration, with its source.
fn configured(tuning: &Tuning, key: &str) -> Option<ConfiguredValue> {
    let configured = tuning.configured(key)?;
    Some(ConfiguredValue {
        value: configured.value.clone(),
        source: match &configured.source {
            Source::Default => None,
            source => Some(source.to_string()),
        },
    })
}

#[cfg(test)]
mod tests {
    use protocol::Timestamp;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_oldest_version_shown_follows_the_one_before_it() {
        let versions = |newest: u64, count: u64| {
            let versions = (0..count).map(|ago| StoredSettings {
                version: newest - ago,
                at: Timestamp(0),
                by: "Ada".to_owned(),
                body: json!(newest - ago),
            });
            versions.collect::<Vec<_>>()
        };
        let most = VERSIONS as u64;
        for (newest, count, shown, before) in [
            (3, 3, 3, json!("nothing")),
            (most, most, most, json!("nothing")),
            (most + 5, most + 1, most, json!(5)),
        ] {
            let history = history(versions(newest, count), newest, json!("nothing"));
            assert_eq!(history.versions.len() as u64, shown);
            assert_eq!(history.before, before);
        }
    }
}
