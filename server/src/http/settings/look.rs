//! The page of the appearance: the theme, kept in this browser.

use app::plain_pages::settings::{LookPage, Note};
use axum::{
    Form,
    extract::rejection::FormRejection,
    http::{HeaderValue, header},
    response::Response,
};
use serde::Deserialize;

use super::{Visit, done};
use crate::texts;

#[derive(Deserialize)]
pub(super) struct LookForm {
    theme: String,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note)
}

pub(super) async fn change(visit: Visit, form: Result<Form<LookForm>, FormRejection>) -> Response {
    let cookie = form
        .ok()
        .and_then(|Form(form)| kit::theme::theme_cookie(&form.theme));
    let cookie = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok());
    let Some(cookie) = cookie else {
        return show(
            &visit,
            Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into()),
        );
    };
    let mut response = done("/settings/look?done=1");
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

fn show(visit: &Visit, note: Note) -> Response {
    visit.page(note, LookPage { theme: visit.theme })
}
