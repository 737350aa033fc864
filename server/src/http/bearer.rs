//! Tokens of programs: `Authorization: Bearer …`.

use std::{sync::Arc, time::Duration};

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
    auth::{Auth, Credential, SEEN_STEP, earlier, later, new_secret},
    jwt::Claims,
};

/// What tokens began with before they were signed.
const OLD: &str = "jarvis_";

/// What a token of some toolsets hears of what is about all.
pub(crate) const ALL: &str = "This token is for some toolsets, and this is about all.";

/// Server functions that only read.
const READING: [&str; 19] = [
    "code",
    "shares",
    "shared",
    "shared_history",
    "history",
    "models",
    "spending",
    "frame",
    "forks",
    "effects",
    "status",
    "conversations",
    "conversation",
    "board",
    "page",
    "feed",
    "feed_entry",
    "archived",
    "search",
];

/// Server functions that keep to the toolsets of a token. Others are about all, and not for a token of
/// some.
const SCOPED: [&str; 22] = [
    "share",
    "shares",
    "unshare",
    "shared",
    "shared_history",
    "history",
    "models",
    "frame",
    "forks",
    "effects",
    "status",
    "to_front",
    "conversations",
    "conversation",
    "board",
    "page",
    "rename",
    "delete",
    "shelve",
    "seen",
    "archived",
    "search",
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
        match self.signer.verify(token, self.env.now()) {
            Some(claims) => {
                let found = self.look_up(&Credential::Token(claims.jti.into())).await?;
                Ok(found.filter(|signed_in| signed_in.user.id == claims.sub))
            }
            None => Ok(None),
        }
    }

    /// The user of a token, whose use is noted.
    pub(super) async fn use_token(&self, id: &str) -> Result<Option<(User, Token)>, store::Error> {
        let now = self.env.now();
        let found = self.store.token(id, now).await?;
        if let Some((_, token)) = &found
            && token.seen.is_none_or(|seen| seen < earlier(now, SEEN_STEP))
        {
            self.store.touch_token(id, now).await?;
        }
        Ok(found)
    }

    /// Makes a token. Gives what a program sends; it cannot be had again.
    pub(super) async fn add_token(
        &self,
        signed_in: &SignedIn,
        name: &str,
        role: Role,
        toolsets: Option<Vec<String>>,
        days: u32,
    ) -> Result<String, store::Error> {
        let now = self.env.now();
        let id = new_secret();
        let token = Token {
            id: format!("tok_{}", id.get(..16).unwrap_or(&id)),
            name: name.to_owned(),
            role,
            toolsets,
            signed: true,
            created: now,
            expires: later(now, Duration::from_secs(u64::from(days) * 24 * 60 * 60)),
            seen: None,
        };
        let owner = signed_in.as_user();
        let signed = self.signer.sign(&Claims::new(owner.id, &token));
        let signed = signed.map_err(|error| store::Error::Damaged(error.to_string()))?;
        self.store.add_token(&owner, &token, now).await?;
        Ok(signed)
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

/// Whether a request brings a token of the kind that is not good any more.
pub(super) fn is_old(headers: &HeaderMap) -> bool {
    token(headers).is_some_and(|token| token.starts_with(OLD))
}

/// What a token reaches, as pages and server functions know it.
pub(super) fn scope(toolsets: Option<Vec<String>>) -> Option<Arc<[String]>> {
    toolsets.map(Into::into)
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
    let among = |list: &[&str]| function.is_some_and(|function| list.contains(&function));
    let is_some = signed_in.user.toolsets.is_some();
    match signed_in.credential {
        Credential::Token(_) if !among(&READING) && signed_in.limit < Role::Operator => {
            refuse("This token only reads.")
        }
        Credential::Token(_) if is_some && !among(&SCOPED) => refuse(ALL),
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

pub(super) fn refuse(message: &str) -> Response {
    let error = ErrorBody::new(ErrorCode::RoleNotEnough, message);
    (StatusCode::FORBIDDEN, axum::Json(error)).into_response()
}
