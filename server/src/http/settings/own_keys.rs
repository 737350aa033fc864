//! The page of a user's own keys of systems.

use std::sync::Arc;

use app::plain_pages::settings::{Note, OwnKeyField, OwnKeySection, OwnKeyState, OwnKeysPage};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use protocol::{ErrorBody, SystemStatus};
use sign_in::Client;
use store::{Error, OwnKeyChange};

use super::{Visit, add_cookie, done};
use crate::{own_keys::OwnKeys, texts};

/// The fields of a form: those of a key are named by its domain.
type Fields = Vec<(String, String)>;

/// A system that takes keys, with its name.
type KeySystem = (SystemStatus, Arc<dyn OwnKeys>);

const PATH: &str = "/settings/keys";

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    client: Client,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    let fields = fields.map(|Form(fields)| fields).unwrap_or_default();
    let get = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.trim().to_owned())
    };
    let action = get("do");
    // A key is access for later, to another system even.
    if action.as_deref() == Some("set")
        && let Some(first) = visit.needs_fresh(PATH).await
    {
        return first;
    }
    let systems = &visit.http.own_keys;
    let system = get("system");
    let system = system.and_then(|name| systems.iter().find(|(of, _)| of.toolset == name));
    let (Some(system), Some(action)) = (system, action) else {
        return show(&visit, problem(texts::settings::FORM_CANNOT_BE_READ)).await;
    };
    let result = match action.as_str() {
        "set" => {
            let inputs = system.1.words().fields.iter();
            let values: Option<Vec<_>> = inputs.map(|input| get(input.name)).collect();
            match values {
                Some(values) => set(&visit, &client, system, &values).await,
                None => Ok(problem(texts::settings::FORM_CANNOT_BE_READ)),
            }
        }
        "test" => Ok(test(&visit, system).await),
        "remove" => remove(&visit, &client, system).await,
        _ => Ok(problem(texts::settings::FORM_CANNOT_BE_READ)),
    };
    match result {
        Ok(Note::Saved) => done("/settings/keys?done=1"),
        Ok(note) => show(&visit, note).await,
        Err(error) => visit.failed(&error),
    }
}

async fn set(
    visit: &Visit,
    client: &Client,
    (of, keys): &KeySystem,
    values: &[String],
) -> Result<Note, Error> {
    let account = match keys.check(values).await {
        Ok(account) => account,
        Err(error) => return Ok(refused(&error)),
    };
    let change = OwnKeyChange::Set {
        account: account.text(),
    };
    note(visit, client, of, &change).await?;
    let (person, now) = (visit.signed_in.user.id, visit.http.now());
    Ok(match keys.keep(person, values, account, now).await {
        Ok(()) => Note::Saved,
        Err(error) => refused(&error),
    })
}

async fn test(visit: &Visit, (_, keys): &KeySystem) -> Note {
    match keys.test(visit.signed_in.user.id).await {
        Ok(Some(account)) => Note::Told(texts::settings::key_works(&account.text())),
        Ok(None) => problem(texts::settings::NO_OWN_KEY),
        Err(error) => refused(&error),
    }
}

async fn remove(visit: &Visit, client: &Client, (of, keys): &KeySystem) -> Result<Note, Error> {
    note(visit, client, of, &OwnKeyChange::Removed).await?;
    let (person, now) = (visit.signed_in.user.id, visit.http.now());
    Ok(match keys.remove(person, now).await {
        Ok(()) => Note::Saved,
        Err(error) => refused(&error),
    })
}

/// Records a change before it is made.
async fn note(
    visit: &Visit,
    client: &Client,
    of: &SystemStatus,
    change: &OwnKeyChange,
) -> Result<(), Error> {
    let owner = visit.signed_in.as_user();
    let by = visit.signed_in.setter(client);
    let store = &visit.http.store;
    let now = visit.http.now();
    store.note_own_key(&owner, &of.name, change, &by, now).await
}

fn problem(text: &str) -> Note {
    Note::Problem(text.to_owned())
}

fn refused(error: &ErrorBody) -> Note {
    Note::Problem(match &error.help {
        Some(help) => texts::settings::with_help(&error.message, help),
        None => error.message.clone(),
    })
}

async fn show(visit: &Visit, note: Note) -> Response {
    let mut systems = Vec::new();
    for (of, keys) in &visit.http.own_keys {
        let state = match keys.account(visit.signed_in.user.id).await {
            Ok(None) => OwnKeyState::None,
            Ok(Some(account)) => OwnKeyState::Set {
                account: account.text(),
            },
            Err(error) => OwnKeyState::Unreadable(match &error.help {
                Some(help) => texts::settings::with_help(&error.message, help),
                None => error.message,
            }),
        };
        let words = keys.words();
        let fields = words.fields.iter().map(|input| OwnKeyField {
            name: input.name,
            label: input.label,
            is_secret: input.is_secret,
        });
        systems.push(OwnKeySection {
            toolset: of.toolset.clone(),
            system: of.name.clone(),
            lead: words.lead.to_owned(),
            help: words.help.to_owned(),
            fields: fields.collect(),
            state,
        });
    }
    let is_stale = match visit.http.auth.is_fresh(&visit.signed_in).await {
        Ok(is_fresh) => !is_fresh,
        Err(error) => return visit.failed(&error),
    };
    let mut page = visit.page(note, OwnKeysPage { systems, is_stale });
    if is_stale && let Some(back) = visit.http.auth.remember(PATH) {
        add_cookie(&mut page, &back);
    }
    page
}
