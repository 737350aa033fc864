//! The configured trust, and refusals of certificates in words.

use std::path::Path;

use pinned_trust::{
    CertificateFault, CertificateSha256, PinnedTrust, PinnedTrustError, certificate_fault,
};
use rustls::ClientConfig;

use crate::{HomelabError, texts::client as say};

/// Trusts the certificates with these fingerprints, or else the CAs in the PEM file, or else those
/// of the system.
pub(super) fn trust(
    pins: Vec<CertificateSha256>,
    ca_file: Option<&Path>,
) -> Result<ClientConfig, HomelabError> {
    let trust = PinnedTrust::of(pins, ca_file).client_config();
    trust.map_err(|error| match error {
        PinnedTrustError::Unreadable { path, source } => HomelabError::CaFile { path, source },
        PinnedTrustError::NotPem(error) => HomelabError::config("ca_file", say::is_not_pem(&error)),
        PinnedTrustError::NoCertificate => {
            HomelabError::config("ca_file", say::HAS_NO_CERTIFICATE_IN_IT)
        }
        PinnedTrustError::Tls(error) => error.into(),
    })
}

/// The reason that a certificate was refused, if that is the cause of an HTTP error.
pub(super) fn refusal(error: &reqwest::Error) -> Option<String> {
    let reason = match certificate_fault(error)? {
        CertificateFault::NotPinned(seen) => return Some(say::not_the_pinned_certificate(&seen)),
        CertificateFault::Expired => say::IT_HAS_EXPIRED,
        CertificateFault::NotValidYet => say::IT_IS_NOT_VALID_YET,
        CertificateFault::Revoked => say::IT_WAS_REVOKED,
        CertificateFault::UnknownIssuer => say::SIGNED_BY_NO_TRUSTED_AUTHORITY,
        CertificateFault::OtherName => say::IT_IS_FOR_ANOTHER_NAME,
        CertificateFault::BadSignature => say::SIGNATURE_OF_NO_TRUSTED_AUTHORITY,
        CertificateFault::Damaged => say::IT_IS_DAMAGED,
        CertificateFault::Other => say::IT_DOES_NOT_PASS_CHECKS,
    };
    Some(say::its_certificate_is_refused(reason))
}
