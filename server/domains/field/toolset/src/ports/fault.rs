//! Failures of the ports. None of them holds a hidden value.

use protocol::{ErrorBody, ErrorCode};

use crate::texts::faults as say;

macro_rules! faults {
    ($($(#[$about:meta])* $code:ident = $word:literal, $sentence:ident, $group:ident, $help:expr;)*) => {
        /// Code of a failure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FieldFaultCode { $($(#[$about])* $code,)* }

        impl FieldFaultCode {
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// Stable word for logs, programs and tests.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$code => $word,)* }
            }

            const fn sentence(self) -> &'static str {
                match self { $(Self::$code => say::$sentence,)* }
            }

            const fn group(self) -> ErrorCode {
                match self { $(Self::$code => ErrorCode::$group,)* }
            }

            const fn help(self) -> Option<&'static str> {
                match self { $(Self::$code => $help,)* }
            }
        }
    };
}

faults! {
    UnknownDevice = "unknown_device", UNKNOWN_DEVICE, ToolFailed, Some(say::HELP_DEVICE);
    UnknownSite = "unknown_site", UNKNOWN_SITE, ToolFailed, None;
    UnknownBundle = "unknown_bundle", UNKNOWN_BUNDLE, ToolFailed, Some(say::HELP_BUNDLE);
    UnknownSection = "unknown_section", UNKNOWN_SECTION, ToolFailed, Some(say::HELP_SECTION);
    UnknownProposal = "unknown_proposal", UNKNOWN_PROPOSAL, ToolFailed, Some(say::HELP_PROPOSAL);
    UnknownRun = "unknown_run", UNKNOWN_RUN, ToolFailed, Some(say::HELP_RUN);
    UnknownEnrolment = "unknown_enrolment", UNKNOWN_ENROLMENT, ToolFailed, None;
    /// A device used the enrolment, so there is nothing to withdraw.
    EnrolmentUsed = "enrolment_used", ENROLMENT_USED, ToolFailed, Some(say::HELP_ENROLMENT_USED);
    /// The standing of the device cannot change like that.
    OtherStanding = "other_standing", OTHER_STANDING, ToolFailed, Some(say::HELP_READ_AGAIN);
    /// The outcome of the run is known.
    NotUnknown = "not_unknown", NOT_UNKNOWN, ToolFailed, None;
    /// A person said before what was the case.
    AlreadyResolved = "already_resolved", ALREADY_RESOLVED, ToolFailed, None;
    /// The proposal has a newer version than the one that the change was made from.
    NewerVersion = "newer_version", NEWER_VERSION, ToolFailed, Some(say::HELP_NEWER_VERSION);
    NotAdopted = "not_adopted", NOT_ADOPTED, ToolFailed, Some(say::HELP_ADOPT);
    /// The device has another key than the one in the order.
    OtherKey = "other_key", OTHER_KEY, ToolFailed, Some(say::HELP_READ_AGAIN);
    /// The device's sandboxes cannot enforce the order.
    CannotEnforce = "cannot_enforce", CANNOT_ENFORCE, ToolFailed, Some(say::HELP_ENFORCE);
    /// The policy is another one than the one that judged the order.
    OtherPolicy = "other_policy", OTHER_POLICY, ToolFailed, Some(say::HELP_CHECK_AGAIN);
    /// High risk takes the names of two persons.
    OnePerson = "one_person", ONE_PERSON, ToolPermission, Some(say::HELP_TWO_PERSONS);
    KillSwitch = "kill_switch", KILL_SWITCH, ToolPermission, None;
    NotAllowed = "not_allowed", NOT_ALLOWED, ToolPermission, None;
    QueueFull = "queue_full", QUEUE_FULL, ToolFailed, Some(say::HELP_QUEUE);
    TooMuch = "too_much", TOO_MUCH, ToolFailed, None;
    /// No key can sign now.
    NoKey = "no_key", NO_KEY, ToolFailed, Some(say::HELP_KEYS);
    /// The storage failed, or its data is damaged.
    Storage = "storage", STORAGE, ToolFailed, Some(say::HELP_LOG);
}

/// A failure, for people and the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", code.word())]
pub struct FieldFault {
    pub code: FieldFaultCode,
    /// More for the log alone. Not a value that is hidden.
    pub detail: String,
}

impl FieldFault {
    pub fn new(code: FieldFaultCode) -> Self {
        Self::with(code, String::new())
    }

    /// A failure with a detail for the log.
    pub fn with(code: FieldFaultCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { code, detail }
    }
}

impl From<FieldFaultCode> for FieldFault {
    fn from(code: FieldFaultCode) -> Self {
        Self::new(code)
    }
}

impl From<FieldFault> for ErrorBody {
    fn from(fault: FieldFault) -> Self {
        // The detail stays here: nobody has checked that it is fit for a model.
        if !fault.detail.is_empty() {
            tracing::warn!(code = fault.code.word(), detail = %fault.detail, "a call on field devices failed");
        }
        let body = Self::new(fault.code.group(), fault.code.sentence());
        match fault.code.help() {
            Some(help) => body.with_help(help),
            None => body,
        }
    }
}

/// The reason why tokens cannot be replaced by values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreRefusal {
    /// No value of the site has this token: it was invented, or planted in a text.
    #[error("{}", say::no_such_value(token))]
    Unknown { token: String },
    #[error("{}", say::value_of_another_site(token))]
    OtherSite { token: String },
    /// There is no such site, or its values are not read yet.
    #[error("{}", say::VALUES_NOT_READ)]
    NotRead,
}
