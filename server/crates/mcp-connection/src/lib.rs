#![doc = include_str!("../README.md")]

mod backoff;
mod child;
mod child_room;
mod connection;
mod content;
mod events;
mod fault;
mod handshake;
mod http;
mod last_words;
mod listing;
mod reading;
mod sandbox;
mod settings;
mod sign_in;
mod signed_client;
mod stderr;
mod texts;

pub use child_room::{ChildBounds, ChildRoom};
pub use connection::{ConnectionState, McpConnection};
pub use fault::ConnectFault;
pub use http::{HttpFault, HttpSettings, SecretHeader};
pub use pinned_trust::{CertificateSha256, fingerprint};
pub use settings::{CommandSettings, SandboxLimits, ServerSettings, ServerTransport};
pub use sign_in::{
    ClientCredential, ClientKey, ClientSecret, OauthSettings, SignInFault, SignInState,
    is_sign_in_address,
};
