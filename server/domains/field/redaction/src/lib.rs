#![doc = include_str!("../README.md")]

mod address;
mod candidate;
mod class;
mod common;
mod cover;
mod detect;
mod error;
mod export;
mod fields;
mod find;
mod layers;
mod leaks;
mod legend;
mod network;
mod restore;
mod secrets;
mod segments;
mod stream;
pub mod texts;
mod token;
mod vault;

pub use class::{Class, ClassTally};
pub use cover::Covered;
pub use error::RedactionError;
pub use export::ExportShapes;
pub use find::{FoundValue, find};
pub use leaks::Leak;
pub use legend::VendorParts;
pub use network::NetworkPrefix;
pub use restore::live_tokens;
pub use secrets::{WithoutSecrets, drop_secrets};
pub use stream::{CoverStream, SecretStream};
pub use token::{Pseudonym, TokenKind};
pub use vault::{PublicAddresses, SealedEntry, SiteScope, Vault, VaultEntry, VaultKeys};
