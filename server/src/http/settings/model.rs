//! The page of the model, for admins: the choice, its limits, and a connection test.

use std::time::Duration;

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use store::{Error, SettingsKind, StoredSettings};

use super::{Note, Tab, UNREADABLE, Visit, done, moment, policy::changes};
use crate::{
    config::Source,
    http::{Http, SignedIn},
    tuning::{KNOBS, Knob, MODEL, Stored, Tuning},
};

const PATH: &str = "/settings/model";
/// Timeout of a test of the model's server.
const PATIENCE: Duration = Duration::from_secs(15);
/// The most versions on the page.
const VERSIONS: usize = 20;
/// Settings that only the configuration can change, and their names.
const FIXED: [(&str, &str); 5] = [
    ("model.offered", "Available models"),
    ("model.base_url", "Address"),
    ("model.auth", "API key header"),
    ("model.profile", "Strictness of answer parsing"),
    (
        "model.idle_seconds",
        "Longest pause in an answer, in seconds",
    ),
];
const STALE: &str = "Someone else changed this after you opened it. Check it again.";

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note(
        "Saved; in effect now. Existing conversations keep their model until \
    someone chooses another.",
    );
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Response {
    let Visit {
        http, signed_in, ..
    } = &visit;
    let result = match form {
        Ok(Form(fields)) => carry_out(http, signed_in, &fields).await,
        Err(_) => Ok(Note::Problem(UNREADABLE.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/model?done=1"),
        Ok(note) => note,
        Err(Error::Stale) => Note::Problem(STALE.into()),
        Err(Error::NotFound) => Note::Problem("Version not found.".into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note).await
}

async fn carry_out(
    http: &Http,
    signed_in: &SignedIn,
    fields: &[(String, String)],
) -> Result<Note, Error> {
    let field = |name: &str| {
        let found = fields.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim())
    };
    let version = || field("version").and_then(|text| text.parse::<u64>().ok());
    match field("do") {
        Some("test") => Ok(test(http).await),
        Some("save") => {
            let Some(version) = version() else {
                return Ok(Note::Problem(UNREADABLE.into()));
            };
            let (before, _) = newest(http).await?;
            match read(&http.tuning, &before, field) {
                Ok(stored) => save(http, signed_in, version, &stored).await,
                Err(problem) => Ok(Note::Problem(problem)),
            }
        }
        Some("back") => {
            let to = field("to").and_then(|text| text.parse().ok());
            let (Some(version), Some(to)) = (version(), to) else {
                return Ok(Note::Problem(UNREADABLE.into()));
            };
            let stored = match to {
                0 => Stored::default(),
                to => {
                    let kind = SettingsKind::Model;
                    parsed(&http.store.settings_version(kind, to).await?)?
                }
            };
            save(http, signed_in, version, &stored).await
        }
        _ => Ok(Note::Problem(UNREADABLE.into())),
    }
}

/// Reads the form. Settings that cannot be changed here stay as they are.
fn read<'a>(
    tuning: &Tuning,
    before: &Stored,
    field: impl Fn(&str) -> Option<&'a str>,
) -> Result<Stored, String> {
    let mut stored = before.clone();
    if !tuning.rehearsal && tuning.variable(MODEL).is_none() {
        let name = field(MODEL).unwrap_or_default();
        let fits = name.len() <= 128 && name.chars().all(|c| c.is_ascii_graphic());
        if !fits {
            return Err("A model name has at most 128 characters and no spaces.".into());
        }
        stored.model = (!name.is_empty()).then(|| name.to_owned());
    }
    for knob in &KNOBS {
        if tuning.variable(knob.key).is_some() {
            continue;
        }
        let text = field(knob.key).unwrap_or_default();
        let (least, most) = knob.bounds;
        let number = text.parse().ok().filter(|n| (least..=most).contains(n));
        if number.is_none() && !text.is_empty() {
            let label = knob.label;
            return Err(format!("{label}: a whole number from {least} to {most}."));
        }
        *(knob.of)(&mut stored) = number;
    }
    Ok(stored)
}

async fn save(
    http: &Http,
    signed_in: &SignedIn,
    before: u64,
    stored: &Stored,
) -> Result<Note, Error> {
    let _in_order = http.tuning.changing.lock().await;
    let body = serde_json::to_value(stored).map_err(damaged)?;
    let (store, admin) = (&http.store, signed_in.as_user());
    store
        .change_settings(SettingsKind::Model, before, body, &admin, http.now())
        .await?;
    let change = |config: &mut agent::EngineConfig| http.tuning.put(config, stored);
    http.engine.reconfigure(change);
    Ok(Note::None)
}

/// Requests the list of models from the model's server.
async fn test(http: &Http) -> Note {
    let model = http.engine.config().model;
    let models = match tokio::time::timeout(PATIENCE, http.model.models()).await {
        Ok(Ok(models)) => models,
        Ok(Err(error)) => return Note::Problem(format!("The test failed: {error}")),
        Err(_) => {
            let seconds = PATIENCE.as_secs();
            return Note::Problem(format!(
                "The model's server did not answer within {seconds} s."
            ));
        }
    };
    let known = models.iter().any(|known| known.id == model);
    let found = if known {
        format!("{model} is one of them.")
    } else {
        format!("{model} is not among them; it may still answer.")
    };
    Note::Told(format!(
        "The model's server answers and offers {} models. {found}",
        models.len()
    ))
}

async fn newest(http: &Http) -> Result<(Stored, u64), Error> {
    match http.store.settings(SettingsKind::Model, 1).await?.pop() {
        Some(newest) => Ok((parsed(&newest)?, newest.version)),
        None => Ok((Stored::default(), 0)),
    }
}

fn parsed(settings: &StoredSettings) -> Result<Stored, Error> {
    serde_json::from_value(settings.body.clone()).map_err(damaged)
}

fn damaged(error: serde_json::Error) -> Error {
    Error::Damaged(error.to_string())
}

async fn show(visit: &Visit, note: Note) -> Response {
    let http = &visit.http;
    let read = async {
        let history = http.store.settings(SettingsKind::Model, VERSIONS).await?;
        Ok::<_, Error>((newest(http).await?, history))
    };
    let ((stored, version), history) = match read.await {
        Ok(read) => read,
        Err(error) => return visit.failed(&error),
    };
    let tuning = &http.tuning;
    let knobs: Vec<_> = KNOBS
        .iter()
        .map(|knob| row(tuning, knob, &stored))
        .collect();
    let body = view! {
        <section>
            <h2>"Settings you can change now"</h2>
            <p>
                "Leave a field empty to use the configuration. Values set by an environment \
                variable can't be changed here."
            </p>
            <form method="post" action=PATH class="plain-form plain-form--wide">
                <input type="hidden" name="do" value="save" />
                <input type="hidden" name="version" value=version.to_string() />
                {model_row(tuning, &stored)}
                {knobs}
                <button type="submit" class="button button--primary">
                    "Save"
                </button>
            </form>
        </section>
        <section>
            <h2>"Settings from the configuration"</h2>
            <p>"Change them in the file or the environment, then restart."</p>
            <ul class="plain-list">{key_row(tuning)} {fixed_rows(tuning)}</ul>
            <form method="post" action=PATH class="plain-row">
                <input type="hidden" name="do" value="test" />
                <button type="submit" class="button">
                    "Test the connection"
                </button>
                <span>"Asks the model’s server which models it offers. It costs nothing."</span>
            </form>
        </section>
        {changes_view(&history, version)}
    };
    visit.page(Tab::Model, note, body.into_any())
}

/// Describes the value in the configuration, and its source.
fn told(tuning: &Tuning, key: &str) -> String {
    match tuning.configured(key) {
        Some(configured) => {
            let value = if configured.value.is_empty() {
                "empty"
            } else {
                &configured.value
            };
            match &configured.source {
                Source::Default => format!("{value}, the default"),
                source => format!("{value}, from {source}"),
            }
        }
        None => "not set".to_owned(),
    }
}

fn model_row(tuning: &Tuning, stored: &Stored) -> AnyView {
    let (value, note) = if tuning.rehearsal {
        let note = "No API key is set, so the rehearsal model answers. It can't be changed.";
        (Some(tuning.base_model().to_owned()), note.to_owned())
    } else {
        match tuning.variable(MODEL) {
            Some(name) => (
                Some(tuning.base_model().to_owned()),
                format!("Set by {name}; it can't be changed here."),
            ),
            None => {
                let told = match tuning.configured(MODEL) {
                    Some(_) => told(tuning, MODEL),
                    None => format!("{}, the default", tuning.base_model()),
                };
                (None, format!("The configuration says {told}."))
            }
        }
    };
    let fixed = value.is_some();
    let value = value.or_else(|| stored.model.clone()).unwrap_or_default();
    let placeholder = tuning.base_model().to_owned();
    view! {
        <label>
            <span>"Model of new conversations"</span>
            <input
                name=MODEL
                value=value
                placeholder=placeholder
                maxlength="128"
                autocomplete="off"
                disabled=fixed
            />
            <small>{note}</small>
        </label>
    }
    .into_any()
}

fn row(tuning: &Tuning, knob: &Knob, stored: &Stored) -> AnyView {
    let (least, most) = knob.bounds;
    let configured = tuning.configured(knob.key);
    let base = configured.map(|configured| configured.value.clone());
    let variable = tuning.variable(knob.key);
    let own = *(knob.of)(&mut stored.clone());
    let (value, note) = match variable {
        Some(name) => (
            base.clone().unwrap_or_default(),
            format!("Set by {name}; it can't be changed here."),
        ),
        None => (
            own.map(|number| number.to_string()).unwrap_or_default(),
            format!("The configuration says {}.", told(tuning, knob.key)),
        ),
    };
    view! {
        <label>
            <span>{knob.label} ", in " {knob.unit}</span>
            <input
                type="number"
                name=knob.key
                value=value
                min=least.to_string()
                max=most.to_string()
                placeholder=base.unwrap_or_default()
                disabled=variable.is_some()
            />
            <small>{note}</small>
        </label>
    }
    .into_any()
}

/// Draws whether there is a key; never the key.
fn key_row(tuning: &Tuning) -> AnyView {
    let text = match tuning.configured("model.api_key") {
        Some(configured) if tuning.has_key => format!("set, from {}", configured.source),
        _ => "not set".to_owned(),
    };
    line("API key", text)
}

fn fixed_rows(tuning: &Tuning) -> Vec<AnyView> {
    let rows = FIXED.iter();
    rows.map(|(key, label)| line(label, told(tuning, key)))
        .collect()
}

fn line(label: &'static str, text: String) -> AnyView {
    view! {
        <li>
            <span>{label}</span>
            <span>{text}</span>
        </li>
    }
    .into_any()
}

fn changes_view(history: &[StoredSettings], newest: u64) -> AnyView {
    if history.is_empty() {
        return ().into_any();
    }
    let back = |to: u64| {
        view! {
            <form method="post" action=PATH>
                <input type="hidden" name="do" value="back" />
                <input type="hidden" name="version" value=newest.to_string() />
                <input type="hidden" name="to" value=to.to_string() />
                <button type="submit" class="button button--small">
                    "Restore this version"
                </button>
            </form>
        }
        .into_any()
    };
    let rows: Vec<_> = history
        .iter()
        .enumerate()
        .map(|(at, version)| {
            let about = format!("{} · by {}", moment(version.at), version.by);
            let before = history.get(at + 1).map(|before| &before.body);
            let changed = changes(before, &version.body);
            let button = if version.version == newest {
                view! { <span>"in effect"</span> }.into_any()
            } else {
                back(version.version)
            };
            view! {
                <li>
                    <div>
                        "Version " {version.version.to_string()} <small>{about}</small>
                        <small>{changed}</small>
                    </div>
                    {button}
                </li>
            }
            .into_any()
        })
        .collect();
    view! {
        <section>
            <h2>"Changes"</h2>
            <ul class="plain-list">
                {rows}
                <li>
                    <div>
                        "Configuration only" <small>"before the first change"</small>
                    </div>
                    {back(0)}
                </li>
            </ul>
        </section>
    }
    .into_any()
}
