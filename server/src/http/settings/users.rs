//! The page of users and their roles, for admins.

use app::plain_pages::settings::{Note, UserRow, UsersPage};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use protocol::{Role, UserId};
use serde::Deserialize;
use sign_in::{Client, bad_name};
use store::{Error, LinkMaker, User};

use super::{Visit, done};
use crate::texts;

/// The action of one form, and its user.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Change {
    Add {
        name: String,
        role: Role,
    },
    Role {
        user: UserId,
        role: Role,
    },
    Disable {
        user: UserId,
    },
    Enable {
        user: UserId,
    },
    Link {
        user: UserId,
    },
    /// The reverse proxy may sign the user in.
    LinkProxy {
        user: UserId,
    },
    UnlinkProxy {
        user: UserId,
    },
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
    if let Some(first) = visit.needs_fresh("/settings/users").await {
        return first;
    }
    let result = match change {
        Ok(Form(change)) => carry_out(&visit, &client, change).await,
        Err(_) => Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/users?done=1"),
        Ok(note) => note,
        Err(Error::NameTaken) => Note::Problem(texts::settings::NAME_IS_TAKEN.into()),
        Err(Error::LastAdmin) => Note::Problem(texts::settings::ONE_ADMIN_MUST_REMAIN.into()),
        Err(Error::NotFound) => Note::Problem(texts::settings::USER_NOT_FOUND.into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note).await
}

/// Carries out a form; `Note::None` if the page has nothing to report.
async fn carry_out(visit: &Visit, client: &Client, change: Change) -> Result<Note, Error> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let by = &signed_in.user.name;
    let (auth, store, now) = (&http.auth, &http.store, http.now());
    match change {
        Change::Add { name, role } => {
            let name = name.trim();
            if let Some(problem) = bad_name(name) {
                return Ok(Note::Problem(problem.to_owned()));
            }
            let role = known(role)?;
            let user = User {
                id: UserId::new(now, http.env.random()),
                name: name.to_owned(),
                role,
            };
            store.add_user_of(&user, &signed_in.as_user(), now).await?;
            link(visit, client, &user.name, user.id).await
        }
        Change::Role { user, role } => {
            store.set_role(user, known(role)?, by, now).await?;
            auth.changed(user);
            Ok(Note::None)
        }
        Change::Disable { user } => {
            store.set_disabled(user, true, by, now).await?;
            auth.changed(user);
            Ok(Note::None)
        }
        Change::Enable { user } => {
            store.set_disabled(user, false, by, now).await?;
            Ok(Note::None)
        }
        Change::LinkProxy { user } => {
            store
                .link_to_proxy(user, true, &maker(visit, client), now)
                .await?;
            Ok(Note::None)
        }
        Change::UnlinkProxy { user } => {
            store
                .link_to_proxy(user, false, &maker(visit, client), now)
                .await?;
            auth.changed(user);
            Ok(Note::None)
        }
        Change::Link { user } => {
            let accounts = store.accounts().await?;
            let account = accounts.into_iter().find(|account| account.user.id == user);
            let account = account.filter(|account| account.disabled.is_none());
            let name = account.ok_or(Error::NotFound)?.user.name;
            link(visit, client, &name, user).await
        }
    }
}

fn maker(visit: &Visit, client: &Client) -> LinkMaker {
    let user = &visit.signed_in.user;
    LinkMaker {
        user: Some(user.id),
        name: user.name.clone(),
        address: client.address.map(|address| address.to_string()),
    }
}

/// Creates a link that signs a user in, shown only this once.
async fn link(visit: &Visit, client: &Client, name: &str, user: UserId) -> Result<Note, Error> {
    let http = &visit.http;
    let token = http.auth.new_link(user, &maker(visit, client)).await?;
    Ok(Note::Secret {
        text: texts::settings::give_link(name),
        secret: format!("{}/sign-in?token={token}", http.url),
        is_link: true,
    })
}

fn known(role: Role) -> Result<Role, Error> {
    match role {
        Role::Unknown => Err(Error::NotFound),
        role => Ok(role),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    let accounts = match visit.http.store.accounts().await {
        Ok(accounts) => accounts,
        Err(error) => return visit.failed(&error),
    };
    let users = accounts.into_iter().map(|account| UserRow {
        id: account.user.id,
        name: account.user.name,
        role: account.user.role,
        created: account.created,
        disabled: account.disabled,
        seen: account.seen,
        proxy: account.proxy,
    });
    let page = UsersPage {
        users: users.collect(),
        has_proxy: visit.http.proxy_sign_in.is_some(),
    };
    visit.page(note, page)
}
