//! Fingerprints of certificates, and the check of a certificate against them.

use std::{fmt, sync::Arc};

use rustls::{
    CertificateError, DigitallySignedStruct, OtherError, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use sha2::{Digest, Sha256};

/// The SHA-256 of a certificate in DER.
pub type CertificateSha256 = [u8; 32];

/// Reads 32 hexadecimal bytes, with or without colons between them. None if it is anything else.
#[must_use]
pub fn fingerprint(text: &str) -> Option<CertificateSha256> {
    let digits: String = text.trim().chars().filter(|it| *it != ':').collect();
    if digits.len() != 64 || !digits.bytes().all(|it| it.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Error for a certificate that is none of the pinned ones.
#[derive(Debug)]
pub(crate) struct UnpinnedCertificate {
    seen: CertificateSha256,
}

/// Bytes in hexadecimal, with colons.
impl fmt::Display for UnpinnedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.seen.iter().map(|byte| format!("{byte:02X}"));
        f.write_str(&bytes.collect::<Vec<_>>().join(":"))
    }
}

impl std::error::Error for UnpinnedCertificate {}

/// Checks the leaf against the pins. Names and dates are ignored, because the certificate itself is
/// pinned; possession of its private key is checked as always.
#[derive(Debug)]
pub(crate) struct PinnedCertificates {
    pins: Vec<CertificateSha256>,
    provider: Arc<CryptoProvider>,
}

impl PinnedCertificates {
    pub(crate) const fn new(pins: Vec<CertificateSha256>, provider: Arc<CryptoProvider>) -> Self {
        Self { pins, provider }
    }
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
        let seen: CertificateSha256 = Sha256::digest(end_entity.as_ref()).into();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_people_write_it_and_nothing_else_is() {
        let seen = fingerprint(&"AB:".repeat(32)).unwrap();
        assert_eq!(fingerprint(&format!(" {}\n", "ab".repeat(32))), Some(seen));
        let text = UnpinnedCertificate { seen }.to_string();
        assert_eq!(fingerprint(&text), Some(seen));
        for wrong in [
            "",
            "ab",
            &"+a".repeat(32),
            &"é".repeat(32),
            &"ab".repeat(33),
        ] {
            assert_eq!(fingerprint(wrong), None, "{wrong}");
        }
    }
}
