//! Tokens of programs.

use std::time::Duration;

use protocol::Role;
use store::{StoredSecret, StoredToken, User};

use crate::{
    auth::Auth,
    lifetimes::{SEEN_STEP, earlier, later},
    presented::Presented,
    secrets::{hash, new_secret},
    signed_in::{Client, Credential, SignedIn},
};

/// The prefix of every token: scanners find a leaked one by it.
const PREFIX: &str = "jarvis_token_";
/// The prefixes of older kinds of token: random ones, and signed ones (the header of a JSON web
/// token).
const OLDER: [&str; 2] = ["jarvis_", "eyJ"];

/// A token that a person requests.
pub struct NewToken {
    pub name: String,
    pub role: Role,
    /// None means all.
    pub toolsets: Option<Vec<String>>,
    /// True if it may decide on cards that take one press.
    pub decides: bool,
    pub days: u32,
}

impl Auth {
    /// Returns the person behind a token.
    pub(crate) async fn bearer(&self, token: &str) -> Result<Option<SignedIn>, store::Error> {
        match secret_of(token) {
            Some(secret) => self.look_up(Credential::Token(secret)).await,
            None => Ok(None),
        }
    }

    /// Returns the user of a token, and records its use.
    pub(crate) async fn use_token(
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
    pub async fn add_token(
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
    pub async fn revoke_token(&self, signed_in: &SignedIn, id: &str) -> Result<(), store::Error> {
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

/// Returns whether a request brings what looks like a token of a program, valid or not.
pub fn is_token(presented: &Presented<'_>) -> bool {
    presented
        .token()
        .is_some_and(|token| token.starts_with(PREFIX))
}

/// Returns whether a request brings a token of a kind from before tokens were random secrets of
/// this form.
pub fn is_older(presented: &Presented<'_>) -> bool {
    let older = |token: &str| {
        !token.starts_with(PREFIX) && OLDER.iter().any(|older| token.starts_with(older))
    };
    presented.token().is_some_and(older)
}
