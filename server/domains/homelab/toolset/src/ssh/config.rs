//! SSH configuration: the nodes, the private key, and the trusted host keys.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

use crate::{HomelabError, texts};

/// SSH access to the nodes. Without it there is none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SshConfig {
    /// Account on the nodes.
    pub user: String,
    /// Private key in OpenSSH's format, without a passphrase, readable only by its owner.
    pub key_file: PathBuf,
    /// Host keys of nodes without `host_keys`, in the format of OpenSSH's `known_hosts`. A key in
    /// an `@revoked` line of the file is refused for every node.
    pub known_hosts: Option<PathBuf>,
    /// The nodes by their names in the cluster.
    pub nodes: BTreeMap<String, SshNode>,
    /// Timeout for connecting and signing in, in milliseconds.
    pub connect_timeout_ms: u64,
    /// Timeout of a command, in milliseconds. Longer than the timeout of the guard on the node.
    pub command_timeout_ms: u64,
    /// Timeout of a service restart, in milliseconds.
    pub restart_timeout_ms: u64,
    /// Time for which a restarted service must stay up before the restart counts, in milliseconds.
    pub settle_ms: u64,
    /// Limit on the output, both streams together, in bytes.
    pub max_output_bytes: usize,
}

impl Default for SshConfig {
    fn default() -> Self {
        Self {
            user: "jarvis".to_owned(),
            key_file: PathBuf::new(),
            known_hosts: None,
            nodes: BTreeMap::new(),
            connect_timeout_ms: 5_000,
            command_timeout_ms: 25_000,
            restart_timeout_ms: 100_000,
            settle_ms: 3_000,
            max_output_bytes: 256 * 1024,
        }
    }
}

/// SSH access to a node.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SshNode {
    /// Host name or address.
    pub host: String,
    #[serde(default = "ssh_port")]
    pub port: u16,
    /// Accepted host keys: `ssh-ed25519 AAAA…` as in its `/etc/ssh/ssh_host_*_key.pub`, or
    /// `SHA256:…` as `ssh-keygen -l` prints it. If set, no other key is accepted.
    #[serde(default)]
    pub host_keys: Vec<String>,
}

fn ssh_port() -> u16 {
    22
}

impl SshConfig {
    /// Validates the values without touching files or the network.
    pub(crate) fn check(&self) -> Result<(), HomelabError> {
        let word = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
        };
        if !word(&self.user) {
            return Err(HomelabError::config(
                "ssh.user",
                texts::config::MUST_BE_NAME_OF_ACCOUNT,
            ));
        }
        if self.key_file.as_os_str().is_empty() {
            return Err(HomelabError::config(
                "ssh.key_file",
                texts::config::IS_MISSING,
            ));
        }
        for (field, value) in [
            ("ssh.connect_timeout_ms", self.connect_timeout_ms),
            ("ssh.command_timeout_ms", self.command_timeout_ms),
            ("ssh.restart_timeout_ms", self.restart_timeout_ms),
            ("ssh.max_output_bytes", self.max_output_bytes as u64),
        ] {
            if value == 0 {
                return Err(HomelabError::config(
                    field,
                    texts::config::MUST_BE_AT_LEAST_1,
                ));
            }
        }
        for (name, node) in &self.nodes {
            if !word(&node.host) || node.port == 0 {
                return Err(HomelabError::config(
                    "ssh.nodes",
                    texts::config::host_is_no_address(name),
                ));
            }
            if node.host_keys.is_empty() && self.known_hosts.is_none() {
                return Err(HomelabError::config(
                    "ssh.nodes",
                    texts::config::host_keys_are_missing(name),
                ));
            }
        }
        Ok(())
    }
}
