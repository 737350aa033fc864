//! The page of the policy, for admins: the rules, a preview of other rules, and the history of
//! changes.

mod form;

use std::time::{Duration, Instant};

use agent::{Policy, Replay, ports::ToolSpec};
use app::plain_pages::settings::{
    ChangedCall, ChangedCount, Note, PolicyPage, PolicyPreview, UnknownCount,
};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use protocol::Role;
use sign_in::SignedIn;
use store::{Error, SettingsKind, StoredSettings};

use super::{VERSIONS, Visit, damaged, done, history, newest, parsed};
use crate::{http::Http, texts};
use form::Fields;

/// The most recorded calls that a preview replays, and its longest duration.
const CALLS: usize = 10_000;
const PATIENCE: Duration = Duration::from_secs(2);

/// Rules that are not in force, with the decisions that they would have made.
struct Proposal {
    /// The rules as they would be stored.
    stored: Policy,
    replay: Replay,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, None, note).await
}

pub(super) async fn change(
    visit: Visit,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Response {
    let Visit {
        http, signed_in, ..
    } = &visit;
    let result = match form {
        Ok(Form(fields)) => {
            let fields = Fields::from(fields);
            // A preview changes nothing.
            if fields.one("do") != Some("preview")
                && let Some(first) = visit.needs_fresh("/settings/policy").await
            {
                return first;
            }
            carry_out(http, signed_in, &fields).await
        }
        Err(_) => Ok(Next::Say(texts::settings::FORM_CANNOT_BE_READ.to_owned())),
    };
    let (proposal, note) = match result {
        Ok(Next::Done) => return done("/settings/policy?done=1"),
        Ok(Next::Show(proposal)) => (Some(*proposal), Note::None),
        Ok(Next::Say(problem)) => (None, Note::Problem(problem)),
        Err(Error::Stale) => (
            None,
            Note::Problem(texts::settings::POLICY_CHANGED_MEANWHILE.to_owned()),
        ),
        Err(Error::NotFound) => (
            None,
            Note::Problem(texts::settings::VERSION_NOT_FOUND.to_owned()),
        ),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, proposal, note).await
}

/// The result of a form.
enum Next {
    Done,
    Show(Box<Proposal>),
    Say(String),
}

async fn carry_out(http: &Http, signed_in: &SignedIn, fields: &Fields) -> Result<Next, Error> {
    match fields.one("do") {
        Some("preview") => {
            let (stored, _) = newest::<Policy>(http, SettingsKind::Policy).await?;
            match form::read(
                fields,
                &stored,
                &http.engine.tools(),
                &http.rules.protections,
            ) {
                Ok(proposed) => propose(http, proposed).await,
                Err(problem) => Ok(Next::Say(problem)),
            }
        }
        Some("back") => {
            let version = fields.one("version").and_then(|text| text.parse().ok());
            let version = version.ok_or(Error::NotFound)?;
            let policy = match version {
                0 => Policy::default(),
                version => {
                    let store = &http.store;
                    let old = store
                        .settings_version(SettingsKind::Policy, version)
                        .await?;
                    parsed::<Policy>(&old)?
                }
            };
            propose(http, policy).await
        }
        Some("save") => {
            let version = fields.one("version").and_then(|text| text.parse().ok());
            let policy = fields.one("proposal");
            let policy = policy.and_then(|text| serde_json::from_str(text).ok());
            let (Some(version), Some(policy)) = (version, policy) else {
                return Ok(Next::Say(texts::settings::FORM_CANNOT_BE_READ.to_owned()));
            };
            save(http, signed_in, version, &policy).await?;
            Ok(Next::Done)
        }
        _ => Ok(Next::Say(texts::settings::FORM_CANNOT_BE_READ.to_owned())),
    }
}

/// Stores the next version and puts it in force.
async fn save(
    http: &Http,
    signed_in: &SignedIn,
    before: u64,
    policy: &Policy,
) -> Result<(), Error> {
    let _in_order = http.rules.changing.lock().await;
    let body = serde_json::to_value(policy).map_err(damaged)?;
    let (store, admin) = (&http.store, signed_in.as_user());
    let version = store
        .change_settings(SettingsKind::Policy, before, body, &admin, http.now())
        .await?;
    http.rules.enforce(&http.engine, policy, version);
    Ok(())
}

/// Asks the gate for its decisions on the newest recorded calls.
async fn propose(http: &Http, stored: Policy) -> Result<Next, Error> {
    let calls = http.store.recorded_calls(CALLS).await?;
    let engine = http.engine.clone();
    let current = engine.config().rules;
    let proposed = http.rules.joined(&stored);
    let work = move || {
        let until = Instant::now() + PATIENCE;
        engine.replay(&calls, &current, &proposed, || Instant::now() < until)
    };
    // It keeps a core busy; the rest of the server continues meanwhile.
    let replay = tokio::task::spawn_blocking(work).await;
    let replay = replay.map_err(|error| Error::Damaged(error.to_string()))?;
    Ok(Next::Show(Box::new(Proposal { stored, replay })))
}

/// Data that the page shows beside the rules.
struct Surroundings {
    stored: Policy,
    version: u64,
    /// Number of people who may decide.
    deciders: usize,
    history: Vec<StoredSettings>,
}

async fn surroundings(http: &Http) -> Result<Surroundings, Error> {
    let (stored, version) = newest::<Policy>(http, SettingsKind::Policy).await?;
    let accounts = http.store.accounts().await?;
    let deciders = accounts
        .iter()
        .filter(|account| account.disabled.is_none() && account.user.role >= Role::Operator);
    Ok(Surroundings {
        stored,
        version,
        deciders: deciders.count(),
        history: http
            .store
            .settings(SettingsKind::Policy, VERSIONS + 1)
            .await?,
    })
}

async fn show(visit: &Visit, proposal: Option<Proposal>, note: Note) -> Response {
    let http = &visit.http;
    let around = match surroundings(http).await {
        Ok(around) => around,
        Err(error) => return visit.failed(&error),
    };
    let shown = proposal.as_ref().map_or(&around.stored, |new| &new.stored);
    let is_lonely = http.rules.joined(shown).wants_second() && around.deciders < 2;
    // Before the first version the policy added nothing.
    let nothing = serde_json::to_value(Policy::default()).unwrap_or_default();
    let mut form = form::shown(shown, &tools_by_system(http), &http.rules);
    for server in http.mcp.servers() {
        form::add_outside(&mut form.tools, server.name(), &server.review());
    }
    let page = PolicyPage {
        is_lonely,
        form,
        preview: proposal.map(preview),
        history: history(around.history, around.version, nothing),
    };
    visit.page(note, page)
}

fn preview(proposal: Proposal) -> PolicyPreview {
    let Proposal { stored, replay } = proposal;
    let changed = replay.changed.into_iter();
    let unknown = replay.unknown.into_iter();
    let differences = replay.differences.into_iter();
    PolicyPreview {
        // Rules that were read from a form can be serialised.
        proposal: serde_json::to_string(&stored).unwrap_or_default(),
        calls: replay.calls,
        same: replay.same,
        cut: replay.cut,
        changed: changed
            .map(|((was, would), count)| ChangedCount {
                was: was.words(),
                would: would.words(),
                count,
            })
            .collect(),
        unknown: unknown
            .map(|(why, count)| UnknownCount { why, count })
            .collect(),
        differences: differences
            .map(|call| ChangedCall {
                at: call.at,
                tool: call.tool,
                target: call.target,
                was: call.was.words(),
                would: call.would.words(),
            })
            .collect(),
    }
}

/// Returns the tools of each system, under the system's name.
fn tools_by_system(http: &Http) -> Vec<(String, Vec<ToolSpec>)> {
    let toolsets = http.engine.tools_by_toolset().into_iter();
    toolsets
        .map(|(toolset, tools)| (http.name_of(toolset), tools))
        .collect()
}
