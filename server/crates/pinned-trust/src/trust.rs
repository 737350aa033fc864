//! Sources of trust, and the client configuration that each gives.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{
        CertificateDer,
        pem::{self, PemObject},
    },
};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::pins::{CertificateSha256, PinnedCertificates};

/// The certificates that a client trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PinnedTrust<'a> {
    /// Only those with these SHA-256 fingerprints.
    Pins(Vec<CertificateSha256>),
    /// Those that the CAs in this PEM file signed for the requested name.
    CaFile(&'a Path),
    /// Those that the system's CAs signed for the requested name.
    System,
}

/// Reason that trust could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum PinnedTrustError {
    /// The CA file cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The CA file is not PEM.
    #[error("not PEM: {0}")]
    NotPem(pem::Error),
    /// The CA file holds no certificate.
    #[error("no certificate")]
    NoCertificate,
    /// The TLS library refused it.
    #[error(transparent)]
    Tls(#[from] rustls::Error),
}

impl<'a> PinnedTrust<'a> {
    /// Pins if there are any, else the CA file if there is one, else the system.
    #[must_use]
    pub fn of(pins: Vec<CertificateSha256>, ca_file: Option<&'a Path>) -> Self {
        match ca_file {
            _ if !pins.is_empty() => Self::Pins(pins),
            Some(path) => Self::CaFile(path),
            None => Self::System,
        }
    }

    /// The configuration of a client without a certificate of its own. Reads the CA file.
    ///
    /// # Errors
    /// The CA file cannot be used, or the system gives no CAs.
    pub fn client_config(self) -> Result<ClientConfig, PinnedTrustError> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match self {
            Self::Pins(pins) => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(PinnedCertificates::new(
                    pins, provider,
                ))),
            Self::CaFile(path) => builder.with_root_certificates(roots(path)?),
            Self::System => builder.with_platform_verifier()?,
        };
        Ok(builder.with_no_client_auth())
    }
}

fn roots(path: &Path) -> Result<RootCertStore, PinnedTrustError> {
    let pem = std::fs::read(path).map_err(|source| PinnedTrustError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        roots.add(certificate.map_err(PinnedTrustError::NotPem)?)?;
    }
    if roots.is_empty() {
        Err(PinnedTrustError::NoCertificate)
    } else {
        Ok(roots)
    }
}
