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
    /// Reads the form. `before`: the address that the form showed.
    fn persona(&self, before: Option<&str>) -> Result<Persona, String> {
        let typed = self.address.trim();
        let address = match self.addressed {
            Addressed::Words if typed.is_empty() => {
                return Err(texts::settings::ADDRESS_IS_MISSING.to_owned());
            }
            Addressed::Words => Some(typed),
            // Words that were just typed mean more than the button that was not pressed.
            Addressed::Default | Addressed::None if !typed.is_empty() && before != Some(typed) => {
                Some(typed)
            }
            Addressed::Default => None,
            Addressed::None => Some(""),
        };
        Persona::read(&self.manner, address)
    }

    /// The fields as they were sent, for the form to show them again.
    fn typed(self) -> Persona {
        Persona {
            manner: Some(self.manner),
            address: match self.addressed {
                Addressed::Default => None,
                Addressed::None => Some(String::new()),
                Addressed::Words => Some(self.address),
            },
        }
    }
}

/// A form that was refused, and the fields to show again.
struct RefusedPersona {
    problem: String,
    typed: Option<Persona>,
}

impl RefusedPersona {
    fn because(problem: &str) -> Self {
        Self {
            problem: problem.to_owned(),
            typed: None,
        }
    }
}

type PersonaRequest = Result<Form<PersonaFields>, FormRejection>;

pub(super) async fn own(visit: Visit) -> Response {
    let note = visit.note();
    show_own(&visit, note, None).await
}

pub(super) async fn change_own(visit: Visit, fields: PersonaRequest) -> Response {
    let kind = SettingsKind::PersonaOf(visit.signed_in.user.id);
    match apply(&visit, kind, fields).await {
        Ok(Ok(_)) => done("/settings/assistant?done=1"),
        Ok(Err(refused)) => show_own(&visit, Note::Problem(refused.problem), refused.typed).await,
        Err(error) => visit.failed(&error),
    }
}

pub(super) async fn installation(visit: Visit) -> Response {
    let note = visit.note();
    show_installation(&visit, note, None).await
}

pub(super) async fn change_installation(visit: Visit, fields: PersonaRequest) -> Response {
    // It is in the prompt of everybody.
    if let Some(first) = visit.needs_fresh("/settings/persona").await {
        return first;
    }
    // The newest stored is the one in force.
    let _in_order = visit.http.tuning.changing.lock().await;
    match apply(&visit, SettingsKind::Persona, fields).await {
        Ok(Ok(persona)) => {
            let engine = &visit.http.engine;
            engine.reconfigure(|config| config.persona = persona.clone());
            done("/settings/persona?done=1")
        }
        Ok(Err(refused)) => {
            show_installation(&visit, Note::Problem(refused.problem), refused.typed).await
        }
        Err(error) => visit.failed(&error),
    }
}

/// Stores what a form says.
async fn apply(
    visit: &Visit,
    kind: SettingsKind,
    fields: PersonaRequest,
) -> Result<Result<Persona, RefusedPersona>, Error> {
    let store = &visit.http.store;
    let Ok(Form(fields)) = fields else {
        let unreadable = RefusedPersona::because(texts::settings::FORM_CANNOT_BE_READ);
        return Ok(Err(unreadable));
    };
    let before = fields.version;
    let (persona, typed) = match fields.to {
        Some(0) => (Persona::default(), None),
        Some(to) => match store.settings_version(kind, to).await {
            Ok(old) => (store::persona(&old), None),
            Err(Error::NotFound) => {
                return Ok(Err(RefusedPersona::because(
                    texts::settings::VERSION_NOT_FOUND,
                )));
            }
            Err(error) => return Err(error),
        },
        None => {
            let shown = store.stored_persona(kind).await?;
            match fields.persona(shown.address.as_deref()) {
                Ok(persona) => (persona, Some(fields.typed())),
                Err(problem) => {
                    return Ok(Err(RefusedPersona {
                        problem,
                        typed: Some(fields.typed()),
                    }));
                }
            }
        }
    };
    let body = serde_json::to_value(&persona);
    let body = body.map_err(|error| Error::Damaged(error.to_string()))?;
    let person = visit.signed_in.as_user();
    let written = store.change_settings(kind, before, body, &person, visit.http.now());
    match written.await {
        Ok(_) => Ok(Ok(persona)),
        Err(Error::Stale) => Ok(Err(RefusedPersona {
            typed,
            ..RefusedPersona::because(texts::settings::CHANGED_MEANWHILE)
        })),
        Err(error) => Err(error),
    }
}

async fn show_own(visit: &Visit, note: Note, typed: Option<Persona>) -> Response {
    let kind = SettingsKind::PersonaOf(visit.signed_in.user.id);
    match form(visit, kind, typed).await {
        Ok(form) => visit.page(note, AssistantPage(form)),
        Err(error) => visit.failed(&error),
    }
}

async fn show_installation(visit: &Visit, note: Note, typed: Option<Persona>) -> Response {
    match form(visit, SettingsKind::Persona, typed).await {
        Ok(form) => visit.page(note, PersonaPage(form)),
        Err(error) => visit.failed(&error),
    }
}

async fn form(
    visit: &Visit,
    kind: SettingsKind,
    typed: Option<Persona>,
) -> Result<PersonaForm, Error> {
    let versions = visit.http.store.settings(kind, VERSIONS + 1).await?;
    let newest = versions.first();
    let number = newest.map_or(0, |newest| newest.version);
    let persona = typed
        .or_else(|| newest.map(store::persona))
        .unwrap_or_default();
    Ok(PersonaForm {
        manner: persona.manner,
        address: persona.address,
        longest: (MAX_MANNER, MAX_ADDRESS),
        history: history(versions, number, Value::Null),
    })
}
