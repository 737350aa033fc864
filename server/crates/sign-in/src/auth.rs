//! Sessions and one-time links: their start, their checks, and their end.

use std::{sync::Arc, time::Duration};

use agent::ports::{Env, SignInWay};
use protocol::{Timestamp, UserId};
use store::{LinkMaker, ListedSession, NewSession, Store, StoredSecret, User};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{
    lifetimes::{ABSOLUTE, FRESH, IDLE, PROXY_WORD, SEEN_STEP, earlier, later},
    passkeys::Passkeys,
    passwords::Passwords,
    presented::Presented,
    secrets::{hash, link_expires, new_link, new_secret},
    signed_in::{Client, Credential, SignedIn},
    tally::ByUser,
    throttle::Throttle,
};

/// The interval at which a socket rechecks its session, with or without notifications.
const LOOK: Duration = Duration::from_secs(60 * 60);

/// Sign-outs that a listener may lag behind before it has to recheck its session.
const SIGN_OUTS: usize = 16;

/// Reasons to close a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Its session or token is gone.
    SignedOut,
    /// Its user's role is lower now: it may no longer be allowed its subscriptions.
    Demoted,
}

/// A notification of something that ended, or has to be rechecked.
#[derive(Debug, Clone, Copy)]
enum Over {
    Session(StoredSecret),
    /// The user has changed: a session of theirs may have ended.
    User(UserId),
}

/// Creates and checks sessions.
#[derive(Clone)]
pub struct Auth {
    pub(crate) store: Store,
    pub(crate) env: Arc<dyn Env>,
    pub(crate) passkeys: Passkeys,
    pub(crate) cookie: String,
    pub(crate) secure: bool,
    /// True if groups of a reverse proxy decide who can sign in.
    pub(crate) proxy_groups: bool,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Arc<Throttle>,
    /// Sign-ins by the reverse proxy, counted for the record.
    pub(crate) proxied: Arc<ByUser>,
    /// Notifies the sockets of ends.
    ended: broadcast::Sender<Over>,
}

impl Auth {
    /// Creates it. `port` is part of the cookie's name: browsers share cookies between the ports of
    /// a host. `secure` means that browsers reach the server over TLS.
    pub fn new(
        store: Store,
        env: Arc<dyn Env>,
        passkeys: Passkeys,
        port: u16,
        secure: bool,
        proxy_groups: bool,
    ) -> Self {
        let prefix = if secure { "__Host-" } else { "" };
        let cookie = format!("{prefix}jarvis-{port}");
        Self {
            store,
            env,
            passkeys,
            cookie,
            secure,
            proxy_groups,
            passwords: Passwords::new(),
            throttle: Arc::default(),
            proxied: Arc::default(),
            ended: broadcast::Sender::new(SIGN_OUTS),
        }
    }

    /// Creates a one-time token that signs a user in.
    pub async fn new_link(&self, user: UserId, by: &LinkMaker) -> Result<String, store::Error> {
        let (token, secret) = new_link();
        let now = self.env.now();
        let expires = link_expires(now);
        self.store
            .add_sign_in_link(secret, user, by, now, expires)
            .await?;
        Ok(token)
    }

    /// Returns the user that a link's token would sign in. The link stays valid.
    pub async fn link_user(&self, token: &str) -> Result<Option<User>, store::Error> {
        self.store.link_user(hash(token), self.env.now()).await
    }

    /// Uses up a link's token. Returns the value of the `Set-Cookie` header, or none if the link is
    /// not valid.
    pub async fn sign_in(
        &self,
        token: &str,
        client: Client,
        presented: &Presented<'_>,
    ) -> Result<Option<String>, store::Error> {
        let cookie = new_secret();
        let now = self.env.now();
        let session = self.new_session(&cookie, client, presented, now);
        let user = self.store.sign_in(hash(token), &session, now).await?;
        Ok(user.map(|user| {
            tracing::info!(user = %user.id, "signed in with a link");
            self.replaced(&session);
            self.set_cookie(&cookie, ABSOLUTE)
        }))
    }

    /// Creates a session under a fresh secret. The browser's previous session ends.
    pub(crate) fn new_session(
        &self,
        cookie: &str,
        client: Client,
        presented: &Presented<'_>,
        now: Timestamp,
    ) -> NewSession {
        NewSession {
            secret: hash(cookie),
            expires: later(now, ABSOLUTE),
            address: client.address.map(|address| address.to_string()),
            browser: client.browser,
            replaces: presented.cookie(&self.cookie).map(hash),
        }
    }

    /// Notifies the sockets of the session that another one has replaced.
    pub(crate) fn replaced(&self, session: &NewSession) {
        if let Some(replaced) = session.replaces {
            self.tell(Over::Session(replaced));
        }
    }

    /// Makes all sockets of a user recheck whether their session is still valid.
    pub fn changed(&self, user: UserId) {
        self.tell(Over::User(user));
    }

    fn tell(&self, over: Over) {
        if self.ended.send(over).is_err() {
            tracing::debug!("no socket was open when a session ended");
        }
    }

    /// Ends a session. Returns the value of the `Set-Cookie` header that deletes the cookie.
    pub async fn sign_out(&self, signed_in: &SignedIn) -> Result<String, store::Error> {
        if let Some(session) = signed_in.session() {
            self.store.end_session(session, self.env.now()).await?;
            self.tell(Over::Session(session));
        }
        Ok(self.set_cookie("", Duration::ZERO))
    }

    /// Returns the sessions of the signed-in user.
    pub async fn sessions(&self, signed_in: &SignedIn) -> Result<Vec<ListedSession>, store::Error> {
        let Some(own) = signed_in.session() else {
            return Ok(Vec::new());
        };
        let (user, now) = (signed_in.user.id, self.env.now());
        self.store
            .sessions(user, own, now, earlier(now, IDLE))
            .await
    }

    /// Ends one session of the signed-in user, or all but the present one.
    pub async fn end_sessions(
        &self,
        signed_in: &SignedIn,
        id: Option<&str>,
    ) -> Result<(), store::Error> {
        if let Some(own) = signed_in.session() {
            let (user, now) = (signed_in.as_user(), self.env.now());
            self.store.end_sessions(&user, id, own, now).await?;
            self.changed(user.id);
        }
        Ok(())
    }

    /// Checks that a session is still valid, with at least the same role. A database that cannot be
    /// read counts as valid: the next check decides.
    pub async fn check(&self, signed_in: &SignedIn) -> Result<(), Ended> {
        match self.look_up(signed_in.credential).await {
            Ok(None) => Err(Ended::SignedOut),
            Ok(Some(now)) if now.user.role < signed_in.user.role => Err(Ended::Demoted),
            Ok(Some(_)) | Err(_) => Ok(()),
        }
    }

    /// Returns once a person has ended the session, in whichever tab, or it has expired, or the
    /// user's role was lowered.
    ///
    /// A socket awaits this beside other things, and does not poll it while it handles one of them.
    /// So the session is looked up in a separate task: a lookup left half done would keep a
    /// connection of the database, and a few sockets could wait for each other's.
    pub async fn ended(&self, signed_in: &SignedIn) -> Ended {
        // Subscribes before the lookup, so that no sign-out falls in between.
        let mut ended = self.ended.subscribe();
        let mut look = true;
        loop {
            if look {
                let (auth, session) = (self.clone(), signed_in.clone());
                let valid = tokio::spawn(async move { auth.check(&session).await });
                if let Ok(Err(ended)) = valid.await {
                    return ended;
                }
            }
            match tokio::time::timeout(LOOK, ended.recv()).await {
                Ok(Ok(Over::Session(session))) if Some(session) == signed_in.session() => {
                    return Ended::SignedOut;
                }
                Ok(Ok(Over::User(user))) => look = user == signed_in.user.id,
                Ok(Ok(Over::Session(_))) => look = false,
                // The proxy may have last vouched too long ago.
                Err(_) | Ok(Err(RecvError::Lagged(_))) => look = true,
                // The sender lives in `self`.
                Ok(Err(RecvError::Closed)) => return std::future::pending().await,
            }
        }
    }

    /// Returns the person whom a request's token or cookie proves.
    pub async fn signed_in(
        &self,
        presented: &Presented<'_>,
    ) -> Result<Option<SignedIn>, store::Error> {
        // A token is used alone: its rights are not combined with a cookie's.
        if let Some(token) = presented.token() {
            return self.bearer(token).await;
        }
        match presented.cookie(&self.cookie) {
            Some(cookie) => self.look_up(Credential::Session(hash(cookie))).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn look_up(
        &self,
        credential: Credential,
    ) -> Result<Option<SignedIn>, store::Error> {
        let secret = match credential {
            Credential::Session(secret) => secret,
            Credential::Token(secret) => {
                let found = match self.use_token(secret).await? {
                    Some(found) if self.has_word(found.0.id).await? => Some(found),
                    _ => None,
                };
                return Ok(found.map(|(user, token)| SignedIn::of_token(secret, user, token)));
            }
        };
        let now = self.env.now();
        let Some(session) = self.store.session(secret, now, earlier(now, IDLE)).await? else {
            return Ok(None);
        };
        // A link is issued by an admin or the server itself, and also works while the proxy is
        // away: for a day.
        let link = matches!(session.way, SignInWay::Link { .. });
        let lately = link && session.created > earlier(now, PROXY_WORD);
        if !lately && !self.has_word(session.user.id).await? {
            return Ok(None);
        }
        // A session that the proxy began and that was never used again is the first to end.
        let first_return = session.way == SignInWay::Proxy && session.seen == session.created;
        if session.seen < earlier(now, SEEN_STEP) || first_return {
            self.store.touch_session(secret, now).await?;
        }
        Ok(Some(SignedIn::of_session(secret, session)))
    }

    /// True if the reverse proxy vouched for this user within [`PROXY_WORD`], or doesn't have to. It
    /// does so with each request; only sockets and programs can continue without.
    pub(crate) async fn has_word(&self, user: UserId) -> Result<bool, store::Error> {
        if !self.proxy_groups {
            return Ok(true);
        }
        let word = self.store.proxy_word(user).await?;
        Ok(word.is_none_or(|word| word > earlier(self.env.now(), PROXY_WORD)))
    }

    /// True if the session began within [`FRESH`], so that someone who finds an open browser cannot
    /// create a way in for later.
    ///
    /// The proxy begins a session with any request without a cookie, which proves nothing about who
    /// is at the keyboard. It counts only for users who have no password or passkey here.
    pub async fn is_fresh(&self, signed_in: &SignedIn) -> Result<bool, store::Error> {
        let lately = earlier(self.env.now(), FRESH);
        match signed_in.began {
            Some((began, SignInWay::Proxy)) if began > lately => {
                let own = self.store.has_own_way_in(signed_in.user.id).await?;
                Ok(!own)
            }
            Some((began, _)) => Ok(began > lately),
            None => Ok(false),
        }
    }

    /// Returns the `Set-Cookie` value of a session's cookie.
    pub(crate) fn set_cookie(&self, value: &str, life: Duration) -> String {
        self.cookie_text(&self.cookie, value, "Lax", life)
    }

    /// Returns the `Set-Cookie` value of a cookie that scripts cannot read.
    pub(crate) fn cookie_text(
        &self,
        name: &str,
        value: &str,
        same_site: &str,
        life: Duration,
    ) -> String {
        let secure = if self.secure { "; Secure" } else { "" };
        let life = life.as_secs();
        format!("{name}={value}; Path=/; HttpOnly; SameSite={same_site}; Max-Age={life}{secure}")
    }
}
