//! Passkeys: the requests to the browser, and the checks of its answers.
//!
//! The answers are checked by `webauthn-rs`: challenge, origin, address, presence and identity of
//! the person, signature, counter. This module records who requested what, and for how long it is
//! valid.

use agent::ports::SignInWay;
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::{ShownPasskey, StoredPasskey, StoredSecret, User};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyAuthentication, PublicKeyCredential,
    RegisterPublicKeyCredential, Uuid, WebauthnError,
};

use crate::{
    auth::Auth,
    challenges::{Half, LIFE, Waiting, until},
    lifetimes::{ABSOLUTE, RESET, earlier},
    names::bad_name,
    passkeys::Trouble,
    presented::Presented,
    secrets::{hash, new_secret},
    signed_in::{Client, SignedIn},
    texts,
};

/// The refusal of an answer that was too late, repeated, or for another challenge.
const OVER: Trouble = Trouble::Refused(texts::CHALLENGE_EXPIRED);
/// The refusal of a wrong answer; it does not say what is wrong.
const WRONG: Trouble = Trouble::Refused(texts::PASSKEY_DOES_NOT_SIGN_IN);
/// The refusal of a passkey whose counter went back: two authenticators have the same key.
const COPIED: Trouble = Trouble::Refused(texts::PASSKEY_MAY_BE_COPIED);
/// A challenge that a browser has answered.
enum Begun {
    /// A passkey instead of a password, of any user.
    SignIn(Box<DiscoverableAuthentication>),
    /// A passkey after a password.
    Second(Half, Box<PasskeyAuthentication>),
}

impl Auth {
    /// Returns whether a user needs a passkey after the password.
    pub(crate) async fn needs_passkey(&self, user: &User) -> Result<bool, store::Error> {
        self.store.second_factor(user.id).await
    }

    /// Stores a correct password until the passkey comes. Returns the cookie of the browser.
    pub(crate) fn half(&self, user: User, kept: String) -> String {
        let Ok(parts) = self.passkeys.parts() else {
            // Recovery is a one-time link; a password alone must not be enough.
            return self.step_cookie(&new_secret());
        };
        let (browser, now) = (new_secret(), self.env.now());
        let half = Half {
            user,
            kept,
            until: until(now),
        };
        parts.keep_half(hash(&browser), half, now);
        self.step_cookie(&browser)
    }

    /// Returns the passkey request for a browser that wants to sign in, and the cookie that
    /// identifies its answer.
    pub async fn ask_passkey(
        &self,
        presented: &Presented<'_>,
    ) -> Result<(Value, Option<String>), Trouble> {
        let parts = self.passkeys.parts()?;
        let now = self.env.now();
        let known = self.step(presented);
        let before = known.and_then(|browser| parts.waiting.take(browser, now));
        let half = match before {
            Some(Waiting::Half(half) | Waiting::Second(half, _)) if half.until > now => Some(half),
            _ => None,
        };
        if let Some((browser, half)) = known.zip(half) {
            let keys = self.store.passkeys(half.user.id).await?;
            let keys: Vec<Passkey> = keys
                .iter()
                .map(|key| serde_json::from_str(&key.key))
                .collect::<Result<_, _>>()?;
            let (question, state) = parts.webauthn.start_passkey_authentication(&keys)?;
            let (end, owner) = (half.until, half.user.id);
            let waiting = Waiting::Second(half, Box::new(state));
            parts.waiting.put(browser, owner, waiting, end, now);
            return Ok((serde_json::to_value(question)?, None));
        }
        let (question, state) = parts.webauthn.start_discoverable_authentication()?;
        let mut question = serde_json::to_value(question)?;
        // Requested by a button, not offered while a name is typed.
        if let Some(fields) = question.as_object_mut() {
            fields.remove("mediation");
        }
        let sealed = parts.sealed.seal(&state, until(now))?;
        Ok((question, Some(self.step_cookie(&sealed))))
    }

    /// Signs in with the browser's answer.
    pub async fn try_passkey(
        &self,
        answer: PublicKeyCredential,
        client: Client,
        presented: &Presented<'_>,
    ) -> Result<String, Trouble> {
        let parts = self.passkeys.parts()?;
        let now = self.env.now();
        let browser = self.step(presented).ok_or(OVER)?;
        let begun = match parts.waiting.take(browser, now) {
            Some(Waiting::Second(half, state)) => Begun::Second(half, state),
            Some(Waiting::Half(_) | Waiting::Add(_)) => return Err(OVER),
            None => {
                let sealed = presented.cookie(&self.step_name()).ok_or(OVER)?;
                Begun::SignIn(Box::new(parts.sealed.open(sealed, now).ok_or(OVER)?))
            }
        };
        let address = client.address;
        let found = self.store.passkey(&hex(answer.get_credential_id())).await?;
        let Some((user, stored)) = found else {
            self.failed(None, address, now).await?;
            return Err(WRONG);
        };
        let mut key: Passkey = serde_json::from_str(&stored.key)?;
        let (checked, half) = match begun {
            Begun::SignIn(state) => {
                let own = parts.webauthn.identify_discoverable_authentication(&answer);
                let own = own.is_ok_and(|(handle, _)| handle == handle_of(&user));
                let checked = parts
                    .webauthn
                    .finish_discoverable_authentication_v2(&answer, *state, &key);
                (checked.map(|checked| own.then_some(checked)), None)
            }
            Begun::Second(half, state) => {
                let checked = parts
                    .webauthn
                    .finish_passkey_authentication(&answer, &state);
                let own = half.user.id == user.id;
                (checked.map(|checked| own.then_some(checked)), Some(half))
            }
        };
        let checked = match checked {
            Ok(Some(checked)) if checked.user_verified() => checked,
            wrong => {
                let copied = matches!(wrong, Err(WebauthnError::CredentialPossibleCompromise));
                tracing::warn!(user = %user.id, ?address, copied, "passkey rejected");
                self.failed(Some(&user), address, now).await?;
                // The password remains valid: the passkey may be requested again.
                if let Some(half) = half {
                    parts.keep_half(browser, half, now);
                }
                return Err(if copied { COPIED } else { WRONG });
            }
        };
        // A second step was taken out of the store; a first one is in a cookie that could come
        // again.
        if half.is_none() && !parts.sealed.use_up(browser, now) {
            return Err(OVER);
        }
        if !self.has_word(user.id).await? {
            tracing::warn!(user = %user.id, "the reverse proxy has not let this user in lately");
            self.failed(Some(&user), address, now).await?;
            return Err(Trouble::Refused(texts::SHUT_OUT));
        }
        key.update_credential(&checked);
        let updated = serde_json::to_string(&key)?;
        let shown = ShownPasskey {
            id: &stored.id,
            checked: &stored.key,
            updated: &updated,
            password: half.as_ref().map(|half| half.kept.as_str()),
        };
        let cookie = new_secret();
        let session = self.new_session(&cookie, client, presented, now);
        let begun = self.store.sign_in_by_passkey(&shown, &session, now).await?;
        if begun.is_none() {
            return Err(WRONG);
        }
        tracing::info!(user = %user.id, "signed in with a passkey");
        self.replaced(&session);
        Ok(self.set_cookie(&cookie, ABSOLUTE))
    }

    /// Returns the request for a new passkey, for the browser of a signed-in user.
    pub async fn ask_new_passkey(&self, signed_in: &SignedIn) -> Result<Value, Trouble> {
        let parts = self.passkeys.parts()?;
        let now = self.env.now();
        let session = self
            .may_change_passkeys(signed_in)
            .map_err(Trouble::Refused)?;
        let user = signed_in.as_user();
        let have = self.store.passkeys(user.id).await?;
        let have: Vec<Passkey> = have
            .iter()
            .map(|key| serde_json::from_str(&key.key))
            .collect::<Result<_, _>>()?;
        let have = have.iter().map(|key| key.cred_id().clone()).collect();
        let handle = handle_of(&user);
        let (question, state) = parts.webauthn.start_passkey_registration(
            handle,
            &user.name,
            &user.name,
            Some(have),
        )?;
        let mut question = serde_json::to_value(question)?;
        // Stored by the authenticator, so that it signs in without a name.
        let choice = &mut question["publicKey"]["authenticatorSelection"];
        choice["residentKey"] = "required".into();
        choice["requireResidentKey"] = true.into();
        let waiting = Waiting::Add(Box::new(state));
        let end = until(now);
        parts.waiting.put(session, user.id, waiting, end, now);
        Ok(question)
    }

    /// Adds the passkey that the browser made.
    pub async fn add_passkey(
        &self,
        signed_in: &SignedIn,
        client: &Client,
        name: &str,
        answer: &RegisterPublicKeyCredential,
    ) -> Result<(), Trouble> {
        let parts = self.passkeys.parts()?;
        let now = self.env.now();
        let session = self
            .may_change_passkeys(signed_in)
            .map_err(Trouble::Refused)?;
        if bad_name(name).is_some() {
            return Err(Trouble::Refused(texts::NAME_OF_PASSKEY_OUT_OF_RANGE));
        }
        let Some(Waiting::Add(state)) = parts.waiting.take(session, now) else {
            return Err(OVER);
        };
        let made = parts.webauthn.finish_passkey_registration(answer, &state);
        let made = made.map_err(|error| {
            tracing::warn!(user = %signed_in.user.id, %error, "new passkey rejected");
            Trouble::Refused(texts::ANSWER_DOES_NOT_MATCH)
        })?;
        let passkey = StoredPasskey {
            id: hex(made.cred_id()),
            name: name.to_owned(),
            key: serde_json::to_string(&made)?,
            created: now,
            seen: None,
        };
        let owner = signed_in.as_user();
        let by = signed_in.setter(client);
        match self.store.add_passkey(&owner, &passkey, &by, now).await {
            Ok(()) => Ok(()),
            Err(store::Error::TooMany) => Err(Trouble::Refused(texts::TOO_MANY_PASSKEYS_OR_ADDED)),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the session, if it may add or remove passkeys, else the reason why not: it must be
    /// recent, so that nobody who finds a browser open creates permanent access.
    pub fn may_change_passkeys(&self, signed_in: &SignedIn) -> Result<StoredSecret, &'static str> {
        let lately = earlier(self.env.now(), RESET);
        match (signed_in.session(), signed_in.began) {
            (_, Some((_, SignInWay::Proxy))) => Err(texts::PASSKEYS_NEED_DIRECT_SIGN_IN),
            (Some(session), Some((began, _))) if began > lately => Ok(session),
            _ => Err(texts::NEEDS_RECENT_SIGN_IN),
        }
    }
}

impl Auth {
    /// Returns the address at which passkeys work.
    pub fn origin(&self) -> Option<String> {
        self.passkeys.origin()
    }

    /// Returns the cookie of a sign-in in progress. It is sent only with the sign-in pages.
    fn step_cookie(&self, value: &str) -> String {
        self.cookie_text(&self.step_name(), value, "Strict", LIFE)
    }

    /// Returns the sign-in in progress in this browser.
    fn step(&self, presented: &Presented<'_>) -> Option<StoredSecret> {
        presented.cookie(&self.step_name()).map(hash)
    }

    fn step_name(&self) -> String {
        format!("{}-step", self.cookie)
    }
}

/// Returns the authenticators' handle of a user: it does not contain the name, and is the same for
/// all passkeys of one user.
fn handle_of(user: &User) -> Uuid {
    let hash = Sha256::digest(user.id.to_string().as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Uuid::from_bytes(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
