//! The server behind the bridge.

use std::{path::Path, time::Duration};

use reqwest::{Certificate, Client, Url, redirect::Policy};

/// Path of the interface on the server.
const ROOT: &str = "mcp";
/// Longer than the server waits for a call.
const PATIENCE: Duration = Duration::from_secs(90);

/// A running server, and the token for it.
#[derive(Clone)]
pub struct BridgeTarget {
    pub(crate) client: Client,
    pub(crate) url: Url,
    token: String,
}

/// The reason why a server cannot be a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("the address must be https, or http on this machine: {0}")]
    Address(String),
    #[error("cannot read certificates from {path}: {why}")]
    Certificates { path: String, why: String },
    #[error("cannot prepare connections: {0}")]
    Connections(reqwest::Error),
}

impl BridgeTarget {
    /// A server at an address, such as `https://jarvis.lan`. `door` is one of a domain, such as a set of its
    /// tools; without it, all tools of the token are reached.
    ///
    /// # Errors
    /// The address or the certificates cannot be used.
    pub fn new(
        address: &str,
        door: Option<&str>,
        token: &str,
        ca_file: Option<&Path>,
    ) -> Result<Self, TargetError> {
        let refused = || TargetError::Address(address.to_owned());
        let mut url = Url::parse(address).map_err(|_| refused())?;
        let is_local = matches!(url.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
        let has_secret = !url.username().is_empty() || url.password().is_some();
        if has_secret || !(url.scheme() == "https" || (url.scheme() == "http" && is_local)) {
            return Err(refused());
        }
        url.set_query(None);
        url.set_fragment(None);
        let mut segments = url.path_segments_mut().map_err(|()| refused())?;
        segments.pop_if_empty().push(ROOT).extend(door);
        drop(segments);
        // The one provider of this program; a second call changes nothing.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .redirect(Policy::none())
            .timeout(PATIENCE)
            .user_agent(concat!("jarvis-mcp/", env!("CARGO_PKG_VERSION")));
        if is_local {
            builder = builder.no_proxy();
        }
        if let Some(path) = ca_file {
            let bad = |why: String| TargetError::Certificates {
                path: path.display().to_string(),
                why,
            };
            let bytes = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
            let found = Certificate::from_pem_bundle(&bytes);
            builder = builder.tls_certs_merge(found.map_err(|error| bad(error.to_string()))?);
        }
        Ok(Self {
            client: builder.build().map_err(TargetError::Connections)?,
            url,
            token: token.to_owned(),
        })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_crosses_the_network_encrypted_only() {
        for (address, door, expect) in [
            ("https://jarvis.lan", None, Some("https://jarvis.lan/mcp")),
            (
                "https://jarvis.lan/behind/",
                Some("attic"),
                Some("https://jarvis.lan/behind/mcp/attic"),
            ),
            (
                "http://127.0.0.1:7340",
                None,
                Some("http://127.0.0.1:7340/mcp"),
            ),
            (
                "http://localhost:7340/?x=1#y",
                Some("../api"),
                Some("http://localhost:7340/mcp/..%2Fapi"),
            ),
            ("http://jarvis.lan", None, None),
            ("http://127.0.0.1.example", None, None),
            ("https://a:b@jarvis.lan", None, None),
            ("ftp://127.0.0.1", None, None),
            ("jarvis.lan", None, None),
            ("", None, None),
        ] {
            let target = BridgeTarget::new(address, door, "t", None).ok();
            let url = target.map(|target| target.url.to_string());
            assert_eq!(url.as_deref(), expect, "{address}");
        }
    }
}
