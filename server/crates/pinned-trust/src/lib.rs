#![doc = include_str!("../README.md")]

mod fault;
mod pins;
mod trust;

pub use fault::{CertificateFault, certificate_fault, is_of_tls};
pub use pins::{CertificateSha256, fingerprint};
pub use trust::{PinnedTrust, PinnedTrustError};
