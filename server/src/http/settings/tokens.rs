//! A user's API tokens.

use app::plain_pages::settings::{Note, TokenRow, TokenScope, TokensPage};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use protocol::Role;
use sign_in::{Client, NewToken, bad_name};
use store::Error;

use super::{Visit, done};
use crate::{http::Http, texts};

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
    let note = visit.note();
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
        None => Ok(Note::Problem(texts::settings::FORM_CANNOT_BE_READ.into())),
    };
    let note = match result {
        Ok(Note::None) => return done("/settings/tokens?done=1"),
        Ok(note) => note,
        Err(Error::TooMany) => Note::Problem(texts::settings::TOO_MANY_TOKENS.into()),
        Err(Error::NotFound) => Note::Problem(texts::settings::TOKEN_NOT_FOUND.into()),
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
        return problem(texts::settings::FORM_CANNOT_BE_READ);
    };
    let days = days
        .parse::<u32>()
        .ok()
        .filter(|days| (1..=MAX_DAYS).contains(days));
    let Some(days) = days else {
        return problem(texts::settings::TOKEN_LIFE_IS_OUT_OF_RANGE);
    };
    if let Some(wrong) = bad_name(&name) {
        return problem(wrong);
    }
    if role == Role::Unknown || role > signed_in.user.role {
        return problem(texts::settings::ROLE_OF_TOKEN_IS_TOO_HIGH);
    }
    if decides && role < Role::Operator {
        return problem(texts::settings::DECIDING_TOKEN_NEEDS_OPERATOR);
    }
    if let Some(chosen) = &toolsets {
        let known = http.engine.toolsets();
        if chosen.is_empty() || chosen.iter().any(|toolset| !known.contains(toolset)) {
            return problem(texts::settings::CHOOSE_A_TOOLSET);
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
        text: texts::settings::HOW_TO_SEND_A_TOKEN.to_owned(),
        secret,
        is_link: false,
    })
}

fn scopes(http: &Http) -> Vec<TokenScope> {
    let toolsets = http.engine.toolsets().into_iter();
    let scope = |toolset: String| TokenScope {
        label: http.name_of(&toolset),
        toolset,
    };
    toolsets.map(scope).collect()
}

async fn show(visit: &Visit, note: Note) -> Response {
    let tokens = match visit.http.store.tokens(visit.signed_in.user.id).await {
        Ok(tokens) => tokens,
        Err(error) => return visit.failed(&error),
    };
    let tokens = tokens.into_iter().map(|token| TokenRow {
        id: token.id,
        name: token.name,
        role: token.role,
        toolsets: token.toolsets,
        decides: token.decides,
        expires: token.expires,
        retired: token.retired,
        seen: token.seen,
    });
    let page = TokensPage {
        tokens: tokens.collect(),
        toolsets: scopes(&visit.http),
        role: visit.signed_in.user.role,
        now: visit.http.now(),
    };
    visit.page(note, page)
}
