//! Errors between here and a command on a node.

use std::time::Duration;

use protocol::{ErrorBody, ErrorCode};

use super::guard::Exit;

/// Reason that a command returned no output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SshError {
    #[error("SSH is not configured for node {node}")]
    NotConfigured { node: String },
    #[error("no SSH connection to {host}: {message}")]
    Unreachable { host: String, message: String },
    #[error("{host} is not in the list of known hosts; it showed {shown}. Nothing was sent")]
    HostUnknown { host: String, shown: String },
    #[error(
        "{host} showed another host key than the known one: {shown}. It is another machine, or \
         somebody is in between. Nothing was sent"
    )]
    HostChanged { host: String, shown: String },
    #[error("{host} showed a host key that was revoked: {shown}. Nothing was sent")]
    HostRevoked { host: String, shown: String },
    #[error("the host keys cannot be read: {message}")]
    HostKeys { message: String },
    #[error("{host} did not accept the key of {user}")]
    Refused { host: String, user: String },
    #[error("{host} did not sign us in within {} ms", after.as_millis())]
    ConnectTimeout { host: String, after: Duration },
    #[error("{host} would not run a command: {message}")]
    NotTaken { host: String, message: String },
    /// The command may have run.
    #[error("the command on {host} did not end within {} ms", after.as_millis())]
    Timeout { host: String, after: Duration },
    /// The command may have run.
    #[error("the connection to {host} ended before the command did: {message}")]
    Lost { host: String, message: String },
    /// The guard on the node ended it.
    #[error("the guard on {host}: {message}")]
    Guard {
        host: String,
        exit: u32,
        message: String,
    },
}

impl SshError {
    /// Returns whether the command may have taken effect.
    pub(crate) fn may_have_run(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Lost { .. } => true,
            Self::Guard { exit, .. } => [Exit::Timeout, Exit::Signal, Exit::Failed]
                .iter()
                .any(|known| *known as u32 == *exit),
            _ => false,
        }
    }

    /// The error for people and the model.
    pub(crate) fn body(&self) -> ErrorBody {
        let text = self.to_string();
        let mut message: String = text.chars().take(1).flat_map(char::to_uppercase).collect();
        message.extend(text.chars().skip(1));
        if !message.ends_with('.') {
            message.push('.');
        }
        let body = |code| ErrorBody::new(code, message.clone());
        match self {
            Self::NotConfigured { .. } => body(ErrorCode::ToolUnreachable)
                .with_help("Name the node, its address and its host key in the configuration."),
            Self::HostUnknown { .. } | Self::HostChanged { .. } | Self::HostKeys { .. } => {
                body(ErrorCode::ToolUnreachable).with_help(
                    "Read the key on the node itself, from /etc/ssh/ssh_host_ed25519_key.pub, and \
                     put it into the configuration if it was changed on purpose.",
                )
            }
            Self::HostRevoked { .. } => body(ErrorCode::ToolUnreachable).with_help(
                "The list of known hosts has this key in an @revoked line. Give the node a new \
                 host key, and put that into the configuration.",
            ),
            Self::Unreachable { .. } => body(ErrorCode::ToolUnreachable)
                .with_help("Check that the node is up and that its SSH port can be reached."),
            Self::Refused { .. } => body(ErrorCode::ToolPermission).with_help(
                "Put the public key into the account's authorized_keys, with the forced command.",
            ),
            Self::NotTaken { .. } | Self::Lost { .. } => body(ErrorCode::ToolFailed),
            Self::ConnectTimeout { .. } | Self::Timeout { .. } => body(ErrorCode::ToolTimeout),
            Self::Guard { exit, .. } if *exit == Exit::Timeout as u32 => {
                body(ErrorCode::ToolTimeout)
            }
            Self::Guard { exit, .. }
                if *exit == Exit::Refused as u32 || *exit == Exit::Units as u32 =>
            {
                body(ErrorCode::ToolPermission)
            }
            Self::Guard { .. } => body(ErrorCode::ToolFailed),
        }
    }
}
