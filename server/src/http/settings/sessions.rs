//! A user's sessions: their clients, and the forms that end them.

use agent::ports::SignInWay;
use app::plain_pages::settings::{Note, SessionRow, SessionsPage, WayIn};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use serde::Deserialize;

use super::{Visit, done};
use crate::texts;

#[derive(Deserialize)]
pub(super) struct Fields {
    /// The session to end; none ends all others.
    session: Option<String>,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note).await
}

pub(super) async fn end(visit: Visit, fields: Result<Form<Fields>, FormRejection>) -> Response {
    let Ok(Form(fields)) = fields else {
        return show(
            &visit,
            Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into()),
        )
        .await;
    };
    let auth = &visit.http.auth;
    let ended = auth.end_sessions(&visit.signed_in, fields.session.as_deref());
    match ended.await {
        Ok(()) => done("/settings/sessions?done=1"),
        Err(error) => visit.failed(&error),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    let sessions = match visit.http.auth.sessions(&visit.signed_in).await {
        Ok(sessions) => sessions,
        Err(error) => return visit.failed(&error),
    };
    let sessions = sessions.into_iter().map(|session| SessionRow {
        id: session.id,
        browser: session.browser,
        address: session.address,
        began_by: match session.way {
            SignInWay::Link { .. } => WayIn::Link,
            SignInWay::Password => WayIn::Password,
            SignInWay::Passkey => WayIn::Passkey,
            SignInWay::PasswordAndPasskey => WayIn::PasswordAndPasskey,
            SignInWay::Proxy => WayIn::Proxy,
        },
        created: session.created,
        seen: session.seen,
        own: session.own,
    });
    let sessions = sessions.collect();
    visit.page(note, SessionsPage { sessions })
}
