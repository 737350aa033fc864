//! The pages of the persona: a person's own, and the installation's for admins.

use agent::{MAX_ADDRESS, MAX_MANNER, Persona};
use app::plain_pages::settings::{AssistantPage, Note, PersonaForm, PersonaPage};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use serde::Deserialize;
use serde_json::Value;
use store::{Error, SettingsKind};

use super::{VERSIONS, Visit, done, history};
use crate::texts;

/// The fields of both forms: to save a persona, or to restore a version.
#[derive(Deserialize)]
pub(super) struct PersonaFields {
    version: u64,
    /// The version to restore.
    to: Option<u64>,
    #[serde(default)]
    addressed: Addressed,
    #[serde(default)]
    address: String,
    #[serde(default)]
    manner: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Addressed {
    #[default]
    Default,
    None,
    Words,
}

impl PersonaFields {
    fn persona(&self) -> Result<Persona, String> {
        let address = match self.addressed {
            Addressed::Default => None,
            Addressed::None => Some(""),
            Addressed::Words if self.address.trim().is_empty() => {
                return Err(texts::settings::WORDS_OF_ADDRESS_ARE_MISSING.to_owned());
            }
            Addressed::Words => Some(&*self.address),
        };
        Persona::read(&self.manner, address)
    }
}

type PersonaRequest = Result<Form<PersonaFields>, FormRejection>;

pub(super) async fn own(visit: Visit) -> Response {
    let note = visit.note();
    show_own(&visit, note).await
}

pub(super) async fn change_own(visit: Visit, fields: PersonaRequest) -> Response {
    let kind = SettingsKind::PersonaOf(visit.signed_in.user.id);
    match apply(&visit, kind, fields).await {
        Ok(Ok(_)) => done("/settings/assistant?done=1"),
        Ok(Err(problem)) => show_own(&visit, Note::Problem(problem)).await,
        Err(error) => visit.failed(&error),
    }
}

pub(super) async fn house(visit: Visit) -> Response {
    let note = visit.note();
    show_house(&visit, note).await
}

pub(super) async fn change_house(visit: Visit, fields: PersonaRequest) -> Response {
    // The newest stored is the one in force.
    let _in_order = visit.http.tuning.changing.lock().await;
    match apply(&visit, SettingsKind::Persona, fields).await {
        Ok(Ok(persona)) => {
            let engine = &visit.http.engine;
            engine.reconfigure(|config| config.persona = persona.clone());
            done("/settings/persona?done=1")
        }
        Ok(Err(problem)) => show_house(&visit, Note::Problem(problem)).await,
        Err(error) => visit.failed(&error),
    }
}

/// Stores what a form says; the problem with it, if there is one.
async fn apply(
    visit: &Visit,
    kind: SettingsKind,
    fields: PersonaRequest,
) -> Result<Result<Persona, String>, Error> {
    let store = &visit.http.store;
    let Ok(Form(fields)) = fields else {
        return Ok(Err(texts::settings::FORM_CANNOT_BE_READ.to_owned()));
    };
    let before = fields.version;
    let persona = match fields.to {
        Some(to) => match store.settings_version(kind, to).await {
            Ok(old) => read(old.body)?,
            Err(Error::NotFound) => return Ok(Err(texts::settings::VERSION_NOT_FOUND.to_owned())),
            Err(error) => return Err(error),
        },
        None => match fields.persona() {
            Ok(persona) => persona,
            Err(problem) => return Ok(Err(problem)),
        },
    };
    let body = serde_json::to_value(&persona).map_err(damaged)?;
    let person = visit.signed_in.as_user();
    let written = store.change_settings(kind, before, body, &person, visit.http.now());
    match written.await {
        Ok(_) => Ok(Ok(persona)),
        Err(Error::Stale) => Ok(Err(texts::settings::CHANGED_MEANWHILE.to_owned())),
        Err(error) => Err(error),
    }
}

async fn show_own(visit: &Visit, note: Note) -> Response {
    match form(visit, SettingsKind::PersonaOf(visit.signed_in.user.id)).await {
        Ok(form) => visit.page(note, AssistantPage(form)),
        Err(error) => visit.failed(&error),
    }
}

async fn show_house(visit: &Visit, note: Note) -> Response {
    match form(visit, SettingsKind::Persona).await {
        Ok(form) => visit.page(note, PersonaPage(form)),
        Err(error) => visit.failed(&error),
    }
}

async fn form(visit: &Visit, kind: SettingsKind) -> Result<PersonaForm, Error> {
    let versions = visit.http.store.settings(kind, VERSIONS + 1).await?;
    let newest = versions.first();
    let number = newest.map_or(0, |newest| newest.version);
    let persona = newest.map(|newest| read(newest.body.clone())).transpose()?;
    let persona = persona.unwrap_or_default();
    Ok(PersonaForm {
        manner: persona.manner,
        address: persona.address,
        longest: (MAX_MANNER, MAX_ADDRESS),
        history: history(versions, number, Value::Null),
    })
}

fn read(body: Value) -> Result<Persona, Error> {
    serde_json::from_value(body).map_err(damaged)
}

fn damaged(error: serde_json::Error) -> Error {
    Error::Damaged(error.to_string())
}
