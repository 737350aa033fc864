//! A user's own password.

use axum::{
    Extension, Form,
    extract::{Query, State, rejection::FormRejection},
    http::HeaderMap,
    response::Response,
};
use leptos::prelude::*;
use serde::Deserialize;

use super::{Arrived, Note, Tab, UNREADABLE, done, failed};
use crate::http::{Http, SignedIn, by_password::Changed, client::Client, plain};

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    current: String,
    new: String,
    again: String,
}

pub(super) async fn page(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    headers: HeaderMap,
    Query(arrived): Query<Arrived>,
) -> Response {
    let note = arrived.note("The password was changed. All other sessions have ended.");
    show(&http, &headers, &signed_in, note).await
}

pub(super) async fn change(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    client: Client,
    headers: HeaderMap,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    let problem = match fields {
        Err(_) => UNREADABLE.to_owned(),
        Ok(Form(fields)) if fields.new != fields.again => {
            "The new password was not typed the same twice.".to_owned()
        }
        Ok(Form(fields)) => {
            let Fields { current, new, .. } = fields;
            let change = http.auth.change_password(&signed_in, current, new, &client);
            match Box::pin(change).await {
                Ok(Changed::Done) => return done("/settings?done=password"),
                Ok(Changed::Refused(problem)) => problem,
                Err(error) => return failed(&http, plain::theme(&headers), &error),
            }
        }
    };
    show(&http, &headers, &signed_in, Note::Problem(problem)).await
}

async fn show(http: &Http, headers: &HeaderMap, signed_in: &SignedIn, note: Note) -> Response {
    let theme = plain::theme(headers);
    let may_reset = match http.auth.may_reset(signed_in).await {
        Ok(may_reset) => may_reset,
        Err(error) => return failed(http, theme, &error),
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
    let name = signed_in.user.name.clone();
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
                "At least 12 characters; a few words in a row are good. All your other sessions end \
                when it changes."
            </p>
            <form method="post" action="/settings" class="plain-form">
                <input name="name" autocomplete="username" value=name readonly hidden />
                {current}
                {new("New password", "new")}
                {new("New password again", "again")}
                <button type="submit" class="button button--primary">
                    "Set password"
                </button>
            </form>
        </section>
    };
    super::page(http, theme, signed_in, Tab::Profile, note, body.into_any())
}
