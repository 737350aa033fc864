//! TLS trust: pinned fingerprints, a pinned CA, or the system's CAs; never everything silently.

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

use crate::{HomelabError, texts};

/// Trusts only the certificates with these fingerprints.
pub(super) fn pinned(pins: Vec<[u8; 32]>) -> Result<ClientConfig, HomelabError> {
    let provider = Arc::new(ring::default_provider());
    let verifier = PinVerifier {
        pins,
        provider: Arc::clone(&provider),
    };
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}

/// Trusts certificates that the CAs in the PEM file signed for the requested name.
pub(super) fn ca(path: &Path) -> Result<ClientConfig, HomelabError> {
    let pem = std::fs::read(path).map_err(|source| HomelabError::CaFile {
        path: path.to_owned(),
        source,
    })?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate
            .map_err(|error| HomelabError::config("ca_file", texts::client::is_not_pem(&error)))?;
        roots.add(certificate)?;
    }
    if roots.is_empty() {
        return Err(HomelabError::config(
            "ca_file",
            texts::client::HAS_NO_CERTIFICATE_IN_IT,
        ));
    }
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

/// Trusts the system's CAs.
pub(super) fn system() -> Result<ClientConfig, HomelabError> {
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_platform_verifier()?
            .with_no_client_auth(),
    )
}

/// Error for a certificate that is none of the pinned ones.
#[derive(Debug)]
pub(super) struct PinMismatch {
    seen: [u8; 32],
}

impl fmt::Display for PinMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(texts::client::NOT_THE_PINNED_CERTIFICATE)?;
        for (index, byte) in self.seen.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            write!(f, "{byte:02X}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PinMismatch {}

/// Checks the leaf against the pins. Names and dates are ignored, because the certificate itself is
/// pinned; possession of its private key is checked as always.
#[derive(Debug)]
struct PinVerifier {
    pins: Vec<[u8; 32]>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinVerifier {
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
        let mismatch = OtherError(Arc::new(PinMismatch { seen }));
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
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// The reason that a certificate was refused, if that is the cause of an HTTP error.
pub(super) fn refusal(error: &reqwest::Error) -> Option<String> {
    match of_tls(error)? {
        rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(inner)))
            if inner.is::<PinMismatch>() =>
        {
            Some(inner.to_string())
        }
        rustls::Error::InvalidCertificate(reason) => {
            Some(texts::client::its_certificate_is_refused(words(reason)))
        }
        _ => None,
    }
}

/// Returns whether TLS itself failed.
pub(super) fn is_refused(error: &reqwest::Error) -> bool {
    of_tls(error).is_some()
}

fn words(reason: &CertificateError) -> &'static str {
    match reason {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            texts::client::IT_HAS_EXPIRED
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            texts::client::IT_IS_NOT_VALID_YET
        }
        CertificateError::Revoked => texts::client::IT_WAS_REVOKED,
        CertificateError::UnknownIssuer => texts::client::SIGNED_BY_NO_TRUSTED_AUTHORITY,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            texts::client::IT_IS_FOR_ANOTHER_NAME
        }
        CertificateError::BadSignature => texts::client::SIGNATURE_OF_NO_TRUSTED_AUTHORITY,
        CertificateError::BadEncoding => texts::client::IT_IS_DAMAGED,
        _ => texts::client::IT_DOES_NOT_PASS_CHECKS,
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
