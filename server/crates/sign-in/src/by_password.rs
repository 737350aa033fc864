//! Signing in with a password.

use std::time::Duration;

use agent::ports::SignInWay;

use crate::{
    auth::Auth,
    lifetimes::{ABSOLUTE, RESET, earlier},
    passwords::{MAX_BYTES, NotHashed, weakness},
    presented::Presented,
    secrets::new_secret,
    signed_in::{Client, SignedIn},
    texts,
    throttle::Turn,
};

/// The longest name that is looked up, in bytes.
const MAX_NAME: usize = 256;

/// The result of an attempt.
pub enum Tried {
    /// A session began; the value of the `Set-Cookie` header.
    In(String),
    /// The password was correct, and a passkey is needed next; the cookie of this half.
    Half(String),
    Wrong,
    /// The password was correct, but the reverse proxy shuts its user out; the reason for the person.
    ShutOut(&'static str),
    /// Too many attempts: the password was not checked.
    Wait(Duration),
    /// Too many attempts at once: the password was not checked.
    Busy,
}

/// The result of a change of password.
pub enum Changed {
    Done,
    /// The reason why nothing was changed.
    Refused(String),
}

impl Auth {
    /// Signs in with name and password. Neither the answer nor its time reveals which of the two
    /// was wrong.
    pub async fn try_password(
        &self,
        name: &str,
        password: String,
        client: Client,
        presented: &Presented<'_>,
    ) -> Result<Tried, store::Error> {
        let address = client.address;
        match self.throttle.begin(address, name, self.env.now()) {
            Turn::Wait(wait) => return Ok(Tried::Wait(wait)),
            Turn::Go(Duration::ZERO) => {}
            Turn::Go(slow) => tokio::time::sleep(slow).await,
        }
        let sound = name.len() <= MAX_NAME && password.len() <= MAX_BYTES;
        let found = if sound {
            self.store.password(name).await?
        } else {
            None
        };
        let (user, kept) = found.unzip();
        let kept = kept.flatten();
        // A password that is too long is not hashed: checking it takes as long as a short one.
        let password = if sound { password } else { String::new() };
        let right = match self.passwords.matches(password, kept.clone()).await {
            Ok(right) => right,
            Err(NotHashed::Busy) => return Ok(Tried::Busy),
            Err(NotHashed::Failed(error)) => {
                tracing::error!(error, "a password could not be checked");
                false
            }
        };
        let now = self.env.now();
        if let (true, Some(user), Some(kept)) = (right, &user, &kept) {
            if !self.has_word(user.id).await? {
                tracing::warn!(user = %user.id, "the reverse proxy has not let this user in lately");
                self.failed(Some(user), address, now).await?;
                return Ok(Tried::ShutOut(texts::SHUT_OUT));
            }
            if self.needs_passkey(user).await? {
                self.throttle.succeeded(address, name);
                return Ok(Tried::Half(self.half(user.clone(), kept.clone())));
            }
            let cookie = new_secret();
            let session = self.new_session(&cookie, client, presented, now);
            let begun = self
                .store
                .sign_in_by_password(user.id, kept, &session, now)
                .await?;
            if begun.is_some() {
                tracing::info!(user = %user.id, "signed in with a password");
                self.throttle.succeeded(address, name);
                self.replaced(&session);
                return Ok(Tried::In(self.set_cookie(&cookie, ABSOLUTE)));
            }
        }
        tracing::warn!(?address, "a password was wrong");
        self.failed(user.as_ref(), address, now).await?;
        Ok(Tried::Wrong)
    }

    /// Returns whether somebody may choose a password without the old one: there is none, or the
    /// session recently began with a link.
    pub async fn may_reset(&self, signed_in: &SignedIn) -> Result<bool, store::Error> {
        let lately = earlier(self.env.now(), RESET);
        match signed_in.began {
            Some((began, SignInWay::Link { .. })) if began > lately => return Ok(true),
            // A password would be a way around the proxy: that takes a link.
            None | Some((_, SignInWay::Proxy)) => return Ok(false),
            _ => {}
        }
        let found = self.store.password(&signed_in.user.name).await?;
        Ok(found.is_none_or(|(_, kept)| kept.is_none()))
    }

    /// Changes the password of the signed-in user. All their other sessions end.
    pub async fn change_password(
        &self,
        signed_in: &SignedIn,
        current: String,
        new: String,
        client: &Client,
        end_tokens: bool,
    ) -> Result<Changed, store::Error> {
        let user = &signed_in.user;
        if let Some(weakness) = weakness(&new, &user.name) {
            return Ok(Changed::Refused(weakness));
        }
        if !self.may_reset(signed_in).await? {
            let now = self.env.now();
            if let Turn::Wait(wait) = self.throttle.begin(client.address, &user.name, now) {
                let seconds = wait.as_secs().max(1);
                let problem = texts::too_many_attempts(seconds);
                return Ok(Changed::Refused(problem));
            }
            let found = self.store.password(&user.name).await?;
            let kept = found.and_then(|(_, kept)| kept);
            match self.passwords.matches(current, kept).await {
                Ok(true) => self.throttle.succeeded(client.address, &user.name),
                Ok(false) => {
                    return Ok(Changed::Refused(
                        texts::CURRENT_PASSWORD_IS_INCORRECT.into(),
                    ));
                }
                Err(error) => return Ok(not_now(&error)),
            }
        }
        let kept = match self.passwords.hash(new).await {
            Ok(kept) => kept,
            Err(error) => return Ok(not_now(&error)),
        };
        let keep = signed_in.session();
        let now = self.env.now();
        let by = signed_in.setter(client);
        self.store
            .set_password(user.id, &kept, keep, end_tokens, &by, now)
            .await?;
        self.changed(user.id);
        Ok(Changed::Done)
    }
}

fn not_now(error: &NotHashed) -> Changed {
    tracing::warn!(%error, "a password was not changed");
    Changed::Refused(texts::PASSWORD_COULD_NOT_BE_CHECKED.into())
}
