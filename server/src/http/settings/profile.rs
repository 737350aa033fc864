//! A user's own password.

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use serde::Deserialize;

use super::{Note, Tab, UNREADABLE, Visit, done};
use crate::http::{by_password::Changed, client::Client};

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
    let note = visit.note("The password was changed. All other sessions have ended.");
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    client: Client,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    let problem = match fields {
        Err(_) => UNREADABLE.to_owned(),
        Ok(Form(fields)) if fields.new != fields.again => {
            "The new passwords don't match.".to_owned()
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
    let current = (!may_reset).then(|| {
        view! {
            <label>
                "Current password"
                <input
                    name="current"
                    type="password"
                    autocomplete="current-password"
                    maxlength="256"
                    required
                />
            </label>
        }
    });
    let name = visit.signed_in.user.name.clone();
    let new = |label: &'static str, name: &'static str| {
        view! {
            <label>
                {label}
                <input
                    name=name
                    type="password"
                    autocomplete="new-password"
                    minlength="12"
                    maxlength="256"
                    required
                />
            </label>
        }
    };
    let body = view! {
        <section>
            <h2>"Password"</h2>
            <p>
                "At least 12 characters; a few words work well. Changing it ends all your other \
                sessions."
            </p>
            <form method="post" action="/settings" class="plain-form">
                <input name="name" autocomplete="username" value=name readonly hidden />
                {current}
                {new("New password", "new")}
                {new("Repeat new password", "again")}
                <label class="plain-check">
                    <input name="tokens" type="checkbox" value="true" checked />
                    "Revoke my API tokens too"
                </label>
                <button type="submit" class="button button--primary">
                    "Set password"
                </button>
            </form>
        </section>
    };
    visit.page(Tab::Profile, note, body.into_any())
}
