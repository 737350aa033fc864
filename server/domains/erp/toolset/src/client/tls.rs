//! TLS trust: pinned fingerprints, a CA from a file, or the system's CAs; never everything silently.

use std::{fmt, path::Path, sync::Arc};

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, OtherError, RootCertStore,
    SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use rustls_platform_verifier::BuilderVerifierExt;
use sha2::{Digest, Sha256};

use crate::{
    config::ErpConfig,
    error::ErpSetupError,
    texts::{client as say, config as invalid},
};

/// The trust that the configuration asks for.
pub(super) fn trust(config: &ErpConfig) -> Result<ClientConfig, ErpSetupError> {
    let pins = config.pins()?;
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    if !pins.is_empty() {
        let verifier = Arc::new(PinnedCertificates { pins, provider });
        let builder = builder
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        return Ok(builder.with_no_client_auth());
    }
    let builder = match &config.ca_file {
        Some(path) => builder.with_root_certificates(roots(path)?),
        None => builder.with_platform_verifier()?,
    };
    Ok(builder.with_no_client_auth())
}

fn roots(path: &Path) -> Result<RootCertStore, ErpSetupError> {
    let pem = std::fs::read(path).map_err(|source| ErpSetupError::CaFile {
        path: path.to_owned(),
        source,
    })?;
    let refused = |message: String| ErpSetupError::config("ca_file", message);
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| refused(invalid::is_not_pem(&error)))?;
        roots.add(certificate)?;
    }
    if roots.is_empty() {
        Err(refused(invalid::HAS_NO_CERTIFICATE.to_owned()))
    } else {
        Ok(roots)
    }
}

/// Error for a certificate that is none of the pinned ones.
#[derive(Debug)]
struct UnpinnedCertificate {
    seen: [u8; 32],
}

impl fmt::Display for UnpinnedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(say::NOT_THE_PINNED_CERTIFICATE)?;
        let bytes = self.seen.iter().map(|byte| format!("{byte:02X}"));
        f.write_str(&bytes.collect::<Vec<_>>().join(":"))
    }
}

impl std::error::Error for UnpinnedCertificate {}

/// Checks the leaf against the pins. Names and dates are ignored, because the certificate itself is
/// pinned; possession of its private key is checked as always.
#[derive(Debug)]
struct PinnedCertificates {
    pins: Vec<[u8; 32]>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinnedCertificates {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let seen: [u8; 32] = Sha256::digest(end_entity.as_ref()).into();
        if self.pins.contains(&seen) {
            return Ok(ServerCertVerified::assertion());
        }
        let mismatch = OtherError(Arc::new(UnpinnedCertificate { seen }));
        Err(CertificateError::Other(mismatch).into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = &self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}

/// The reason that a certificate was refused, if that is the cause of an HTTP error.
pub(super) fn refusal(error: &reqwest::Error) -> Option<String> {
    let reason = match of_tls(error)? {
        rustls::Error::InvalidCertificate(reason) => reason,
        _ => return None,
    };
    Some(match reason {
        CertificateError::Other(OtherError(inner)) if inner.is::<UnpinnedCertificate>() => {
            inner.to_string()
        }
        other => say::certificate_is_refused(words(other)),
    })
}

/// True if TLS itself failed.
pub(super) fn is_refused(error: &reqwest::Error) -> bool {
    of_tls(error).is_some()
}

fn words(reason: &CertificateError) -> &'static str {
    match reason {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => say::IT_HAS_EXPIRED,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            say::IT_IS_NOT_VALID_YET
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            say::SIGNED_BY_NO_TRUSTED_AUTHORITY
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            say::IT_IS_FOR_ANOTHER_NAME
        }
        _ => say::IT_DOES_NOT_PASS_CHECKS,
    }
}

fn of_tls(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<rustls::Error>() {
            return Some(tls);
        }
        // `source` of an I/O error skips the error that it wraps.
        next = match error.downcast_ref::<std::io::Error>() {
            Some(io) => io
                .get_ref()
                .map(|inner| inner as &(dyn std::error::Error + 'static)),
            None => error.source(),
        };
    }
    None
}
