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
use store::{StoredSecret, StoredToken, User};

use super::{
    SignedIn,
    auth::{Auth, Credential, SEEN_STEP, earlier, hash, later, new_secret},
    client::Client,
};

/// The prefix of every token: scanners find a leaked one by it.
const PREFIX: &str = "jarvis_token_";
/// The prefixes of older kinds of token: random ones, and signed ones (the header of a JSON web
/// token).
const OLDER: [&str; 2] = ["jarvis_", "eyJ"];

/// The refusal of a request about all toolsets to a token limited to some.
pub(crate) const ALL: &str = "This token covers only some toolsets; this needs all of them.";

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

/// True for paths of server functions that only read.
pub(super) fn only_reads(path: &str) -> bool {
    let function = path.strip_prefix("/api/");
    function.is_some_and(|function| READING.contains(&function))
}

/// Server functions that respect the toolsets of a token. Others concern all of them, and refuse a
/// token limited to some.
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

/// Returns the token of a request. Browsers never send one unasked.
pub(super) fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A token that a person requests.
pub(super) struct NewToken {
    pub(super) name: String,
    pub(super) role: Role,
    /// None means all.
    pub(super) toolsets: Option<Vec<String>>,
    /// True if it may decide on cards that take one press.
    pub(super) decides: bool,
    pub(super) days: u32,
}

impl Auth {
    /// Returns the person behind a token.
    pub(super) async fn bearer(&self, token: &str) -> Result<Option<SignedIn>, store::Error> {
        match secret_of(token) {
            Some(secret) => self.look_up(Credential::Token(secret)).await,
            None => Ok(None),
        }
    }

    /// Returns the user of a token, and records its use.
    pub(super) async fn use_token(
        &self,
        secret: StoredSecret,
    ) -> Result<Option<(User, StoredToken)>, store::Error> {
        let now = self.env.now();
        let found = self.store.token(secret, now).await?;
        if let Some((_, token)) = &found
            && token.seen.is_none_or(|seen| seen < earlier(now, SEEN_STEP))
        {
            self.store.touch_token(&token.id, now).await?;
        }
        Ok(found)
    }

    /// Creates a token. Returns the text that a program sends: it is shown once, and stored
    /// nowhere.
    pub(super) async fn add_token(
        &self,
        signed_in: &SignedIn,
        client: &Client,
        new: NewToken,
    ) -> Result<String, store::Error> {
        let now = self.env.now();
        // From other bits than the secret: the id appears in lists and records.
        let id = new_secret();
        let token = StoredToken {
            id: format!("tok_{}", id.get(..16).unwrap_or(&id)),
            name: new.name,
            role: new.role,
            toolsets: new.toolsets,
            decides: new.decides,
            retired: false,
            created: now,
            expires: later(now, Duration::from_secs(u64::from(new.days) * 24 * 60 * 60)),
            seen: None,
        };
        let sent = format!("{PREFIX}{}", new_secret());
        let owner = signed_in.as_user();
        self.store
            .add_token(&owner, &token, hash(&sent), &signed_in.setter(client), now)
            .await?;
        Ok(sent)
    }

    /// Revokes a token, and closes its open connections.
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

/// Returns the hash of a token, if it has the right form: other text never reaches the database.
fn secret_of(token: &str) -> Option<StoredSecret> {
    let digits = token.strip_prefix(PREFIX)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (digits.len() == 64 && digits.bytes().all(is_digit)).then(|| hash(token))
}

/// Returns whether a request brings a token of a kind from before tokens were random secrets of
/// this form.
pub(super) fn is_older(headers: &HeaderMap) -> bool {
    let older = |token: &str| {
        !token.starts_with(PREFIX) && OLDER.iter().any(|older| token.starts_with(older))
    };
    token(headers).is_some_and(older)
}

/// Returns the scope of a token, as pages and server functions know it.
pub(super) fn scope(toolsets: Option<Vec<String>>) -> Option<Arc<[String]>> {
    toolsets.map(Into::into)
}

/// Keeps programs from functions for people: a token cannot create another, nor change a password.
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

/// Keeps read-only tokens from functions that change something.
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
            refuse("This token is read-only.")
        }
        Credential::Token(_) if is_some && !among(&SCOPED) => refuse(ALL),
        _ => next.run(request).await,
    }
}

pub(super) fn refuse(message: &str) -> Response {
    let error = ErrorBody::new(ErrorCode::RoleNotEnough, message);
    (StatusCode::FORBIDDEN, axum::Json(error)).into_response()
}
