//! The configured trust, and refusals of certificates in words.

use pinned_trust::{CertificateFault, PinnedTrust, PinnedTrustError, certificate_fault};
use rustls::ClientConfig;

use crate::{
    config::ErpConfig,
    error::ErpSetupError,
    texts::{client as say, config as invalid},
};

/// The trust that the configuration asks for.
pub(super) fn trust(config: &ErpConfig) -> Result<ClientConfig, ErpSetupError> {
    let trust = PinnedTrust::of(config.pins()?, config.ca_file.as_deref());
    let refused = |message: String| ErpSetupError::config("ca_file", message);
    trust.client_config().map_err(|error| match error {
        PinnedTrustError::Unreadable { path, source } => ErpSetupError::CaFile { path, source },
        PinnedTrustError::NotPem(error) => refused(invalid::is_not_pem(&error)),
        PinnedTrustError::NoCertificate => refused(invalid::HAS_NO_CERTIFICATE.to_owned()),
        PinnedTrustError::Tls(error) => error.into(),
    })
}

/// The reason that a certificate was refused, if that is the cause of an HTTP error.
pub(super) fn refusal(error: &reqwest::Error) -> Option<String> {
    let reason = match certificate_fault(error)? {
        CertificateFault::NotPinned(seen) => return Some(say::not_the_pinned_certificate(&seen)),
        CertificateFault::Expired => say::IT_HAS_EXPIRED,
        CertificateFault::NotValidYet => say::IT_IS_NOT_VALID_YET,
        CertificateFault::UnknownIssuer | CertificateFault::BadSignature => {
            say::SIGNED_BY_NO_TRUSTED_AUTHORITY
        }
        CertificateFault::OtherName => say::IT_IS_FOR_ANOTHER_NAME,
        CertificateFault::Revoked | CertificateFault::Damaged | CertificateFault::Other => {
            say::IT_DOES_NOT_PASS_CHECKS
        }
    };
    Some(say::certificate_is_refused(reason))
}
