//! The reason that a certificate was refused, out of a client's error.

use std::{error::Error, io};

use rustls::{CertificateError, OtherError};

use crate::pins::UnpinnedCertificate;

/// Reason that a certificate was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateFault {
    /// It is none of the pinned ones; this is its SHA-256, as hexadecimal bytes with colons.
    NotPinned(String),
    Expired,
    NotValidYet,
    Revoked,
    /// No authority that is trusted here signed it.
    UnknownIssuer,
    /// It was issued for another name.
    OtherName,
    /// Its signature is not that of the authority that it names.
    BadSignature,
    /// It cannot be read.
    Damaged,
    /// Any other check.
    Other,
}

/// The reason that a certificate was refused, if that is the cause of an error.
#[must_use]
pub fn certificate_fault(error: &(dyn Error + 'static)) -> Option<CertificateFault> {
    let rustls::Error::InvalidCertificate(reason) = of_tls(error)? else {
        return None;
    };
    Some(match reason {
        CertificateError::Other(OtherError(inner)) if inner.is::<UnpinnedCertificate>() => {
            CertificateFault::NotPinned(inner.to_string())
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            CertificateFault::Expired
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            CertificateFault::NotValidYet
        }
        CertificateError::Revoked => CertificateFault::Revoked,
        CertificateError::UnknownIssuer => CertificateFault::UnknownIssuer,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            CertificateFault::OtherName
        }
        CertificateError::BadSignature => CertificateFault::BadSignature,
        CertificateError::BadEncoding => CertificateFault::Damaged,
        _ => CertificateFault::Other,
    })
}

/// True if TLS itself failed.
#[must_use]
pub fn is_of_tls(error: &(dyn Error + 'static)) -> bool {
    of_tls(error).is_some()
}

fn of_tls<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<rustls::Error>() {
            return Some(tls);
        }
        // `source` of an I/O error skips the error that it wraps.
        next = match error.downcast_ref::<io::Error>() {
            Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_found_however_deep_it_is_wrapped() {
        let refused = || rustls::Error::from(CertificateError::Expired);
        let wrapped = io::Error::other(io::Error::other(refused()));
        assert_eq!(certificate_fault(&wrapped), Some(CertificateFault::Expired));
        let alert = io::Error::other(rustls::Error::HandshakeNotComplete);
        assert!(is_of_tls(&alert) && certificate_fault(&alert).is_none());
        assert!(!is_of_tls(&io::Error::other("broken pipe")));
    }
}
