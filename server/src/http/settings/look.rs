//! The page of the appearance: the theme, kept in this browser.

use axum::{
    Form,
    extract::rejection::FormRejection,
    http::{HeaderValue, header},
    response::Response,
};
use leptos::prelude::*;
use serde::Deserialize;

use super::{Note, Tab, UNREADABLE, Visit, done};

#[derive(Deserialize)]
pub(super) struct LookForm {
    theme: String,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note("Saved in this browser.");
    show(&visit, note)
}

pub(super) async fn change(visit: Visit, form: Result<Form<LookForm>, FormRejection>) -> Response {
    let cookie = form
        .ok()
        .and_then(|Form(form)| app::theme_cookie(&form.theme));
    let cookie = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok());
    let Some(cookie) = cookie else {
        return show(&visit, Note::Problem(UNREADABLE.into()));
    };
    let mut response = done("/settings/look?done=1");
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

fn show(visit: &Visit, note: Note) -> Response {
    let choices: Vec<_> = app::theme_choices()
        .into_iter()
        .map(|(name, label)| {
            let meaning = match name {
                "system" => " Follows your device.",
                _ => "",
            };
            view! {
                <label class="choice">
                    <input type="radio" name="theme" value=name checked=name == visit.theme />
                    <span><strong>{label}</strong> {meaning}</span>
                </label>
            }
            .into_any()
        })
        .collect();
    let body = view! {
        <section>
            <h2>"Theme"</h2>
            <form method="post" action="/settings/look" class="plain-form">
                {choices}
                <button type="submit" class="button button--primary">"Save"</button>
            </form>
        </section>
    };
    visit.page(Tab::Look, note, body.into_any())
}
