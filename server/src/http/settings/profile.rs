//! A user's own password.

use app::plain_pages::settings::{Note, PasswordPage};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use serde::Deserialize;
use sign_in::{Changed, Client};

use super::{Visit, done};
use crate::texts;

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    current: String,
    new: String,
    again: String,
    /// True to revoke the tokens as well.
    #[serde(default)]
    tokens: bool,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    client: Client,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    let problem = match fields {
        Err(_) => texts::settings::FORM_CANNOT_BE_READ.to_owned(),
        Ok(Form(fields)) if fields.new != fields.again => {
            texts::settings::NEW_PASSWORDS_DONT_MATCH.to_owned()
        }
        Ok(Form(fields)) => {
            let Fields {
                current,
                new,
                tokens,
                ..
            } = fields;
            let auth = &visit.http.auth;
            let change = auth.change_password(&visit.signed_in, current, new, &client, tokens);
            match Box::pin(change).await {
                Ok(Changed::Done) => return done("/settings?done=password"),
                Ok(Changed::Refused(problem)) => problem,
                Err(error) => return visit.failed(&error),
            }
        }
    };
    show(&visit, Note::Problem(problem)).await
}

async fn show(visit: &Visit, note: Note) -> Response {
    let may_reset = match visit.http.auth.may_reset(&visit.signed_in).await {
        Ok(may_reset) => may_reset,
        Err(error) => return visit.failed(&error),
    };
    let page = PasswordPage {
        user: visit.signed_in.user.name.clone(),
        asks_current: !may_reset,
    };
    visit.page(note, page)
}
