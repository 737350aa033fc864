//! The page of the model, for admins: the choice, its limits, a connection test, and a check.

use std::time::Duration;

use ::model::ModelTrial;
use app::plain_pages::settings::{
    CheckedTrial, FixedSettings, ModelField, ModelPage, Note, NumberField,
};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use serde_json::Value;
use sign_in::SignedIn;
use store::{Error, SettingsKind};

use super::{VERSIONS, Visit, configured, damaged, done, history, newest, parsed};
use crate::{
    http::Http,
    texts,
    tuning::{KNOBS, Knob, MODEL, Stored, Tuning},
};

/// Timeout of a test of the model's server.
const PATIENCE: Duration = Duration::from_secs(15);
/// Time for all questions of a check: less than a request has.
const CHECK: Duration = Duration::from_secs(45);

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note, Vec::new()).await
}

pub(super) async fn change(
    visit: Visit,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Response {
    let Visit {
        http, signed_in, ..
    } = &visit;
    let result = match form {
        Ok(Form(fields))
            if fields
                .iter()
                .any(|(name, value)| name == "do" && value == "check") =>
        {
            let (note, trials) = check(http).await;
            return show(&visit, note, trials).await;
        }
        Ok(Form(fields)) => carry_out(http, signed_in, &fields).await,
        Err(_) => Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/model?done=1"),
        Ok(note) => note,
        Err(Error::Stale) => Note::Problem(texts::settings::CHANGED_MEANWHILE.into()),
        Err(Error::NotFound) => Note::Problem(texts::settings::VERSION_NOT_FOUND.into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note, Vec::new()).await
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
                return Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into()));
            };
            let (before, _) = newest::<Stored>(http, SettingsKind::Model).await?;
            match read(&http.tuning, &before, field) {
                Ok(stored) => save(http, signed_in, version, &stored).await,
                Err(problem) => Ok(Note::Problem(problem)),
            }
        }
        Some("back") => {
            let to = field("to").and_then(|text| text.parse().ok());
            let (Some(version), Some(to)) = (version(), to) else {
                return Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into()));
            };
            let stored = match to {
                0 => Stored::default(),
                to => {
                    let kind = SettingsKind::Model;
                    parsed::<Stored>(&http.store.settings_version(kind, to).await?)?
                }
            };
            save(http, signed_in, version, &stored).await
        }
        _ => Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into())),
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
            return Err(texts::settings::MODEL_NAME_IS_OUT_OF_RANGE.into());
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
            return Err(texts::settings::no_number_between(label, least, most));
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
        Ok(Err(error)) => return Note::Problem(texts::settings::test_failed(&error)),
        Err(_) => {
            let seconds = PATIENCE.as_secs();
            return Note::Problem(texts::settings::model_server_did_not_answer(seconds));
        }
    };
    let known = models.iter().any(|known| known.id == model);
    let found = if known {
        texts::settings::is_one_of_them(&model)
    } else {
        texts::settings::is_not_among_them(&model)
    };
    Note::Told(texts::settings::model_server_answers(models.len(), &found))
}

/// Asks the model the questions of `jarvis model check`, as far as there is time for them.
async fn check(http: &Http) -> (Note, Vec<CheckedTrial>) {
    let model = http.engine.config().model;
    let mut trials = Vec::new();
    let each = |trial: &ModelTrial| {
        trials.push(CheckedTrial {
            name: trial.kind.name(),
            finding: texts::settings::trial(trial.outcome.word(), trial.outcome.finding()),
        });
    };
    let whole = http.model.trial(&model, PATIENCE, each);
    let note = match tokio::time::timeout(CHECK, Box::pin(whole)).await {
        Ok(()) => Note::Told(texts::settings::model_was_checked(&model)),
        Err(_) => Note::Problem(texts::settings::CHECK_TAKES_TOO_LONG.into()),
    };
    (note, trials)
}

async fn show(visit: &Visit, note: Note, trials: Vec<CheckedTrial>) -> Response {
    let http = &visit.http;
    let read = async {
        let history = http
            .store
            .settings(SettingsKind::Model, VERSIONS + 1)
            .await?;
        Ok::<_, Error>((newest::<Stored>(http, SettingsKind::Model).await?, history))
    };
    let ((stored, version), versions) = match read.await {
        Ok(read) => read,
        Err(error) => return visit.failed(&error),
    };
    let tuning = &http.tuning;
    let key = tuning.configured("model.api_key");
    let key = key.filter(|_| tuning.has_key);
    let page = ModelPage {
        model: model_field(tuning, &stored),
        numbers: KNOBS
            .iter()
            .map(|knob| number_field(tuning, knob, &stored))
            .collect(),
        // Never the key.
        key: key.map(|configured| configured.source.to_string()),
        fixed: FixedSettings {
            offered: configured(tuning, "model.offered"),
            base_url: configured(tuning, "model.base_url"),
            auth: configured(tuning, "model.auth"),
            profile: configured(tuning, "model.profile"),
            idle_seconds: configured(tuning, "model.idle_seconds"),
        },
        trials,
        history: history(versions, version, Value::Null),
    };
    visit.page(note, page)
}

fn model_field(tuning: &Tuning, stored: &Stored) -> ModelField {
    ModelField {
        key: MODEL,
        base: tuning.base_model().to_owned(),
        rehearsal: tuning.rehearsal,
        variable: tuning.variable(MODEL).map(ToString::to_string),
        configured: configured(tuning, MODEL),
        own: stored.model.clone(),
    }
}

fn number_field(tuning: &Tuning, knob: &Knob, stored: &Stored) -> NumberField {
    let (least, most) = knob.bounds;
    NumberField {
        key: knob.key,
        label: knob.label,
        unit: knob.unit,
        least,
        most,
        variable: tuning.variable(knob.key).map(ToString::to_string),
        configured: configured(tuning, knob.key),
        own: *(knob.of)(&mut stored.clone()),
    }
}
