//! The refusals of the device's checks, each with its code.

use crate::{
    clock::ClockFault,
    envelope::EnvelopeRefusal,
    manifest::ManifestError,
    policy::VetoRefusal,
    script::{FreeScriptRefusal, PayloadError},
    sequence::SeenBefore,
    strict::StrictError,
    texts,
};

/// The check that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdmissionRefusal {
    #[error(transparent)]
    Form(#[from] StrictError),
    #[error(transparent)]
    Envelope(#[from] EnvelopeRefusal),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{}", texts::admission::device(field))]
    Device { field: &'static str },
    #[error("{0}")]
    Clock(ClockFault),
    #[error("{}", texts::admission::with_clock(texts::admission::ROOT_EXPIRED, clock.map(|it| it.to_string())))]
    RootExpired { clock: Option<ClockFault> },
    #[error("{}", texts::admission::with_clock(texts::admission::NOT_YET, clock.map(|it| it.to_string())))]
    NotYet { clock: Option<ClockFault> },
    #[error("{}", texts::admission::with_clock(texts::admission::EXPIRED, clock.map(|it| it.to_string())))]
    Expired { clock: Option<ClockFault> },
    #[error("{}", seen(*.0))]
    Seen(SeenBefore),
    #[error("{}", texts::admission::PAYLOAD_DIGEST)]
    PayloadDigest,
    #[error("{}", texts::admission::PAYLOAD_TEXT)]
    PayloadText,
    #[error(transparent)]
    Payload(#[from] PayloadError),
    #[error(transparent)]
    FreeScript(#[from] FreeScriptRefusal),
    /// The manifest says less than the script does.
    #[error("{}", texts::admission::contradiction(field))]
    Contradiction { field: &'static str },
    #[error("{}", texts::admission::sandbox(field))]
    Sandbox { field: &'static str },
    #[error(transparent)]
    Veto(#[from] VetoRefusal),
    #[error("{}", texts::admission::CLAIM)]
    Claim,
}

impl AdmissionRefusal {
    /// Stable code, for logs and for the server.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Form(StrictError::TooLarge { .. }) => "package_too_large",
            Self::Form(_) => "package_form",
            Self::Envelope(EnvelopeRefusal::Type) => "package_type",
            Self::Envelope(EnvelopeRefusal::Base64) => "package_base64",
            Self::Envelope(EnvelopeRefusal::UnknownKey { .. }) => "key_unknown",
            Self::Envelope(EnvelopeRefusal::Threshold { .. }) => "key_threshold",
            Self::Envelope(EnvelopeRefusal::Repeated) => "key_repeated",
            Self::Envelope(_) => "signature",
            Self::Manifest(ManifestError::Form(_)) => "manifest_form",
            Self::Manifest(ManifestError::Field(_)) => "manifest_field",
            Self::Device { .. } => "other_device",
            Self::Clock(_) => "clock",
            Self::RootExpired { clock: Some(_) }
            | Self::NotYet { clock: Some(_) }
            | Self::Expired { clock: Some(_) } => "time_and_clock",
            Self::RootExpired { .. } => "root_expired",
            Self::NotYet { .. } => "not_yet",
            Self::Expired { .. } => "expired",
            Self::Seen(SeenBefore::Sequence) => "old_sequence",
            Self::Seen(SeenBefore::Nonce) => "replayed",
            Self::PayloadDigest => "payload_digest",
            Self::PayloadText | Self::Payload(_) | Self::FreeScript(_) => "payload_form",
            Self::Contradiction { .. } => "contradiction",
            Self::Sandbox { .. } => "sandbox",
            Self::Veto(_) => "veto",
            Self::Claim => "other_claim",
        }
    }
}

fn seen(before: SeenBefore) -> &'static str {
    match before {
        SeenBefore::Sequence => texts::admission::OLD_SEQUENCE,
        SeenBefore::Nonce => texts::admission::REPLAYED,
    }
}
