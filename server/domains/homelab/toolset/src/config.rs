//! Configuration of the homelab: where the cluster is, whom to trust, how to sign in.

mod notices;

use std::{
    collections::BTreeMap,
    fmt,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use pinned_trust::{CertificateSha256, fingerprint};
use protocol::{ErrorBody, ErrorCode};
use serde::Deserialize;

use crate::{
    HomelabError,
    ssh::{SshConfig, services},
    texts,
    wake::Mac,
};

pub use notices::{NoticeKind, NoticeLimits};

/// The connection to a Proxmox VE cluster and the operator's settings for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Display name; the cluster's own name by default.
    pub name: Option<String>,
    /// Nodes that answer the API, in order of preference. Each speaks for the whole cluster.
    pub endpoints: Vec<EndpointConfig>,
    /// PEM file with the CA that signed the nodes' certificates (`/etc/pve/pve-root-ca.pem`).
    /// Used for endpoints without fingerprints. Without it the system's CAs are trusted.
    pub ca_file: Option<PathBuf>,
    /// API token as `user@realm!name`. Required unless a user name and password are set.
    pub token_id: Option<String>,
    /// The token's secret, a UUID.
    pub token_secret: Option<TokenSecret>,
    /// User as `name@realm`.
    pub username: Option<String>,
    pub password: Option<TokenSecret>,
    /// Connection timeout in milliseconds.
    pub connect_timeout_ms: u64,
    /// Timeout of one request to one endpoint, in milliseconds.
    pub request_timeout_ms: u64,
    /// Maximum number of concurrent requests.
    pub max_concurrent_requests: usize,
    /// Polling interval for a running task, in milliseconds.
    pub poll_ms: u64,
    /// Time limit for each source of the summary, in milliseconds. A little less than the engine
    /// waits for all of them, so that one slow source does not cost the others; a longer one is for
    /// a simulated cluster, and the engine then waits for it.
    pub context_ms: u64,
    /// Polling interval of the live board, in milliseconds.
    pub board_ms: u64,
    /// Lifetime of a cached answer, in milliseconds. Zero turns the cache off.
    pub cache_ms: u64,
    /// Nodes on which nothing may be changed.
    pub protected_nodes: Vec<String>,
    /// Guests on which no action is allowed.
    pub protected_guests: Vec<u32>,
    /// The guest that Jarvis itself runs in; always protected.
    pub own_guest: Option<u32>,
    /// Purpose of each node, such as `pve = "compute and NAS"`.
    pub node_roles: BTreeMap<String, String>,
    /// Hardware addresses of the nodes that may be woken, such as `pve = "9C:6B:00:1A:42:12"`.
    pub node_macs: BTreeMap<String, String>,
    /// Destination of magic packets: usually the broadcast address of the nodes' network, port 9.
    pub wake_address: SocketAddr,
    /// Fill level in percent from which the summary and notices mention a storage.
    pub storage_warning_percent: u8,
    /// Age in hours from which a guest's newest backup counts as missing.
    pub backup_warning_hours: u32,
    /// Settings of the notices.
    pub notices: NoticeLimits,
    /// SSH access to the nodes; `None` disables it.
    pub ssh: Option<SshConfig>,
    /// Services that may be restarted, by node.
    pub services: BTreeMap<String, Vec<String>>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: None,
            endpoints: Vec::new(),
            ca_file: None,
            token_id: None,
            token_secret: None,
            username: None,
            password: None,
            connect_timeout_ms: 3_000,
            request_timeout_ms: 10_000,
            max_concurrent_requests: 6,
            poll_ms: 1_000,
            context_ms: 140,
            board_ms: 5_000,
            cache_ms: 5_000,
            protected_nodes: Vec::new(),
            protected_guests: Vec::new(),
            own_guest: None,
            node_roles: BTreeMap::new(),
            node_macs: BTreeMap::new(),
            wake_address: (Ipv4Addr::BROADCAST, 9).into(),
            storage_warning_percent: 85,
            backup_warning_hours: 48,
            notices: NoticeLimits::default(),
            ssh: None,
            services: BTreeMap::new(),
        }
    }
}

/// A node that answers the API.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointConfig {
    /// `https://host` or `https://host:port`; port 8006 unless given.
    pub url: String,
    /// SHA-256 fingerprints of the certificates this node may present, as hexadecimal bytes with or
    /// without colons. If set, nothing else is trusted for this node.
    #[serde(default)]
    pub fingerprints: Vec<String>,
}

/// A string that never appears in logs.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct TokenSecret(String);

impl TokenSecret {
    /// Returns the secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for TokenSecret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for TokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// Validated credentials.
#[derive(Debug, Clone)]
pub(crate) enum Credentials {
    Token {
        id: String,
        secret: TokenSecret,
    },
    Password {
        username: String,
        password: TokenSecret,
    },
}

impl Config {
    /// Validates the values without touching files or the network.
    ///
    /// # Errors
    /// Names the first invalid value.
    pub fn check(&self) -> Result<(), HomelabError> {
        if self.endpoints.is_empty() {
            return Err(HomelabError::config(
                "endpoints",
                texts::config::AT_LEAST_ONE_IS_NEEDED,
            ));
        }
        for endpoint in &self.endpoints {
            endpoint.base()?;
            endpoint.pins()?;
        }
        self.credentials()?;
        for (node, text) in &self.node_macs {
            if let Err(problem) = Mac::parse(text) {
                let message = format!("{node}: {text:?} {problem}");
                return Err(HomelabError::config("node_macs", message));
            }
        }
        services::check(&self.services)?;
        if let Some(ssh) = &self.ssh {
            ssh.check()?;
        }
        for (field, value) in [
            ("connect_timeout_ms", self.connect_timeout_ms),
            ("request_timeout_ms", self.request_timeout_ms),
            ("poll_ms", self.poll_ms),
            ("context_ms", self.context_ms),
            ("board_ms", self.board_ms),
            ("backup_warning_hours", self.backup_warning_hours.into()),
            (
                "max_concurrent_requests",
                self.max_concurrent_requests as u64,
            ),
        ] {
            if value == 0 {
                return Err(HomelabError::config(
                    field,
                    texts::config::MUST_BE_AT_LEAST_1,
                ));
            }
        }
        if self.max_concurrent_requests > 1_000 {
            return Err(HomelabError::config(
                "max_concurrent_requests",
                texts::config::MUST_BE_AT_MOST_1000,
            ));
        }
        if self.storage_warning_percent > 100 {
            return Err(HomelabError::config(
                "storage_warning_percent",
                texts::config::MUST_BE_AT_MOST_100,
            ));
        }
        Ok(())
    }

    /// The hardware address of a node that may be woken; an error names the nodes that have one.
    pub(crate) fn mac(&self, node: &str) -> Result<Mac, ErrorBody> {
        let known: Vec<&str> = self.node_macs.keys().map(String::as_str).collect();
        let found = self.node_macs.get(node);
        found.and_then(|text| Mac::parse(text).ok()).ok_or_else(|| {
            ErrorBody::new(
                ErrorCode::ToolInputInvalid,
                if known.is_empty() {
                    texts::config::NO_NODE_MACS.to_owned()
                } else {
                    texts::config::no_node_mac(node, &known.join(", "))
                },
            )
            .with_help(texts::config::NODE_MACS_HELP)
        })
    }

    pub(crate) fn credentials(&self) -> Result<Credentials, HomelabError> {
        match (
            &self.token_id,
            &self.token_secret,
            &self.username,
            &self.password,
        ) {
            (Some(id), Some(secret), None, None) => {
                let (user, name) = id.split_once('!').unwrap_or((id, ""));
                if !is_user(user) || name.is_empty() || !is_plain(name) {
                    return Err(HomelabError::config(
                        "token_id",
                        texts::config::MUST_LOOK_LIKE_USER_REALM_NAME,
                    ));
                }
                if secret.expose().is_empty() || !is_plain(secret.expose()) {
                    return Err(HomelabError::config(
                        "token_secret",
                        texts::config::MUST_BE_TOKEN_SECRET_UUID,
                    ));
                }
                Ok(Credentials::Token {
                    id: id.clone(),
                    secret: secret.clone(),
                })
            }
            (None, None, Some(username), Some(password)) => {
                if !is_user(username) {
                    return Err(HomelabError::config(
                        "username",
                        texts::config::MUST_LOOK_LIKE_NAME_REALM,
                    ));
                }
                Ok(Credentials::Password {
                    username: username.clone(),
                    password: password.clone(),
                })
            }
            (Some(_), None, None, None) => Err(HomelabError::config(
                "token_secret",
                texts::config::IS_MISSING_BESIDE_TOKEN_ID,
            )),
            (None, Some(_), None, None) => Err(HomelabError::config(
                "token_id",
                texts::config::IS_MISSING_BESIDE_TOKEN_SECRET,
            )),
            (None, None, Some(_), None) => Err(HomelabError::config(
                "password",
                texts::config::IS_MISSING_BESIDE_USERNAME,
            )),
            (None, None, None, Some(_)) => Err(HomelabError::config(
                "username",
                texts::config::IS_MISSING_BESIDE_PASSWORD,
            )),
            (None, None, None, None) => Err(HomelabError::config(
                "token_id",
                texts::config::CREDENTIALS_MISSING,
            )),
            _ => Err(HomelabError::config(
                "token_id",
                texts::config::CREDENTIALS_TWICE,
            )),
        }
    }
}

impl EndpointConfig {
    /// The root URL of the API on this node.
    pub(crate) fn base(&self) -> Result<reqwest::Url, HomelabError> {
        let wrong = |message: &str| {
            HomelabError::config("endpoints.url", format!("{}: {message}", self.url))
        };
        let mut url = reqwest::Url::parse(&self.url).map_err(|error| wrong(&error.to_string()))?;
        if url.scheme() != "https" {
            return Err(wrong(texts::config::MUST_BEGIN_WITH_HTTPS));
        }
        if url.host_str().is_none()
            || url.path() != "/"
            || url.query().is_some()
            || url.fragment().is_some()
            || !url.username().is_empty()
            || url.password().is_some()
        {
            return Err(wrong(texts::config::MUST_BE_ONLY_HTTPS_HOST));
        }
        // The parser drops the scheme's default port, so look for `:443` in the text.
        if url.port().is_none()
            && !self.url.trim_end_matches('/').ends_with(":443")
            && url.set_port(Some(8006)).is_err()
        {
            return Err(wrong(texts::config::PORT_CANNOT_BE_SET));
        }
        Ok(url)
    }

    /// The pinned fingerprints as bytes.
    pub(crate) fn pins(&self) -> Result<Vec<CertificateSha256>, HomelabError> {
        self.fingerprints
            .iter()
            .map(|text| {
                fingerprint(text).ok_or_else(|| {
                    HomelabError::config(
                        "endpoints.fingerprints",
                        texts::config::no_fingerprint(text),
                    )
                })
            })
            .collect()
    }
}

/// Returns whether the text is `name@realm` without characters that have a meaning in a header.
fn is_user(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(name, realm)| {
        !name.is_empty() && !realm.is_empty() && is_plain(name) && is_plain(realm)
    })
}

fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_graphic() && !"!=;,\"\\%".contains(c))
}

#[cfg(test)]
mod tests;
