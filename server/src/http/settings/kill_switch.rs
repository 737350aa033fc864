//! The kill switch on the pages without scripts.

use app::plain_pages::settings::{BackToLook, Note};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use protocol::{Command, CommandId};
use serde::Deserialize;

use super::{Visit, done};
use crate::texts;

#[derive(Deserialize)]
pub(super) struct SwitchForm {
    to: String,
}

pub(super) async fn change(
    visit: Visit,
    form: Result<Form<SwitchForm>, FormRejection>,
) -> Response {
    let on = match form {
        Ok(Form(SwitchForm { to })) if to == "on" => true,
        Ok(Form(SwitchForm { to })) if to == "off" => false,
        _ => return told(&visit, texts::settings::FORM_CANNOT_BE_READ.to_owned()),
    };
    let http = &visit.http;
    let command = Command::KillSwitch { on };
    let charged = http.allowances.command(visit.signed_in.user.id, &command);
    if let Err(limited) = charged {
        return told(&visit, limited.error.message);
    }
    let id = CommandId::new(http.now(), http.env.random());
    // The engine checks the right, as for every command.
    match http.engine.command(visit.person(), id, command).await {
        Ok(()) => done("/settings/look"),
        Err(error) => told(&visit, error.message),
    }
}

fn told(visit: &Visit, problem: String) -> Response {
    visit.page(Note::Problem(problem), BackToLook)
}
