//! A user's API tokens.

use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use protocol::{Role, Timestamp};
use store::{Error, StoredToken};

use super::{Note, Tab, UNREADABLE, Visit, done, moment};
use crate::http::{bearer::NewToken, client::Client};

/// The longest life of a token, in days.
const MAX_DAYS: u32 = 365;

/// The fields of the form, with a name for each that is filled in.
type Fields = Vec<(String, String)>;

/// The action of one form.
enum Change {
    Add {
        name: String,
        role: Role,
        /// None means all.
        toolsets: Option<Vec<String>>,
        decides: bool,
        days: String,
    },
    Revoke {
        token: String,
    },
}

impl Change {
    /// Parsed by hand: a toolset may be named many times.
    fn read(fields: Fields) -> Option<Self> {
        let get = |name: &str| {
            let found = fields.iter().find(|(field, _)| field == name);
            found.map(|(_, value)| value.clone())
        };
        match get("do")?.as_str() {
            "add" => Some(Self::Add {
                name: get("name")?.trim().to_owned(),
                role: Role::from_word(&get("role")?),
                toolsets: match get("scope").as_deref() {
                    Some("some") => {
                        let chosen = fields.iter().filter(|(field, _)| field == "toolset");
                        Some(chosen.map(|(_, value)| value.clone()).collect())
                    }
                    Some("all") | None => None,
                    Some(_) => return None,
                },
                // An unticked box is not sent.
                decides: match get("decides").as_deref() {
                    Some("on") => true,
                    None => false,
                    Some(_) => return None,
                },
                days: get("days")?,
            }),
            "revoke" => Some(Self::Revoke {
                token: get("token")?,
            }),
            _ => None,
        }
    }
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note("The token no longer works.");
    show(&visit, note).await
}

pub(super) async fn change(
    visit: Visit,
    client: Client,
    fields: Result<Form<Fields>, FormRejection>,
) -> Response {
    let change = fields.ok().and_then(|Form(fields)| Change::read(fields));
    let result = match change {
        Some(Change::Revoke { token }) => {
            let revoked = visit.http.auth.revoke_token(&visit.signed_in, &token).await;
            revoked.map(|()| Note::None)
        }
        Some(add) => match visit.needs_fresh("/settings/tokens").await {
            Some(first) => return first,
            None => make(&visit, &client, add).await,
        },
        None => Ok(Note::Problem(UNREADABLE.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/tokens?done=1"),
        Ok(note) => note,
        Err(Error::TooMany) => Note::Problem("There are too many tokens. Revoke one first.".into()),
        Err(Error::NotFound) => Note::Problem("Token not found.".into()),
        Err(error) => return visit.failed(&error),
    };
    show(&visit, note).await
}

async fn make(visit: &Visit, client: &Client, change: Change) -> Result<Note, Error> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let problem = |text: &str| Ok(Note::Problem(text.to_owned()));
    let Change::Add {
        name,
        role,
        toolsets,
        decides,
        days,
    } = change
    else {
        return problem(UNREADABLE);
    };
    let days = days
        .parse::<u32>()
        .ok()
        .filter(|days| (1..=MAX_DAYS).contains(days));
    let Some(days) = days else {
        return problem("A token is valid for 1 to 365 days.");
    };
    if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        return problem("A token's name has 1 to 64 characters.");
    }
    if role == Role::Unknown || role > signed_in.user.role {
        return problem("A token can't have a higher role than yours.");
    }
    if decides && role < Role::Operator {
        return problem(
            "A token that can approve and deny needs the role of an operator or admin.",
        );
    }
    if let Some(chosen) = &toolsets {
        let known = http.engine.toolsets();
        if chosen.is_empty() || chosen.iter().any(|toolset| !known.contains(toolset)) {
            return problem("Choose at least one toolset, or all.");
        }
    }
    let new = NewToken {
        name,
        role,
        toolsets,
        decides,
        days,
    };
    let secret = http.auth.add_token(signed_in, client, new).await?;
    Ok(Note::Secret {
        text: "Send it as the header Authorization: Bearer, on requests and on the websocket. It \
        won't be shown again; the server keeps only its hash."
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
            let toolsets = match &token.toolsets {
                None => "all toolsets".to_owned(),
                Some(toolsets) => toolsets.join(", "),
            };
            let decides = if token.decides { " · decides" } else { "" };
            let about = format!(
                "{}{decides} · {toolsets} · {} · {}",
                token.role.word(),
                ends(&token, now),
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
        view! { <p>"None."</p> }.into_any()
    } else {
        view! { <ul class="plain-list">{rows}</ul> }.into_any()
    };
    let toolsets = visit.http.engine.toolsets().into_iter();
    let choices: Vec<_> = toolsets
        .map(|toolset| {
            view! {
                <label class="plain-choice__one">
                    <input type="checkbox" name="toolset" value=toolset.clone() />
                    {toolset}
                </label>
            }
        })
        .collect();
    // A user who may not decide cannot grant that right to a program.
    let deciding = (visit.signed_in.user.role >= Role::Operator).then(|| {
        view! {
            <fieldset class="plain-choice">
                <legend>"Decisions"</legend>
                <label>
                    <input type="checkbox" name="decides" />
                    "It may approve and deny requests that need one press; those that need a held \
                    press, a typed word or a second person are decided only on the page."
                </label>
            </fieldset>
        }
    });
    let body = view! {
        <section>
            <h2>"Tokens"</h2>
            <p>
                "With a token, a program acts in your name, limited by your role and the token's. \
                Conversations it starts have the token's toolsets and no others. A viewer's token \
                can only ask and read."
            </p>
            {list}
        </section>
        <section>
            <h2>"Create a token"</h2>
            <form method="post" action="/settings/tokens" class="plain-form">
                <input type="hidden" name="do" value="add" />
                <label>
                    "Name" <input name="name" maxlength="64" autocomplete="off" required />
                </label>
                <fieldset class="plain-choice">
                    <legend>"Toolsets"</legend>
                    <label>
                        <input type="radio" name="scope" value="all" checked />
                        "All, including future ones"
                    </label>
                    <label>
                        <input type="radio" name="scope" value="some" />
                        "Only these:"
                    </label>
                    {choices}
                </fieldset>
                <label>"Role" {super::roles(Role::Viewer, visit.signed_in.user.role)}</label>
                {deciding}
                <label>
                    "Valid for, in days"
                    <input name="days" type="number" min="1" max="365" value="90" required />
                </label>
                <button type="submit" class="button button--primary">
                    "Create token"
                </button>
            </form>
        </section>
    };
    visit.page(Tab::Tokens, note, body.into_any())
}

fn ends(token: &StoredToken, now: Timestamp) -> String {
    if token.retired {
        return "of an older kind that no longer works: create a new one".to_owned();
    }
    if token.expires <= now {
        return "expired".to_owned();
    }
    format!("valid until {}", moment(token.expires))
}
