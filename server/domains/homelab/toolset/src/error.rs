//! Errors of the homelab, in categories assigned in one place.

use std::{path::PathBuf, time::Duration};

use protocol::{ErrorBody, ErrorCode};

/// Reason that a connection could not be set up. No request has been made.
#[derive(Debug, thiserror::Error)]
pub enum HomelabError {
    /// A value of the configuration is invalid.
    #[error("{field} {message}")]
    Config {
        field: &'static str,
        message: String,
    },
    /// The CA file cannot be read.
    #[error("ca_file {path}: {source}", path = path.display())]
    CaFile {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Certificate verification cannot be set up.
    #[error("certificates cannot be checked: {0}")]
    Tls(#[from] rustls::Error),
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be built: {0}")]
    Http(#[from] reqwest::Error),
}

impl HomelabError {
    pub(crate) fn config(field: &'static str, message: impl Into<String>) -> Self {
        Self::Config {
            field,
            message: message.into(),
        }
    }
}

/// Reason that a request failed. Cheap to clone, because readers share answers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProxmoxError {
    /// Missing, wrong or expired credentials.
    #[error(
        "Proxmox refused the credentials: {message} (not tried again for {} s)",
        retry_after.as_secs().max(1)
    )]
    Unauthorised {
        message: String,
        /// Until then requests fail without being sent.
        retry_after: Duration,
    },
    /// The credentials lack a privilege.
    #[error("{}", forbidden(path.as_deref(), privileges, message))]
    Forbidden {
        path: Option<String>,
        /// Any one of these suffices.
        privileges: Vec<String>,
        message: String,
    },
    /// Proxmox VE rejected the parameters (400) or does not know the call (501).
    #[error("Proxmox refused the request ({status}): {message}")]
    Refused { status: u16, message: String },
    /// Proxmox VE tried and failed (500 and all other errors).
    #[error("Proxmox failed ({status}): {message}")]
    Failed { status: u16, message: String },
    /// The answering node could not reach the requested node (595 to 599).
    #[error("the node does not answer inside the cluster ({status} {message})")]
    NodeUnreachable { status: u16, message: String },
    /// No connection to the endpoint.
    #[error("no connection to {endpoint}: {message}")]
    Unreachable { endpoint: String, message: String },
    /// The endpoint's certificate is not trusted; nothing was sent to it.
    #[error("{endpoint} is not trusted: {message}")]
    Untrusted { endpoint: String, message: String },
    /// No answer in time.
    #[error("{endpoint} did not answer within {} ms", after.as_millis())]
    Timeout { endpoint: String, after: Duration },
    /// The answer violates the API.
    #[error("{endpoint} gave an answer that cannot be used: {message}")]
    Protocol { endpoint: String, message: String },
}

/// Reason that a write failed. A write is never sent twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WriteError {
    /// Certainly not executed.
    Refused(ProxmoxError),
    /// Possibly executed: it was sent, but no usable answer came back.
    Lost(ProxmoxError),
}

impl WriteError {
    pub(crate) fn into_inner(self) -> ProxmoxError {
        match self {
            Self::Refused(error) | Self::Lost(error) => error,
        }
    }

    /// Classifies an error by its status. Proxmox VE answers 500 when its own code failed before a
    /// task began, and 595 when it could not even connect to the owning node; with 596 to 599, and
    /// with the 5xx of a proxy in between, the request was on its way.
    pub(crate) fn by_status(status: u16, error: ProxmoxError) -> Self {
        match status {
            300..500 | 500 | 501 | 506 | 595 => Self::Refused(error),
            _ => Self::Lost(error),
        }
    }
}

fn forbidden(path: Option<&str>, privileges: &[String], message: &str) -> String {
    match path {
        Some(path) if !privileges.is_empty() => missing(privileges, path),
        _ => format!("Proxmox denied access: {message}"),
    }
}

/// The only wording for a missing privilege, in errors and beside values.
pub(crate) fn missing<S: AsRef<str>>(privileges: &[S], path: &str) -> String {
    let names: Vec<&str> = privileges.iter().map(AsRef::as_ref).collect();
    format!("missing privilege {} on {path}", names.join(" or "))
}

impl ProxmoxError {
    /// Returns whether another endpoint may answer the same request.
    pub(crate) fn another_endpoint_may_answer(&self) -> bool {
        matches!(
            self,
            Self::NodeUnreachable { .. }
                | Self::Unreachable { .. }
                | Self::Untrusted { .. }
                | Self::Timeout { .. }
                | Self::Protocol { .. }
        )
    }

    /// The error for people and the model.
    pub(crate) fn body(&self) -> ErrorBody {
        let message = sentence(&self.to_string());
        match self {
            Self::Unauthorised { .. } => ErrorBody::new(ErrorCode::ToolPermission, message)
                .with_help("Check the API token or the password, and that it has not expired."),
            Self::Forbidden {
                path: Some(path), ..
            } => ErrorBody::new(ErrorCode::ToolPermission, message).with_help(format!(
                "Give a role with this privilege to the token on {path}; a token with privilege \
                 separation needs its own entry beside its user's."
            )),
            Self::Forbidden { .. } => ErrorBody::new(ErrorCode::ToolPermission, message)
                .with_help("Check the roles of the token and of its user."),
            Self::Untrusted { .. } => ErrorBody::new(ErrorCode::ToolUnreachable, message).with_help(
                "If the node's certificate was renewed on purpose, check its fingerprint on the \
                 node itself and put it into the configuration.",
            ),
            Self::Unreachable { .. } => ErrorBody::new(ErrorCode::ToolUnreachable, message)
                .with_help("Check that the node is up and that port 8006 can be reached."),
            Self::NodeUnreachable { .. } => ErrorBody::new(ErrorCode::ToolUnreachable, message)
                .with_help("Check the node's power and its network."),
            Self::Timeout { .. } => ErrorBody::new(ErrorCode::ToolTimeout, message)
                .with_help("The node or one of its storages may hang; ask again or ask another."),
            Self::Refused { .. } | Self::Failed { .. } | Self::Protocol { .. } => {
                ErrorBody::new(ErrorCode::ToolFailed, message)
            }
        }
    }

    /// The error in a few words, as the reason for an unknown value.
    pub(crate) fn reason(&self) -> String {
        self.to_string()
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    let end = if text.ends_with('.') { "" } else { "." };
    first.into_iter().chain(chars).collect::<String>() + end
}
