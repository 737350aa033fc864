//! Endpoints, as the operator configures them.

use std::fmt;

use reqwest::Url;

use crate::signature::SigningSecrets;

/// A receiver of messages.
#[derive(Debug, Clone)]
pub struct WebhookEndpoint {
    /// Its name in the configuration, in logs and in the queue.
    pub name: String,
    pub url: EndpointUrl,
    pub secrets: SigningSecrets,
}

/// The address of an endpoint. Services put secrets into paths and queries, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct EndpointUrl(Url);

impl EndpointUrl {
    /// Reads an address of the web. One on a private network is as good as any: the operator wrote it.
    ///
    /// # Errors
    /// The text is no such address, or has a user name or a password.
    pub fn parse(text: &str) -> Result<Self, UrlFault> {
        let url = Url::parse(text).map_err(|_| UrlFault::Address)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(UrlFault::Address);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlFault::Credentials);
        }
        Ok(Self(url))
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// True for this machine, which is reached without a proxy.
    pub(crate) fn is_local(&self) -> bool {
        let host = self.0.host_str();
        matches!(host, Some("127.0.0.1" | "[::1]" | "localhost"))
    }
}

impl fmt::Debug for EndpointUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(address)")
    }
}

/// The reason why a text is no address of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    #[error("expected http://… or https://…")]
    Address,
    #[error("expected an address without a user name and a password")]
    Credentials,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_of_the_web_and_has_no_password() {
        for (text, expect) in [
            ("https://hooks.example/T0/B0?key=secret", Ok(())),
            ("http://192.168.1.20:8123/api/webhook/jarvis", Ok(())),
            ("http://[fd00::1]/", Ok(())),
            (
                "https://ada:secret@hooks.example/",
                Err(UrlFault::Credentials),
            ),
            ("https://ada@hooks.example/", Err(UrlFault::Credentials)),
            ("hooks.example", Err(UrlFault::Address)),
            ("file:///etc/passwd", Err(UrlFault::Address)),
            ("ftp://hooks.example/", Err(UrlFault::Address)),
            ("https://", Err(UrlFault::Address)),
            ("", Err(UrlFault::Address)),
        ] {
            let parsed = EndpointUrl::parse(text);
            assert!(!format!("{parsed:?}").contains("secret"), "{text}");
            assert_eq!(parsed.map(drop), expect, "{text}");
        }
    }
}
