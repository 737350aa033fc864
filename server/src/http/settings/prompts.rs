//! The page of a user's prompts.

use app::plain_pages::settings::{Note, PromptsPage};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use protocol::{MAX_PROMPTS, Prompt};
use serde::Deserialize;
use store::Error;

use super::{Visit, done};
use crate::texts;

/// The fields of a prompt's forms.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Fields {
    Forget { forget: String },
    Keep { name: String, text: String },
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note).await
}

pub(super) async fn change(visit: Visit, fields: Result<Form<Fields>, FormRejection>) -> Response {
    let problem = match fields {
        Err(_) => texts::settings::FORM_CANNOT_BE_READ.to_owned(),
        Ok(Form(fields)) => match apply(&visit, fields).await {
            Ok(None) => return done("/settings/prompts?done=1"),
            Ok(Some(problem)) => problem,
            Err(error) => return visit.failed(&error),
        },
    };
    show(&visit, Note::Problem(problem)).await
}

/// Applies a form. Returns the problem with it, if there is one.
async fn apply(visit: &Visit, fields: Fields) -> Result<Option<String>, Error> {
    let (store, user) = (&visit.http.store, visit.signed_in.user.id);
    let done = match fields {
        Fields::Forget { forget } => store.forget_prompt(user, &forget).await,
        Fields::Keep { name, text } => {
            // Forms end their lines with two characters.
            let text = text.replace("\r\n", "\n");
            let prompt = Prompt { name, text };
            if let Some(problem) = prompt.problem() {
                return Ok(Some(problem));
            }
            store.keep_prompt(user, &prompt, visit.http.env.now()).await
        }
    };
    match done {
        Ok(()) => Ok(None),
        Err(Error::NotFound) => Ok(Some(texts::PROMPT_NOT_FOUND.to_owned())),
        Err(Error::TooMany) => Ok(Some(texts::too_many_prompts(MAX_PROMPTS))),
        Err(error) => Err(error),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    match visit.http.store.prompts(visit.signed_in.user.id).await {
        Ok(prompts) => visit.page(note, PromptsPage { prompts }),
        Err(error) => visit.failed(&error),
    }
}
