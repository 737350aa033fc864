//! Reasons why a server could not be signed in to.

use std::{error::Error, fmt};

use super::texts;

/// The reason why a server could not be signed in to, as a sentence for an admin. It never has a secret, and of a
/// stranger's words only addresses and scopes, cleaned and cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInFault {
    /// The server names no authorization server at the place where one is looked for.
    NoResourceMetadata,
    /// Its metadata describes another address than the configured one.
    OtherResource,
    /// It names an authorization server on another host, which the configuration does not name.
    UnknownIssuer(String),
    /// The authorization server describes itself nowhere.
    NoIssuerMetadata(String),
    /// It describes itself as another one.
    OtherIssuer(String),
    /// Its token endpoint is elsewhere.
    OtherTokenEndpoint(String),
    /// No address that the configuration allows.
    AddressNotAllowed(String),
    /// It takes a client's secret in no way that is known here.
    NoClientAuthentication,
    /// It takes no signature in place of a secret.
    NoKeyAuthentication,
    /// It takes no signature of the key's algorithm, which is named.
    OtherAlgorithm(String),
    /// Nothing could be signed.
    NotSigned,
    /// The host gave no answer.
    Unreachable(String),
    /// It refused the client, with a code of the standard or a status.
    Refused(String),
    /// The answer has no token that can be used.
    NoToken,
    /// The server refuses tokens that are new.
    TokenRefused,
    /// The token lacks a scope, which the server may have named.
    InsufficientScope(Option<String>),
    /// The server refuses what the token asks for, without a reason.
    Forbidden,
}

impl SignInFault {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoResourceMetadata => "oauth_no_resource_metadata",
            Self::OtherResource => "oauth_other_resource",
            Self::UnknownIssuer(_) => "oauth_unknown_issuer",
            Self::NoIssuerMetadata(_) => "oauth_no_issuer_metadata",
            Self::OtherIssuer(_) => "oauth_other_issuer",
            Self::OtherTokenEndpoint(_) => "oauth_other_token_endpoint",
            Self::AddressNotAllowed(_) => "oauth_address_not_allowed",
            Self::NoClientAuthentication => "oauth_no_client_authentication",
            Self::NoKeyAuthentication => "oauth_no_key_authentication",
            Self::OtherAlgorithm(_) => "oauth_other_algorithm",
            Self::NotSigned => "oauth_not_signed",
            Self::Unreachable(_) => "oauth_unreachable",
            Self::Refused(_) => "oauth_refused",
            Self::NoToken => "oauth_no_token",
            Self::TokenRefused => "oauth_token_refused",
            Self::InsufficientScope(_) => "oauth_insufficient_scope",
            Self::Forbidden => "oauth_forbidden",
        }
    }
}

impl fmt::Display for SignInFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", texts::sentence(self), self.code())
    }
}

impl Error for SignInFault {}
