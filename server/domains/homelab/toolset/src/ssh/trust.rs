//! Host key verification. No key is trusted on first use.

use std::path::{Path, PathBuf};

use russh::keys::{
    Algorithm, HashAlg, PublicKey, known_hosts::known_host_keys_path, ssh_key::Fingerprint,
};

use super::config::{SshConfig, SshNode};
use crate::{HomelabError, texts};

/// Host keys that a node may present.
#[derive(Debug, Clone)]
pub(super) enum Trust {
    /// One of these, unless the `known_hosts` file, if there is one, revokes it.
    Pinned {
        pins: Vec<Pin>,
        file: Option<PathBuf>,
    },
    /// The entries for this host in the file, read at each connection.
    KnownHosts {
        file: PathBuf,
        host: String,
        port: u16,
    },
}

#[derive(Debug, Clone)]
pub(super) enum Pin {
    Key(Box<PublicKey>),
    Fingerprint(Fingerprint),
}

/// Reason that a host is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doubt {
    /// There is no entry for this host.
    Unknown,
    /// It presented a different key than the known one.
    Changed,
    /// It presented a revoked key.
    Revoked,
    /// The known keys cannot be read.
    Unreadable(String),
}

impl Trust {
    pub(super) fn new(
        config: &SshConfig,
        name: &str,
        node: &SshNode,
    ) -> Result<Self, HomelabError> {
        let file = config.known_hosts.clone();
        if node.host_keys.is_empty() {
            return Ok(Self::KnownHosts {
                file: file.unwrap_or_default(),
                host: node.host.clone(),
                port: node.port,
            });
        }
        let pins = node.host_keys.iter().map(|text| {
            Pin::parse(text).ok_or_else(|| {
                HomelabError::config(
                    "ssh.nodes",
                    texts::config::neither_key_nor_fingerprint(name, text),
                )
            })
        });
        let pins = pins.collect::<Result<_, _>>()?;
        Ok(Self::Pinned { pins, file })
    }

    /// Verifies that a host may present this key.
    pub(super) fn check(&self, key: &PublicKey) -> Result<(), Doubt> {
        if self.revokes(key)? {
            return Err(Doubt::Revoked);
        }
        match self {
            Self::Pinned { pins, .. } if pins.iter().any(|pin| pin.is(key)) => Ok(()),
            Self::Pinned { .. } => Err(Doubt::Changed),
            Self::KnownHosts { .. } => {
                let known = self.known()?;
                if known.iter().any(|known| known.key_data() == key.key_data()) {
                    Ok(())
                } else if known.is_empty() {
                    Err(Doubt::Unknown)
                } else {
                    Err(Doubt::Changed)
                }
            }
        }
    }

    /// The algorithms of the known keys, so that the host is asked for one of them.
    pub(super) fn algorithms(&self) -> Vec<Algorithm> {
        match self {
            Self::Pinned { pins, .. } => pins
                .iter()
                .filter_map(|pin| match pin {
                    Pin::Key(key) => Some(key.algorithm()),
                    Pin::Fingerprint(_) => None,
                })
                .collect(),
            Self::KnownHosts { .. } => {
                let known = self.known().unwrap_or_default();
                known.iter().map(PublicKey::algorithm).collect()
            }
        }
    }

    /// Returns whether the file has this key in an `@revoked` line. Such a key is stolen, so it is
    /// refused whatever hosts the line names.
    fn revokes(&self, key: &PublicKey) -> Result<bool, Doubt> {
        let (Self::Pinned {
            file: Some(file), ..
        }
        | Self::KnownHosts { file, .. }) = self
        else {
            return Ok(false);
        };
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            // With pins the file is optional.
            Err(error)
                if error.kind() == std::io::ErrorKind::NotFound
                    && matches!(self, Self::Pinned { .. }) =>
            {
                return Ok(false);
            }
            Err(error) => return Err(unreadable(file, error.to_string())),
        };
        for (line, number) in text.lines().zip(1..) {
            let mut words = line.split_whitespace();
            if words.next() != Some("@revoked") {
                continue;
            }
            let key_words: Vec<&str> = words.skip(1).take(2).collect();
            let revoked = PublicKey::from_openssh(&key_words.join(" ")).map_err(|_error| {
                // It may be this very key.
                unreadable(file, texts::config::revokes_no_key(number))
            })?;
            if revoked.key_data() == key.key_data() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn known(&self) -> Result<Vec<PublicKey>, Doubt> {
        let Self::KnownHosts { file, host, port } = self else {
            return Ok(Vec::new());
        };
        // A missing file would otherwise look like one without this host.
        std::fs::metadata(file).map_err(|error| unreadable(file, error.to_string()))?;
        let keys = known_host_keys_path(host, *port, file)
            .map_err(|error| unreadable(file, error.to_string()))?;
        Ok(keys.into_iter().map(|(_, key)| key).collect())
    }
}

fn unreadable(file: &Path, message: String) -> Doubt {
    Doubt::Unreadable(format!("{}: {message}", file.display()))
}

impl Pin {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.starts_with("SHA256:") {
            return text.parse().ok().map(Self::Fingerprint);
        }
        let key = PublicKey::from_openssh(text).ok()?;
        Some(Self::Key(Box::new(key)))
    }

    fn is(&self, key: &PublicKey) -> bool {
        match self {
            Self::Key(pinned) => pinned.key_data() == key.key_data(),
            Self::Fingerprint(pinned) => *pinned == key.fingerprint(HashAlg::Sha256),
        }
    }
}
