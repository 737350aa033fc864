//! Sentences for people: the sign-in to a server.

use super::SignInFault;

pub(crate) const NO_ALLOWED_ADDRESS: &str = "no address of this host is allowed";

/// The sentence for a fault, without its code. Short: it is also the error of a call.
pub(crate) fn sentence(fault: &SignInFault) -> String {
    match fault {
        SignInFault::NoResourceMetadata => {
            "Sign-in failed: the server names no authorization server. Set oauth.issuer.".to_owned()
        }
        SignInFault::OtherResource => {
            "Sign-in failed: the server's metadata describes another address than url.".to_owned()
        }
        SignInFault::UnknownIssuer(issuer) => format!(
            "Sign-in failed: the server names {issuer}, on another host. Set oauth.issuer if the client is \
             registered there."
        ),
        SignInFault::NoIssuerMetadata(issuer) => {
            format!("Sign-in failed: {issuer} has no metadata of an authorization server.")
        }
        SignInFault::OtherIssuer(issuer) => {
            format!("Sign-in failed: the metadata of {issuer} names another issuer.")
        }
        SignInFault::OtherTokenEndpoint(endpoint) => format!(
            "Sign-in failed: the token endpoint {endpoint} is not the issuer's. Set oauth.token_endpoint if it is \
             right."
        ),
        SignInFault::AddressNotAllowed(address) => format!(
            "Sign-in failed: {address} is not allowed. It needs TLS and a public address, or oauth.private = true."
        ),
        SignInFault::NoClientAuthentication => {
            "Sign-in failed: the authorization server accepts no client secret.".to_owned()
        }
        SignInFault::NoKeyAuthentication => {
            "Sign-in failed: the authorization server accepts no signature of a client (private_key_jwt).".to_owned()
        }
        SignInFault::OtherAlgorithm(algorithm) => format!(
            "Sign-in failed: the authorization server accepts no signature with {algorithm}. Register a key of \
             another kind."
        ),
        SignInFault::NotSigned => {
            "Sign-in failed: nothing could be signed, because the system has no random numbers.".to_owned()
        }
        SignInFault::Unreachable(host) => {
            format!("Sign-in failed: {host} gave no answer that can be read.")
        }
        SignInFault::Refused(code) => {
            format!("Sign-in failed: the authorization server refused the client: {code}.")
        }
        SignInFault::NoToken => {
            "Sign-in failed: the authorization server's answer has no usable token.".to_owned()
        }
        SignInFault::TokenRefused => {
            "The server refused a new token. Check oauth.issuer and the client's rights.".to_owned()
        }
        SignInFault::InsufficientScope(Some(scope)) => {
            format!("The server refused the request: it needs the scope {scope}. Set oauth.scope.")
        }
        SignInFault::InsufficientScope(None) => {
            "The server refused the request: the token lacks a scope. Set oauth.scope.".to_owned()
        }
        SignInFault::Forbidden => {
            "The server refused the request: this client may not do it.".to_owned()
        }
    }
}

pub(crate) fn status(status: u16) -> String {
    format!("HTTP {status}")
}
