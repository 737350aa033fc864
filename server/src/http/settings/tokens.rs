//! A user's API tokens.

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use protocol::{Role, Timestamp};
use serde::Deserialize;
use store::Error;

use super::{Note, Tab, UNREADABLE, Visit, done, moment};

/// The longest life of a token, in days.
const MAX_DAYS: u32 = 365;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Change {
    /// Forms send numbers as text.
    Add {
        name: String,
        role: Role,
        days: String,
    },
    Revoke {
        token: String,
    },
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note("The token is not good any more.");
    show(&visit, note).await
}

pub(super) async fn change(visit: Visit, change: Result<Form<Change>, FormRejection>) -> Response {
    let result = match change {
        Ok(Form(Change::Add { name, role, days })) => add(&visit, name.trim(), role, &days).await,
        Ok(Form(Change::Revoke { token })) => {
            let revoked = visit.http.auth.revoke_token(&visit.signed_in, &token).await;
            revoked.map(|()| Note::None)
        }
        Err(_) => Ok(Note::Problem(UNREADABLE.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/tokens?done=1"),
        Ok(note) => note,
        Err(Error::TooMany) => Note::Problem("There are too many tokens. Revoke one first.".into()),
        Err(Error::NotFound) => Note::Problem("There is no such token.".into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note).await
}

async fn add(visit: &Visit, name: &str, role: Role, days: &str) -> Result<Note, Error> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let problem = |text: &str| Ok(Note::Problem(text.to_owned()));
    let days = days
        .parse::<u32>()
        .ok()
        .filter(|days| (1..=MAX_DAYS).contains(days));
    let Some(days) = days else {
        return problem("A token is good for 1 to 365 days.");
    };
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        return problem("A token has a name of 1 to 64 characters.");
    }
    if role == Role::Unknown || role > signed_in.user.role {
        return problem("A token is good for no more than your own role.");
    }
    let secret = http.auth.add_token(signed_in, name, role, days).await?;
    Ok(Note::Secret {
        text: "Send it as the header Authorization: Bearer, on requests and on the websocket. It \
               is shown this once."
            .to_owned(),
        secret,
    })
}

async fn show(visit: &Visit, note: Note) -> Response {
    let tokens = match visit.http.store.tokens(visit.signed_in.user.id).await {
        Ok(tokens) => tokens,
        Err(error) => return visit.failed(&error),
    };
    let now = visit.http.now();
    let rows: Vec<_> = tokens
        .into_iter()
        .map(|token| {
            let about = format!(
                "{} · {} · {}",
                token.role.word(),
                ends(token.expires, now),
                token.seen.map_or("never used".to_owned(), |seen| {
                    format!("last used {}", moment(seen))
                }),
            );
            view! {
                <li>
                    <div>{token.name} <small>{about}</small></div>
                    <form method="post" action="/settings/tokens">
                        <input type="hidden" name="do" value="revoke" />
                        <input type="hidden" name="token" value=token.id />
                        <button type="submit" class="button button--small button--danger">
                            "Revoke"
                        </button>
                    </form>
                </li>
            }
        })
        .collect();
    let list = if rows.is_empty() {
        view! { <p>"There is none."</p> }.into_any()
    } else {
        view! { <ul class="plain-list">{rows}</ul> }.into_any()
    };
    let body = view! {
        <section>
            <h2>"Tokens"</h2>
            <p>"With a token a program asks in your name, as far as your role and the token's go."</p>
            {list}
        </section>
        <section>
            <h2>"Make a token"</h2>
            <form method="post" action="/settings/tokens" class="plain-form">
                <input type="hidden" name="do" value="add" />
                <label>
                    "Name" <input name="name" maxlength="64" autocomplete="off" required />
                </label>
                <label>"Role" {super::roles(Role::Viewer, visit.signed_in.user.role)}</label>
                <label>
                    "Days that it is good for"
                    <input name="days" type="number" min="1" max="365" value="90" required />
                </label>
                <button type="submit" class="button button--primary">
                    "Make it"
                </button>
            </form>
        </section>
    };
    visit.page(Tab::Tokens, note, body.into_any())
}

fn ends(expires: Timestamp, now: Timestamp) -> String {
    if expires <= now {
        return "expired".to_owned();
    }
    format!("good until {}", moment(expires))
}
