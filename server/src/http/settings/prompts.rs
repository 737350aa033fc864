//! The messages that a user keeps. They are made in the composer.

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use protocol::Prompt;
use serde::Deserialize;
use store::Error;

use super::{Note, Tab, UNREADABLE, Visit, done};

#[derive(Deserialize)]
pub(super) struct Fields {
    forget: String,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note("The prompt is not kept any more.");
    show(&visit, note).await
}

pub(super) async fn forget(visit: Visit, fields: Result<Form<Fields>, FormRejection>) -> Response {
    let problem = match fields {
        Err(_) => UNREADABLE,
        Ok(Form(Fields { forget })) => {
            let user = visit.signed_in.user.id;
            match visit.http.store.forget_prompt(user, &forget).await {
                Ok(()) => return done("/settings/prompts?done=1"),
                Err(Error::NotFound) => "There is no such prompt.",
                Err(error) => return visit.failed(&error),
            }
        }
    };
    show(&visit, Note::Problem(problem.to_owned())).await
}

async fn show(visit: &Visit, note: Note) -> Response {
    let prompts = match visit.http.store.prompts(visit.signed_in.user.id).await {
        Ok(prompts) => prompts,
        Err(error) => return visit.failed(&error),
    };
    let rows: Vec<_> = prompts.into_iter().map(row).collect();
    let list = match rows.is_empty() {
        true => view! { <p>"There is none."</p> }.into_any(),
        false => view! { <ul class="plain-list">{rows}</ul> }.into_any(),
    };
    let body = view! {
        <section>
            <h2>"Prompts"</h2>
            <p>
                "Messages that you keep. In the field of a message, a slash and the name bring one \
                back; “Save as prompt” below the field keeps what is written there, also in the \
                place of one with the same name."
            </p>
            {list}
        </section>
    };
    visit.page(Tab::Prompts, note, body.into_any())
}

fn row(Prompt { name, text }: Prompt) -> AnyView {
    let delete = format!("Delete /{name}");
    view! {
        <li>
            <details class="plain-prompt">
                <summary>"/" {name.clone()}</summary>
                <pre tabindex="0">{text}</pre>
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
