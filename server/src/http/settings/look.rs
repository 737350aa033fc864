//! The page of the appearance: the theme and the density, kept in this browser.

use app::plain_pages::settings::{LookPage, Note};
use axum::{
    Form,
    extract::rejection::FormRejection,
    http::{HeaderValue, header},
    response::Response,
};
use kit::{density::Density, theme::theme_cookie};
use serde::Deserialize;

use super::{Visit, done};
use crate::texts;

#[derive(Deserialize)]
pub(super) struct LookForm {
    theme: String,
    density: String,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note)
}

pub(super) async fn change(visit: Visit, form: Result<Form<LookForm>, FormRejection>) -> Response {
    let chosen = form.ok().and_then(|Form(form)| {
        let theme = theme_cookie(&form.theme)?;
        let density = Density::from_name(&form.density)?.cookie();
        let theme = HeaderValue::try_from(theme).ok()?;
        Some([theme, HeaderValue::try_from(density).ok()?])
    });
    let Some(chosen) = chosen else {
        return show(
            &visit,
            Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into()),
        );
    };
    let mut response = done("/settings/look?done=1");
    for cookie in chosen {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn show(visit: &Visit, note: Note) -> Response {
    let page = LookPage {
        theme: visit.theme,
        density: visit.density,
    };
    visit.page(note, page)
}
