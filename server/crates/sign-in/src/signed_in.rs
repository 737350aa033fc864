//! The person behind a request, and its client.

use std::{net::IpAddr, sync::Arc};

use agent::ports::{Person, Scope, SignInWay, Via};
use protocol::{Role, Timestamp, UserId};
use store::{Setter, StoredSecret, StoredSession, StoredToken, User};

/// The client of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub address: Option<IpAddr>,
    /// Its `User-Agent`: untrusted text.
    pub browser: Option<String>,
}

/// The user behind a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedUser {
    pub id: UserId,
    pub name: String,
    /// The user's role when the request came in; a token may have a lower one.
    pub role: Role,
    /// The toolsets of a token that is limited to some; none for all.
    pub toolsets: Option<Arc<[String]>>,
}

/// The person behind a request, and the session or token that proves it.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: SignedUser,
    /// The highest role of the request, whatever the user's role.
    pub limit: Role,
    pub(crate) credential: Credential,
    /// Start and method of the session, if it is one.
    pub(crate) began: Option<(Timestamp, SignInWay)>,
    /// The credential, as records name it.
    pub via: Via,
}

/// The credential of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credential {
    Session(StoredSecret),
    Token(StoredSecret),
}

impl SignedIn {
    /// Returns the person of a session.
    pub(crate) fn of_session(secret: StoredSecret, session: StoredSession) -> Self {
        Self {
            user: SignedUser {
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

    /// Returns the person behind a token.
    pub(crate) fn of_token(secret: StoredSecret, user: User, token: StoredToken) -> Self {
        Self {
            user: SignedUser {
                id: user.id,
                name: user.name,
                role: user.role.min(token.role),
                toolsets: token.toolsets.map(Into::into),
            },
            limit: token.role,
            credential: Credential::Token(secret),
            began: None,
            via: Via::Token {
                id: token.id.into(),
                decides: token.decides,
            },
        }
    }

    /// Returns the user as the database knows them.
    pub fn as_user(&self) -> User {
        User {
            id: self.user.id,
            name: self.user.name.clone(),
            role: self.user.role,
        }
    }

    /// Returns the person who sets a password, a passkey or a token, for the record.
    pub fn setter(&self, client: &Client) -> Setter<'_> {
        Setter {
            name: &self.user.name,
            way: self.began.map(|(_, way)| way),
            address: client.address.map(|address| address.to_string()),
        }
    }

    /// Returns the person as the engine knows them.
    pub fn person(&self) -> Person {
        Person {
            id: self.user.id,
            name: self.user.name.clone(),
            role: self.limit,
            scope: self.scope(),
            via: self.via.clone(),
            correlation: None,
        }
    }

    /// Returns the toolsets that the request may use.
    pub fn scope(&self) -> Scope {
        self.user.toolsets.clone().map_or(Scope::All, Scope::Only)
    }

    /// Returns whether a program is behind the request: it has a token, and no session.
    pub fn is_program(&self) -> bool {
        self.session().is_none()
    }

    /// Returns whether the session depends on the reverse proxy alone.
    pub fn needs_word(&self) -> bool {
        matches!(self.began, Some((_, SignInWay::Proxy)))
    }

    /// Returns the session, if it is one.
    pub(crate) fn session(&self) -> Option<StoredSecret> {
        match self.credential {
            Credential::Session(secret) => Some(secret),
            Credential::Token(_) => None,
        }
    }
}
