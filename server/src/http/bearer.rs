//! Tokens of programs: `Authorization: Bearer …`.

use std::time::Duration;

use axum::{
    Extension,
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode, Role};
use store::{Token, User};

use super::{
    SignedIn,
    auth::{Auth, Credential, SEEN_STEP, earlier, hash, later, new_secret},
};

/// So that a token is known as one wherever it turns up.
const PREFIX: &str = "jarvis_";

/// Server functions that only read.
const READING: [&str; 7] = [
    "frame",
    "status",
    "conversations",
    "conversation",
    "board",
    "feed",
    "feed_entry",
];

/// The token of a request. Browsers never send one by themselves.
pub(super) fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Auth {
    /// Who asks with a token.
    pub(super) async fn bearer(&self, token: &str) -> Result<Option<SignedIn>, store::Error> {
        match token.strip_prefix(PREFIX) {
            Some(secret) => self.look_up(Credential::Token(hash(secret))).await,
            None => Ok(None),
        }
    }

    /// The user of a token, whose use is noted.
    pub(super) async fn use_token(
        &self,
        secret: store::Secret,
    ) -> Result<Option<(User, Token)>, store::Error> {
        let now = self.env.now();
        let found = self.store.token(secret, now).await?;
        if let Some((_, token)) = &found
            && token.seen.is_none_or(|seen| seen < earlier(now, SEEN_STEP))
        {
            self.store.touch_token(secret, now).await?;
        }
        Ok(found)
    }

    /// Makes a token. Gives what a program sends; it cannot be had again.
    pub(super) async fn add_token(
        &self,
        signed_in: &SignedIn,
        name: &str,
        role: Role,
        days: u32,
    ) -> Result<String, store::Error> {
        let secret = new_secret();
        let now = self.env.now();
        let id = new_secret();
        let token = Token {
            id: format!("tok_{}", id.get(..16).unwrap_or(&id)),
            name: name.to_owned(),
            role,
            created: now,
            expires: later(now, Duration::from_secs(u64::from(days) * 24 * 60 * 60)),
            seen: None,
        };
        let owner = signed_in.as_user();
        self.store
            .add_token(&owner, &token, hash(&secret), now)
            .await?;
        Ok(format!("{PREFIX}{secret}"))
    }

    /// Takes a token back. What it holds open is closed.
    pub(super) async fn revoke_token(
        &self,
        signed_in: &SignedIn,
        id: &str,
    ) -> Result<(), store::Error> {
        let now = self.env.now();
        self.store
            .revoke_token(&signed_in.as_user(), id, now)
            .await?;
        self.changed(signed_in.user.id);
        Ok(())
    }
}

/// Keeps programs from what is for people alone: a token cannot make another, nor change a password.
pub(super) async fn people_only(
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    match signed_in.credential {
        Credential::Session(_) => next.run(request).await,
        Credential::Token(_) => refuse("This is for people: sign in with a browser."),
    }
}

/// Keeps tokens that only read from functions that change something.
pub(super) async fn may_call(
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    let function = request.uri().path().strip_prefix("/api/");
    let reads = function.is_some_and(|function| READING.contains(&function));
    match signed_in.credential {
        Credential::Token(_) if !reads && signed_in.limit < Role::Operator => {
            refuse("This token only reads.")
        }
        _ => next.run(request).await,
    }
}

/// Keeps out who is no admin.
pub(super) async fn admins_only(
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    if signed_in.user.role >= Role::Admin {
        next.run(request).await
    } else {
        refuse("Only an admin may do this.")
    }
}

fn refuse(message: &str) -> Response {
    let error = ErrorBody::new(ErrorCode::RoleNotEnough, message);
    (StatusCode::FORBIDDEN, axum::Json(error)).into_response()
}
