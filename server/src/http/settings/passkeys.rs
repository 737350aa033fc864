//! A user's passkeys: add, name, remove, and whether a password alone is enough.

use axum::{
    Form, Json,
    extract::rejection::{FormRejection, JsonRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use leptos::prelude::*;
use protocol::{ErrorBody, ErrorCode};
use serde::Deserialize;
use serde_json::json;
use store::{Error, StoredPasskey};
use webauthn_rs::prelude::RegisterPublicKeyCredential;

use super::{Note, Tab, UNREADABLE, Visit, bad_name, done, moment};
use crate::http::{client::Client, passkeys::Trouble, plain_page};

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
    let note = visit.note("Saved.");
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    client: Client,
    change: Result<Form<Change>, FormRejection>,
) -> Response {
    let result = match change {
        Ok(Form(change)) => carry_out(&visit, &client, change).await,
        Err(_) => Ok(Note::Problem(UNREADABLE.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/passkeys?done=1"),
        Ok(note) => note,
        Err(Error::NotFound) => Note::Problem("Passkey not found.".into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note).await
}

async fn carry_out(visit: &Visit, client: &Client, change: Change) -> Result<Note, Error> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let (owner, by, now) = (signed_in.as_user(), signed_in.setter(client), http.now());
    if let Err(Trouble::Refused(why)) = http.auth.may_change_passkeys(signed_in) {
        return Ok(Note::Problem(why.to_owned()));
    }
    match change {
        Change::Rename { passkey, name } => {
            let name = name.trim();
            if bad_name(name).is_some() {
                let problem = "A passkey's name has 1 to 64 characters.";
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
        Err(trouble) => trouble.into_response(),
    }
}

/// Stores the new passkey.
pub(super) async fn add(
    visit: Visit,
    client: Client,
    made: Result<Json<Made>, JsonRejection>,
) -> Response {
    let Ok(Json(Made { name, credential })) = made else {
        let error = ErrorBody::new(ErrorCode::Malformed, "The browser's answer can't be read.");
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response();
    };
    let auth = &visit.http.auth;
    let added = auth.add_passkey(&visit.signed_in, &client, name.trim(), &credential);
    match added.await {
        Ok(()) => Json(json!({ "to": "/settings/passkeys?done=1" })).into_response(),
        Err(trouble) => trouble.into_response(),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    let Visit {
        http, signed_in, ..
    } = visit;
    let user = signed_in.user.id;
    let read = async {
        let passkeys = http.store.passkeys(user).await?;
        let second = http.store.second_factor(user).await?;
        Ok::<_, Error>((passkeys, second))
    };
    let (passkeys, second) = match read.await {
        Ok(read) => read,
        Err(error) => return visit.failed(&error),
    };
    let may = http.auth.may_change_passkeys(signed_in);
    let stale = match &may {
        Err(Trouble::Refused(why)) => Some(view! { <p class="plain-note">{*why}</p> }),
        _ => None,
    };
    let may = may.is_ok();
    let any = !passkeys.is_empty();
    let rows: Vec<_> = passkeys.into_iter().map(|key| row(key, may)).collect();
    let list = if any {
        view! { <ul class="plain-list">{rows}</ul> }.into_any()
    } else {
        view! { <p>"None."</p> }.into_any()
    };
    let add = match http.auth.origin() {
        Some(origin) if may => view! {
            <div class="plain-form" data-passkey="add" data-origin=origin>
                <label>
                    "Name"
                    <input maxlength="64" autocomplete="off" placeholder="This laptop" required />
                </label>
                <p role="status">"Passkeys need JavaScript."</p>
                <button type="button" class="button button--primary" hidden>
                    "Add a passkey"
                </button>
            </div>
        }
        .into_any(),
        Some(_) => ().into_any(),
        None => view! {
            <p>
                "Browsers support passkeys only at addresses with a host name and TLS. Set "
                <code>"server.public_url"</code>
                " to the address people use to reach Jarvis."
            </p>
        }
        .into_any(),
    };
    let on = (!second).to_string();
    let label = if second {
        "Allow sign-in with the password alone"
    } else {
        "Require a passkey after the password"
    };
    let demand = (any && may).then(|| {
        view! {
            <form method="post" action="/settings/passkeys">
                <input type="hidden" name="do" value="second_factor" />
                <input type="hidden" name="on" value=on />
                <button type="submit" class="button">{label}</button>
            </form>
        }
    });
    let state = if second {
        "On: a password works only together with one of your passkeys."
    } else {
        "Off: a password or a passkey alone signs you in."
    };
    let body = view! {
        {stale}
        <section>
            <h2>"Passkeys"</h2>
            <p>
                "A passkey signs you in without a password. It stays on your device, in your \
                browser or on a security key, and works only at this address."
            </p>
            {list}
        </section>
        <section>
            <h2>"Second factor"</h2>
            <p>{state}</p>
            {demand}
            <p>
                "If you lose your passkeys, an admin can make you a sign-in link; on the server, "
                <code>"jarvis sign-in-link"</code> " makes one."
            </p>
        </section>
        <section>
            <h2>"Add a passkey"</h2>
            {add}
        </section>
    };
    visit.page(Tab::Passkeys, note, body.into_any())
}

fn row(passkey: StoredPasskey, may: bool) -> impl IntoView {
    let StoredPasskey {
        id,
        name,
        created,
        seen,
        ..
    } = passkey;
    let used = seen.map_or("never used".to_owned(), |seen| {
        format!("last used {}", moment(seen))
    });
    let about = format!("added {} · {used}", moment(created));
    let forms = may.then(|| {
        let field = format!("Name of {name}");
        view! {
            <form method="post" action="/settings/passkeys" class="plain-row">
                <input type="hidden" name="do" value="rename" />
                <input type="hidden" name="passkey" value=id.clone() />
                <input name="name" maxlength="64" value=name.clone() aria-label=field required />
                <button type="submit" class="button button--small">"Rename"</button>
            </form>
            <form method="post" action="/settings/passkeys">
                <input type="hidden" name="do" value="remove" />
                <input type="hidden" name="passkey" value=id.clone() />
                <button type="submit" class="button button--small button--danger">"Remove"</button>
            </form>
        }
    });
    view! {
        <li>
            <div>{name} <small>{about}</small></div>
            <div class="plain-row">{forms}</div>
        </li>
    }
}
