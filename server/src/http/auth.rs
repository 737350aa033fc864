//! Authentication: sessions and one-time sign-in links.

mod require;
mod secrets;

use std::{sync::Arc, time::Duration};

use agent::ports::{Env, Person, Scope, SignInWay, Via};
use app::CurrentUser;
use axum::http::{HeaderMap, HeaderValue};
use protocol::{Role, Timestamp, UserId};
use store::{
    LinkMaker, ListedSession, NewSession, Setter, Store, StoredSecret, StoredSession, User,
};
use tokio::sync::broadcast::{self, error::RecvError};

use super::{
    bearer, client::Client, passkeys::Passkeys, password::Passwords, tally::ByUser,
    throttle::Throttle,
};
pub(super) use require::{require, wants_page};
pub(super) use secrets::{cookie_value, earlier, hash, later, new_secret};
pub(crate) use secrets::{link_expires, new_link};

/// The idle timeout of a session.
pub(super) const IDLE: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// The longest life of a session.
pub(super) const ABSOLUTE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The age up to which a sign-in is fresh. Creating credentials and changing rules need a fresh one.
pub(super) const FRESH: Duration = Duration::from_secs(15 * 60);
/// The time that open sessions of a proxied user last after the proxy last vouched for them.
const PROXY_WORD: Duration = Duration::from_secs(24 * 60 * 60);
/// The interval at which a socket rechecks its session, with or without notifications.
const LOOK: Duration = Duration::from_secs(60 * 60);

/// The least interval between updates of a session's last use.
pub(super) const SEEN_STEP: Duration = Duration::from_secs(5 * 60);
/// Sign-outs that a listener may lag behind before it has to recheck its session.
const SIGN_OUTS: usize = 16;

/// The person behind a request, and the session that proves it.
#[derive(Debug, Clone)]
pub(crate) struct SignedIn {
    pub(crate) user: CurrentUser,
    /// The highest role of the request, whatever the user's role.
    pub(crate) limit: Role,
    pub(super) credential: Credential,
    /// Start and method of the session, if it is one.
    pub(super) began: Option<(Timestamp, SignInWay)>,
    /// The credential, as records name it.
    pub(crate) via: Via,
}

/// The credential of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Credential {
    Session(StoredSecret),
    Token(StoredSecret),
}

impl SignedIn {
    /// Returns the user as the database knows them.
    pub(super) fn as_user(&self) -> User {
        User {
            id: self.user.id,
            name: self.user.name.clone(),
            role: self.user.role,
        }
    }

    /// Returns the person who sets a password, a passkey or a token, for the record.
    pub(super) fn setter(&self, client: &Client) -> Setter<'_> {
        Setter {
            name: &self.user.name,
            way: self.began.map(|(_, way)| way),
            address: client.address.map(|address| address.to_string()),
        }
    }

    /// Returns the person as the engine knows them.
    pub(crate) fn person(&self) -> Person {
        Person {
            id: self.user.id,
            name: self.user.name.clone(),
            role: self.limit,
            scope: scope(&self.user),
            via: self.via.clone(),
        }
    }

    /// Returns the session, if it is one.
    pub(super) fn session(&self) -> Option<StoredSecret> {
        match self.credential {
            Credential::Session(secret) => Some(secret),
            Credential::Token(_) => None,
        }
    }
}

/// Returns the toolsets that a request may use.
pub(crate) fn scope(user: &CurrentUser) -> Scope {
    user.toolsets.clone().map_or(Scope::All, Scope::Only)
}

/// Reasons to close a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
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
pub(crate) struct Auth {
    pub(super) store: Store,
    pub(super) env: Arc<dyn Env>,
    pub(super) passkeys: Passkeys,
    pub(super) cookie: String,
    pub(super) secure: bool,
    /// True if groups of a reverse proxy decide who can sign in.
    pub(super) proxy_groups: bool,
    pub(super) passwords: Passwords,
    pub(super) throttle: Arc<Throttle>,
    /// Sign-ins by the reverse proxy, counted for the record.
    pub(super) proxied: Arc<ByUser>,
    /// Notifies the sockets of ends.
    ended: broadcast::Sender<Over>,
}

impl Auth {
    /// Creates it. `port` is part of the cookie's name: browsers share cookies between the ports of
    /// a host. `secure` means that browsers reach the server over TLS.
    pub(crate) fn new(
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
    pub(crate) async fn new_link(
        &self,
        user: UserId,
        by: &LinkMaker,
    ) -> Result<String, store::Error> {
        let (token, secret) = new_link();
        let now = self.env.now();
        let expires = link_expires(now);
        self.store
            .add_sign_in_link(secret, user, by, now, expires)
            .await?;
        Ok(token)
    }

    /// Returns the user that a link's token would sign in. The link stays valid.
    pub(super) async fn link_user(&self, token: &str) -> Result<Option<User>, store::Error> {
        self.store.link_user(hash(token), self.env.now()).await
    }

    /// Uses up a link's token. Returns the value of the `Set-Cookie` header, or none if the link is
    /// not valid.
    pub(super) async fn sign_in(
        &self,
        token: &str,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<Option<HeaderValue>, store::Error> {
        let cookie = new_secret();
        let now = self.env.now();
        let session = self.new_session(&cookie, client, headers, now);
        let user = self.store.sign_in(hash(token), &session, now).await?;
        Ok(user.and_then(|user| {
            tracing::info!(user = %user.id, "signed in with a link");
            self.replaced(&session);
            self.set_cookie(&cookie, ABSOLUTE)
        }))
    }

    /// Creates a session under a fresh secret. The browser's previous session ends.
    pub(super) fn new_session(
        &self,
        cookie: &str,
        client: Client,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> NewSession {
        NewSession {
            secret: hash(cookie),
            expires: later(now, ABSOLUTE),
            address: client.address.map(|address| address.to_string()),
            browser: client.browser,
            replaces: cookie_value(headers, &self.cookie).map(hash),
        }
    }

    /// Notifies the sockets of the session that another one has replaced.
    pub(super) fn replaced(&self, session: &NewSession) {
        if let Some(replaced) = session.replaces {
            self.tell(Over::Session(replaced));
        }
    }

    /// Makes all sockets of a user recheck whether their session is still valid.
    pub(super) fn changed(&self, user: UserId) {
        self.tell(Over::User(user));
    }

    fn tell(&self, over: Over) {
        if self.ended.send(over).is_err() {
            tracing::debug!("no socket was open when a session ended");
        }
    }

    /// Ends a session. Returns the value of the `Set-Cookie` header that deletes the cookie.
    pub(super) async fn sign_out(
        &self,
        signed_in: &SignedIn,
    ) -> Result<Option<HeaderValue>, store::Error> {
        if let Some(session) = signed_in.session() {
            self.store.end_session(session, self.env.now()).await?;
            self.tell(Over::Session(session));
        }
        Ok(self.set_cookie("", Duration::ZERO))
    }

    /// Returns the sessions of the signed-in user.
    pub(super) async fn sessions(
        &self,
        signed_in: &SignedIn,
    ) -> Result<Vec<ListedSession>, store::Error> {
        let Some(own) = signed_in.session() else {
            return Ok(Vec::new());
        };
        let (user, now) = (signed_in.user.id, self.env.now());
        self.store
            .sessions(user, own, now, earlier(now, IDLE))
            .await
    }

    /// Ends one session of the signed-in user, or all but the present one.
    pub(super) async fn end_sessions(
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
    pub(crate) async fn check(&self, signed_in: &SignedIn) -> Result<(), Ended> {
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
    pub(crate) async fn ended(&self, signed_in: &SignedIn) -> Ended {
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

    /// Returns whether the database answers.
    pub(super) async fn database_answers(&self) -> bool {
        self.store.ping().await.is_ok()
    }

    pub(super) async fn signed_in(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<SignedIn>, store::Error> {
        // A token is used alone: its rights are not combined with a cookie's.
        if let Some(token) = bearer::token(headers) {
            return self.bearer(token).await;
        }
        match cookie_value(headers, &self.cookie) {
            Some(cookie) => self.look_up(Credential::Session(hash(cookie))).await,
            None => Ok(None),
        }
    }

    pub(super) async fn look_up(
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
                return Ok(found.map(|(user, token)| SignedIn {
                    user: CurrentUser {
                        id: user.id,
                        name: user.name,
                        role: user.role.min(token.role),
                        toolsets: bearer::scope(token.toolsets),
                    },
                    limit: token.role,
                    credential,
                    began: None,
                    via: Via::Token {
                        id: token.id.into(),
                        decides: token.decides,
                    },
                }));
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
        Ok(Some(of_session(secret, session)))
    }

    /// True if the reverse proxy vouched for this user within [`PROXY_WORD`], or doesn't have to. It
    /// does so with each request; only sockets and programs can continue without.
    pub(super) async fn has_word(&self, user: UserId) -> Result<bool, store::Error> {
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
    pub(super) async fn is_fresh(&self, signed_in: &SignedIn) -> Result<bool, store::Error> {
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

    pub(super) fn set_cookie(&self, value: &str, life: Duration) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!(
            "{}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{secure}",
            self.cookie,
            life.as_secs()
        );
        HeaderValue::from_str(&text).ok()
    }
}

/// Returns the person of a session.
pub(super) fn of_session(secret: StoredSecret, session: StoredSession) -> SignedIn {
    SignedIn {
        user: CurrentUser {
            id: session.user.id,
            name: session.user.name,
            role: session.user.role,
            toolsets: None,
        },
        limit: Role::Admin,
        credential: Credential::Session(secret),
        began: Some((session.created, session.way)),
        via: Via::Session {
            id: session.id.into(),
            way: session.way,
        },
    }
}

#[cfg(test)]
mod tests;
