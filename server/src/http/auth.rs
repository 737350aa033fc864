//! Who asks: sessions and one-time sign-in links.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use agent::ports::{Env, Person, Scope, SignInWay, Via};
use app::CurrentUser;
use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode, Role, Timestamp, UserId};
use sha2::{Digest, Sha256};
use store::{LinkMaker, ListedSession, NewSession, Secret, Store, User};
use tokio::sync::broadcast::{self, error::RecvError};

use super::{
    Http, bearer,
    by_proxy::{self, Found, Word},
    client::Client,
    passkeys::Passkeys,
    password::Passwords,
    plain, sign_in,
    throttle::Throttle,
};

/// How long a sign-in link may be used.
const LINK_LIFE: Duration = Duration::from_secs(60 * 60);
/// A session that is not used for so long ends.
pub(super) const IDLE: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// A session ends after so long in any case.
pub(super) const ABSOLUTE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The use of a session is noted this often at most.
pub(super) const SEEN_STEP: Duration = Duration::from_secs(5 * 60);
/// Sign-outs that a listener may lag behind before it has to look its session up.
const SIGN_OUTS: usize = 16;

/// The person behind a request and the session that says so.
#[derive(Debug, Clone)]
pub(crate) struct SignedIn {
    pub(crate) user: CurrentUser,
    /// The most that the request is good for, whatever the user may do.
    pub(crate) limit: Role,
    pub(super) credential: Credential,
    /// When and how the session began, if it is one.
    pub(super) began: Option<(Timestamp, SignInWay)>,
    /// The credential, as records name it.
    pub(crate) via: Via,
}

/// What a request has to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Credential {
    Session(Secret),
    Token(Secret),
}

impl SignedIn {
    /// As the database knows the user.
    pub(super) fn as_user(&self) -> User {
        User {
            id: self.user.id,
            name: self.user.name.clone(),
            role: self.user.role,
        }
    }

    /// As the engine knows who asks.
    pub(crate) fn person(&self) -> Person {
        Person {
            id: self.user.id,
            name: self.user.name.clone(),
            role: self.limit,
            scope: scope(&self.user),
            via: self.via.clone(),
        }
    }

    /// The session, if it is one.
    pub(super) fn session(&self) -> Option<Secret> {
        match self.credential {
            Credential::Session(secret) => Some(secret),
            Credential::Token(_) => None,
        }
    }
}

/// The toolsets that a request reaches.
pub(crate) fn scope(user: &CurrentUser) -> Scope {
    user.toolsets.clone().map_or(Scope::All, Scope::Only)
}

/// What is over, or has to be looked up again.
#[derive(Debug, Clone, Copy)]
enum Over {
    Session(Secret),
    /// Something about the user has changed: a session of theirs may have ended.
    User(UserId),
}

/// Makes and checks sessions.
#[derive(Clone)]
pub(crate) struct Auth {
    pub(super) store: Store,
    pub(super) env: Arc<dyn Env>,
    pub(super) passkeys: Passkeys,
    pub(super) cookie: String,
    pub(super) secure: bool,
    pub(super) passwords: Passwords,
    pub(super) throttle: Arc<Throttle>,
    /// Tells the sockets what has ended.
    ended: broadcast::Sender<Over>,
}

impl Auth {
    /// `port` is part of the cookie's name: browsers share cookies between the ports of a host.
    /// `secure` says that browsers reach the server over TLS.
    pub(crate) fn new(
        store: Store,
        env: Arc<dyn Env>,
        passkeys: Passkeys,
        port: u16,
        secure: bool,
    ) -> Self {
        let prefix = if secure { "__Host-" } else { "" };
        let cookie = format!("{prefix}jarvis-{port}");
        Self {
            store,
            env,
            passkeys,
            cookie,
            secure,
            passwords: Passwords::new(),
            throttle: Arc::default(),
            ended: broadcast::Sender::new(SIGN_OUTS),
        }
    }

    /// Makes a one-time token that signs a user in.
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

    /// The user whom a link's token would sign in. The link stays as it is.
    pub(super) async fn link_user(&self, token: &str) -> Result<Option<User>, store::Error> {
        self.store.link_user(hash(token), self.env.now()).await
    }

    /// Uses a link's token up. Gives the value of the `Set-Cookie` header, or none if the link is
    /// not good any more.
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

    /// A session under a fresh secret. What the browser had before ends.
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

    /// Tells the sockets of the session that another one has replaced.
    pub(super) fn replaced(&self, session: &NewSession) {
        if let Some(replaced) = session.replaces {
            self.tell(Over::Session(replaced));
        }
    }

    /// Lets all sockets of a user look up whether their session still holds.
    pub(super) fn changed(&self, user: UserId) {
        self.tell(Over::User(user));
    }

    fn tell(&self, over: Over) {
        if self.ended.send(over).is_err() {
            tracing::debug!("no socket was open when a session ended");
        }
    }

    /// Ends a session. Gives the value of the `Set-Cookie` header that takes the cookie back.
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

    /// The sessions of who is signed in.
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

    /// Ends one session of who is signed in, or all but the one that asks.
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

    /// Whether a session still holds. When the database cannot be read it does, for now: the next
    /// look decides.
    pub(crate) async fn is_valid(&self, signed_in: &SignedIn) -> bool {
        !matches!(self.look_up(signed_in.credential).await, Ok(None))
    }

    /// Returns when a person has ended the session, in whichever tab, or it ended before.
    ///
    /// A socket waits for this beside other things, and does not go on with it while it is busy with
    /// one of them. So the session is looked up in a task of its own: half a look, left lying, would
    /// keep a connection of the database, and a few sockets could wait for each other's.
    pub(crate) async fn ended(&self, signed_in: &SignedIn) {
        // Listen before looking, so that no sign-out falls in between.
        let mut ended = self.ended.subscribe();
        let mut look = true;
        loop {
            if look {
                let (auth, session) = (self.clone(), signed_in.clone());
                let valid = tokio::spawn(async move { auth.is_valid(&session).await });
                if !valid.await.unwrap_or(true) {
                    return;
                }
            }
            match ended.recv().await {
                Ok(Over::Session(session)) if Some(session) == signed_in.session() => return,
                Ok(Over::User(user)) => look = user == signed_in.user.id,
                Ok(Over::Session(_)) => look = false,
                Err(RecvError::Lagged(_)) => look = true,
                // The sender lives in `self`.
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }

    /// Whether the database answers.
    pub(super) async fn database_answers(&self) -> bool {
        self.store.ping().await.is_ok()
    }

    pub(super) async fn signed_in(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<SignedIn>, store::Error> {
        // A token counts alone: what it may do is not mixed with a cookie's.
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
                let found = self.use_token(secret).await?;
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
        if session.seen < earlier(now, SEEN_STEP) {
            self.store.touch_session(secret, now).await?;
        }
        let user = CurrentUser {
            id: session.user.id,
            name: session.user.name,
            role: session.user.role,
            toolsets: None,
        };
        Ok(Some(SignedIn {
            user,
            limit: Role::Admin,
            credential,
            began: Some((session.created, session.way)),
            via: Via::Session {
                id: session.id.into(),
                way: session.way,
            },
        }))
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

/// Lets a request pass if its session holds, and says who it is.
pub(super) async fn require(
    State(http): State<Http>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let proxy = http.proxy_sign_in.as_ref();
    let word = by_proxy::word(proxy, peer.map(|peer| peer.0.ip()), headers);
    let found = match (word, proxy) {
        // A token counts alone.
        (Word::User { name, role }, Some(proxy)) if bearer::token(headers).is_none() => {
            let client = Client::of(&http, peer.map(|peer| peer.0), headers);
            let found = http.auth.by_proxy(proxy, (&name, role), client, headers);
            Box::pin(found).await
        }
        (Word::Refused(why), _) => {
            tracing::warn!(why, "the reverse proxy's word was not taken");
            Ok(Found::Refused(why))
        }
        _ => http.auth.signed_in(headers).await.map(|found| match found {
            Some(signed_in) if !by_proxy::needs_word(&signed_in) => {
                Found::User(Box::new(signed_in), None)
            }
            _ => Found::Nobody,
        }),
    };
    match found {
        Ok(Found::User(signed_in, cookie)) => {
            request.extensions_mut().insert(*signed_in);
            let mut response = next.run(request).await;
            if let Some(cookie) = cookie
                && !response.headers().contains_key(header::SET_COOKIE)
            {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Ok(Found::Refused(why)) => {
            by_proxy::refuse(&http, request.headers(), wants_page(&request), why)
        }
        Ok(Found::Nobody) if wants_page(&request) => {
            let theme = plain::theme(request.headers());
            let mut response = sign_in::explain(&http, theme, StatusCode::UNAUTHORIZED);
            if let Some(cookie) = http.auth.remember(request.uri().path()) {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            response
        }
        Ok(Found::Nobody) => {
            let error = if bearer::is_older(request.headers()) {
                ErrorBody::new(
                    ErrorCode::NotSignedIn,
                    "Tokens of this older kind no longer work.",
                )
                .with_help("Make a new one in Settings, API tokens.")
            } else {
                ErrorBody::new(ErrorCode::NotSignedIn, "You are not signed in.")
                    .with_help("Open the server's address in a browser and sign in.")
            };
            (StatusCode::UNAUTHORIZED, axum::Json(error)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a session could not be looked up");
            let error = ErrorBody::new(
                ErrorCode::StorageFailed,
                "The session could not be looked up.",
            )
            .with_help("Try again; the server's log has the details.");
            (StatusCode::SERVICE_UNAVAILABLE, axum::Json(error)).into_response()
        }
    }
}

/// Whether a browser asks for a page, not a program for data.
fn wants_page(request: &Request) -> bool {
    let accept = request
        .headers()
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    let upgrade = request.headers().contains_key(header::UPGRADE);
    !upgrade && accept.is_some_and(|accept| accept.contains("text/html"))
}

pub(super) fn earlier(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(
        now.0
            .saturating_sub(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
    )
}

pub(super) fn later(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(
        now.0
            .saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
    )
}

/// The token of a new sign-in link, and what the database keeps of it.
pub(crate) fn new_link() -> (String, Secret) {
    let token = new_secret();
    let secret = hash(&token);
    (token, secret)
}

/// The end of a sign-in link that is made now.
pub(crate) fn link_expires(now: Timestamp) -> Timestamp {
    later(now, LINK_LIFE)
}

/// A secret of 256 random bits, in hexadecimal.
pub(super) fn new_secret() -> String {
    use std::fmt::Write;
    rand::random::<[u8; 32]>()
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            write!(text, "{byte:02x}").unwrap_or_default();
            text
        })
}

/// What the database keeps of a secret.
pub(super) fn hash(secret: &str) -> Secret {
    Secret(Sha256::digest(secret.as_bytes()).into())
}

pub(super) fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(have, value)| (have == name).then_some(value))
}

#[cfg(test)]
mod tests;
