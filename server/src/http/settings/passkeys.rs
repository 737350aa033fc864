//! A user's passkeys: add, name, remove, and whether a password alone is enough.

use app::plain_pages::settings::{Note, PasskeyRow, PasskeysPage};
use axum::{
    Form, Json,
    extract::rejection::{FormRejection, JsonRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use serde::Deserialize;
use serde_json::json;
use sign_in::{Client, RegisterPublicKeyCredential, bad_name};
use store::Error;

use super::{Visit, done};
use crate::{
    http::{by_passkey, plain_page},
    texts,
};

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Change {
    Rename { passkey: String, name: String },
    Remove { passkey: String },
    SecondFactor { on: String },
}

/// The request of the script.
#[derive(Deserialize)]
pub(super) struct Made {
    name: String,
    credential: RegisterPublicKeyCredential,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    client: Client,
    change: Result<Form<Change>, FormRejection>,
) -> Response {
    let result = match change {
        Ok(Form(change)) => carry_out(&visit, &client, change).await,
        Err(_) => Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/passkeys?done=1"),
        Ok(note) => note,
        Err(Error::NotFound) => Note::Problem(texts::settings::PASSKEY_NOT_FOUND.into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note).await
}

async fn carry_out(visit: &Visit, client: &Client, change: Change) -> Result<Note, Error> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let (owner, by, now) = (signed_in.as_user(), signed_in.setter(client), http.now());
    if let Err(why) = http.auth.may_change_passkeys(signed_in) {
        return Ok(Note::Problem(why.to_owned()));
    }
    match change {
        Change::Rename { passkey, name } => {
            let name = name.trim();
            if bad_name(name).is_some() {
                let problem = texts::settings::PASSKEY_NAME_IS_OUT_OF_RANGE;
                return Ok(Note::Problem(problem.to_owned()));
            }
            http.store
                .rename_passkey(&owner, &passkey, name, now)
                .await?;
        }
        Change::Remove { passkey } => {
            http.store
                .remove_passkey(&owner, &passkey, &by, now)
                .await?;
        }
        Change::SecondFactor { on } => {
            http.store
                .set_second_factor(&owner, on == "true", &by, now)
                .await?;
        }
    }
    Ok(Note::None)
}

/// Returns the request for a new passkey.
pub(super) async fn begin(visit: Visit) -> Response {
    match visit.http.auth.ask_new_passkey(&visit.signed_in).await {
        Ok(question) => plain_page::no_store(Json(question).into_response()),
        Err(trouble) => by_passkey::failed(trouble),
    }
}

/// Stores the new passkey.
pub(super) async fn add(
    visit: Visit,
    client: Client,
    made: Result<Json<Made>, JsonRejection>,
) -> Response {
    let Ok(Json(Made { name, credential })) = made else {
        let error = ErrorBody::new(
            ErrorCode::Malformed,
            texts::settings::BROWSER_ANSWER_UNREADABLE,
        );
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response();
    };
    let auth = &visit.http.auth;
    let added = auth.add_passkey(&visit.signed_in, &client, name.trim(), &credential);
    match added.await {
        Ok(()) => Json(json!({ "to": "/settings/passkeys?done=1" })).into_response(),
        Err(trouble) => by_passkey::failed(trouble),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    let Visit {
        http, signed_in, ..
    } = visit;
    let user = signed_in.user.id;
    let read = async {
        let passkeys = http.store.passkeys(user).await?;
        let second_factor = http.store.second_factor(user).await?;
        Ok::<_, Error>((passkeys, second_factor))
    };
    let (passkeys, second_factor) = match read.await {
        Ok(read) => read,
        Err(error) => return visit.failed(&error),
    };
    let passkeys = passkeys.into_iter().map(|passkey| PasskeyRow {
        id: passkey.id,
        name: passkey.name,
        created: passkey.created,
        seen: passkey.seen,
    });
    let page = PasskeysPage {
        passkeys: passkeys.collect(),
        second_factor,
        fixed: http.auth.may_change_passkeys(signed_in).err(),
        origin: http.auth.origin(),
    };
    visit.page(note, page)
}
