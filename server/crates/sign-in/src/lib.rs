#![doc = include_str!("../README.md")]

mod auth;
mod by_passkey;
mod by_password;
mod by_proxy;
mod challenges;
mod destination;
mod failures;
mod lifetimes;
mod names;
mod passkeys;
mod passwords;
mod presented;
mod secrets;
mod signed_in;
mod tally;
mod texts;
mod throttle;
mod tokens;

pub use auth::{Auth, Ended};
pub use by_password::{Changed, Tried};
pub use by_proxy::Found;
pub use names::bad_name;
pub use passkeys::{Passkeys, Trouble};
pub use presented::{Presented, ProxyHeaders, ProxyRules, Word};
pub use secrets::{link_expires, new_link};
pub use signed_in::{Client, SignedIn, SignedUser};
pub use throttle::network;
pub use tokens::{NewToken, is_older, is_token};
/// Answers of browsers about passkeys.
pub use webauthn_rs::prelude::{PublicKeyCredential, RegisterPublicKeyCredential};

#[cfg(test)]
mod tests;
