//! The page of a user's prompts. They are created in the composer, and changed here or there.

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use protocol::{MAX_PROMPT_BYTES, MAX_PROMPTS, Prompt};
use serde::Deserialize;
use store::Error;

use super::{Note, Tab, UNREADABLE, Visit, done};

/// The fields of a prompt's forms.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Fields {
    Forget { forget: String },
    Keep { name: String, text: String },
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note("Your prompts were changed.");
    show(&visit, note).await
}

pub(super) async fn change(visit: Visit, fields: Result<Form<Fields>, FormRejection>) -> Response {
    let problem = match fields {
        Err(_) => UNREADABLE.to_owned(),
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
        Err(Error::NotFound) => Ok(Some("Prompt not found.".to_owned())),
        Err(Error::TooMany) => Ok(Some(format!(
            "You already have {MAX_PROMPTS} prompts, the maximum."
        ))),
        Err(error) => Err(error),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    let prompts = match visit.http.store.prompts(visit.signed_in.user.id).await {
        Ok(prompts) => prompts,
        Err(error) => return visit.failed(&error),
    };
    let rows: Vec<_> = prompts.into_iter().map(row).collect();
    let list = if rows.is_empty() {
        view! { <p>"None."</p> }.into_any()
    } else {
        view! { <ul class="plain-list">{rows}</ul> }.into_any()
    };
    let body = view! {
        <section>
            <h2>"Prompts"</h2>
            <p>
                "Saved messages. In the message field, type a slash and a name to insert one. \
                “Save as prompt” below the field saves the text there and replaces a prompt of \
                the same name."
            </p>
            {list}
        </section>
    };
    visit.page(Tab::Prompts, note, body.into_any())
}

fn row(Prompt { name, text }: Prompt) -> AnyView {
    let delete = format!("Delete /{name}");
    let label = format!("Text of /{name}");
    // HTML drops a line end at the beginning of the field.
    let text = format!("\n{text}");
    view! {
        <li>
            <details class="plain-prompt">
                <summary>"/" {name.clone()}</summary>
                <form method="post" action="/settings/prompts" class="plain-form">
                    <input type="hidden" name="name" value=name.clone() />
                    <textarea name="text" aria-label=label rows="6" maxlength=MAX_PROMPT_BYTES required>
                        {text}
                    </textarea>
                    <button type="submit" class="button button--small">"Save"</button>
                </form>
            </details>
            <form method="post" action="/settings/prompts">
                <input type="hidden" name="forget" value=name />
                <button type="submit" class="button button--small button--danger" aria-label=delete>
                    "Delete"
                </button>
            </form>
        </li>
    }
    .into_any()
}
