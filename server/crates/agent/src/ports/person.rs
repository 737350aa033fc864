//! The person who asks, with their sign-in.

use std::sync::Arc;

use protocol::{DecidedVia, Role, UserId};

use super::Correlation;

/// A person who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    /// The name on cards and records.
    pub name: String,
    /// The highest role that this sign-in allows. The user's own role is read from the journal for
    /// every decision; the lower of the two counts.
    pub role: Role,
    /// The toolsets that this sign-in reaches.
    pub scope: Scope,
    /// The credential of this sign-in.
    pub via: Via,
    /// The request with which they ask now; none if nobody follows it.
    pub correlation: Option<Correlation>,
}

/// Somebody without a name gets the identifier for one; the sign-in sets no limit of its own.
impl From<UserId> for Person {
    fn from(id: UserId) -> Self {
        Self {
            id,
            name: id.to_string(),
            role: Role::Admin,
            scope: Scope::All,
            via: Via::Inside,
            correlation: None,
        }
    }
}

/// The credential with which somebody asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Via {
    /// None: the server itself, or a page that it renders.
    #[default]
    Inside,
    /// A session of a person.
    Session {
        /// Its name in the list of its user; it opens nothing.
        id: Arc<str>,
        way: SignInWay,
    },
    /// A program's token.
    Token {
        id: Arc<str>,
        /// The right to decide: the agent's `rights` say what that reaches.
        decides: bool,
    },
}

impl Via {
    /// The form in which journals, the audit chain and the feed record it.
    pub fn record(&self) -> Option<DecidedVia> {
        match self {
            Self::Inside => None,
            Self::Session { id, way } => Some(DecidedVia::Session {
                id: id.to_string(),
                began: way.word().to_owned(),
                link_by: match way {
                    SignInWay::Link { by } => *by,
                    SignInWay::Password
                    | SignInWay::Passkey
                    | SignInWay::PasswordAndPasskey
                    | SignInWay::Proxy => None,
                },
            }),
            Self::Token { id, .. } => Some(DecidedVia::Token { id: id.to_string() }),
        }
    }
}

impl Via {
    /// The user who created the sign-in link of this session; none for other ways to sign in.
    pub fn link_by(&self) -> Option<UserId> {
        match self {
            Self::Session {
                way: SignInWay::Link { by },
                ..
            } => *by,
            _ => None,
        }
    }
}

/// The way in which a session began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInWay {
    /// With a one-time link.
    Link {
        /// The user who made it; none if whoever runs the server did, or if it is not on record.
        by: Option<UserId>,
    },
    Password,
    Passkey,
    PasswordAndPasskey,
    /// A reverse proxy said who it is.
    Proxy,
}

impl SignInWay {
    /// The form in which the store keeps it and records name it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Link { .. } => "link",
            Self::Password => "password",
            Self::Passkey => "passkey",
            Self::PasswordAndPasskey => "both",
            Self::Proxy => "proxy",
        }
    }

    /// The way that a word names. An unknown one counts as the way that may do least: it sets no
    /// password unasked.
    pub fn from_word(word: &str, link_by: Option<UserId>) -> Self {
        match word {
            "link" => Self::Link { by: link_by },
            "passkey" => Self::Passkey,
            "both" => Self::PasswordAndPasskey,
            "proxy" => Self::Proxy,
            _ => Self::Password,
        }
    }
}

/// The toolsets that a sign-in reaches. Conversations and boards of others are out of its reach,
/// and a conversation that it begins has no others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// All that there are, also those to come.
    #[default]
    All,
    /// These, by their names.
    Only(Arc<[String]>),
}

impl Scope {
    /// True if a toolset is within.
    pub fn has(&self, toolset: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|name| name == toolset),
        }
    }

    /// True if all of these toolsets are within.
    pub fn covers(&self, toolsets: &[String]) -> bool {
        toolsets.iter().all(|toolset| self.has(toolset))
    }
}
