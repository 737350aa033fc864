//! What the operator configures of SSH: which nodes, with which key, and whom to believe.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

use crate::Error;

/// How nodes are reached over SSH. Without it there is no SSH.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SshConfig {
    /// The account on the nodes.
    pub user: String,
    /// The private key, in OpenSSH's format, without a passphrase, readable by its owner alone.
    pub key_file: PathBuf,
    /// Host keys of nodes that name none themselves, in the format of OpenSSH's `known_hosts`. A
    /// key in an `@revoked` line of it is refused of every node.
    pub known_hosts: Option<PathBuf>,
    /// The nodes by their names in the cluster.
    pub nodes: BTreeMap<String, SshNode>,
    /// How long it may take to be signed in, in milliseconds.
    pub connect_timeout_ms: u64,
    /// How long a command may run, in milliseconds. More than the guard on the node allows.
    pub command_timeout_ms: u64,
    /// How long the restart of a service may take, in milliseconds.
    pub restart_timeout_ms: u64,
    /// For how long a restarted service must stay up before the restart counts, in milliseconds.
    pub settle_ms: u64,
    /// How many bytes of output are taken, both streams together.
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

/// One node as SSH reaches it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SshNode {
    /// Name or address.
    pub host: String,
    #[serde(default = "ssh_port")]
    pub port: u16,
    /// The keys that it may show: `ssh-ed25519 AAAA…` as in its `/etc/ssh/ssh_host_*_key.pub`, or
    /// `SHA256:…` as `ssh-keygen -l` prints it. When there are any, nothing else is believed.
    #[serde(default)]
    pub host_keys: Vec<String>,
}

fn ssh_port() -> u16 {
    22
}

impl SshConfig {
    /// Says what is wrong with the values, without touching files or the network.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let word = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
        };
        if !word(&self.user) {
            return Err(Error::config("ssh.user", "must be the name of an account"));
        }
        if self.key_file.as_os_str().is_empty() {
            return Err(Error::config("ssh.key_file", "is missing"));
        }
        for (field, value) in [
            ("ssh.connect_timeout_ms", self.connect_timeout_ms),
            ("ssh.command_timeout_ms", self.command_timeout_ms),
            ("ssh.restart_timeout_ms", self.restart_timeout_ms),
            ("ssh.max_output_bytes", self.max_output_bytes as u64),
        ] {
            if value == 0 {
                return Err(Error::config(field, "must be at least 1"));
            }
        }
        for (name, node) in &self.nodes {
            if !word(&node.host) || node.port == 0 {
                return Err(Error::config(
                    "ssh.nodes",
                    format!("{name}: host must be a name or an address, port from 1"),
                ));
            }
            if node.host_keys.is_empty() && self.known_hosts.is_none() {
                return Err(Error::config(
                    "ssh.nodes",
                    format!(
                        "{name}: host_keys is missing; read them on the node itself from \
                         /etc/ssh/ssh_host_ed25519_key.pub, or name a known_hosts file"
                    ),
                ));
            }
        }
        Ok(())
    }
}
