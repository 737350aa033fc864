//! Errors of the ERP: those of the setup, and the kinds of refusals, each assigned in one place.

use std::{path::PathBuf, time::Duration};

use protocol::{ErrorBody, ErrorCode};

use crate::texts::{self, refusals as say};

/// Reason that a connection could not be set up. No request has been made.
#[derive(Debug, thiserror::Error)]
pub enum ErpSetupError {
    /// A value of the configuration is invalid.
    #[error("{field} {message}")]
    Config {
        field: &'static str,
        message: String,
    },
    /// The CA file cannot be read.
    #[error("ca_file {path}: {source}", path = path.display())]
    CaFile {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Certificate verification cannot be set up.
    #[error("certificates cannot be checked: {0}")]
    Tls(#[from] rustls::Error),
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be built: {0}")]
    Http(#[from] reqwest::Error),
}

impl ErpSetupError {
    pub(crate) fn config(field: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Config { field, message }
    }
}

/// Reason that a request failed. Cheap to clone, because readers share answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ErpError {
    /// The site answered, and refused.
    Refused(ErpRefusal),
    /// No connection; nothing was done.
    Unreachable { site: String, cause: String },
    /// The certificate is not trusted; nothing was sent.
    Untrusted { site: String, cause: String },
    /// No answer in time.
    Timeout { site: String, after: Duration },
    /// The answer is none of Frappe's.
    Unusable { site: String, cause: String },
    /// Refused here, before anything was sent.
    Own(ErrorBody),
}

/// A refusal by the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErpRefusal {
    pub(crate) kind: RefusalKind,
    /// The site's own words without markup, shortened: hostile text.
    pub(crate) messages: Vec<String>,
    /// In seconds, where the site says so.
    pub(crate) retry_after: Option<u64>,
}

macro_rules! kinds {
    ($($kind:ident = $code:literal, $sentence:ident, $group:ident, $help:expr;)*) => {
        /// Kind of refusal, from status and `exc_type`, never from text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum RefusalKind { $($kind,)* }

        impl RefusalKind {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Stable code for logs and tests.
            pub(crate) const fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }

            pub(crate) const fn sentence(self) -> &'static str {
                match self { $(Self::$kind => say::$sentence,)* }
            }

            const fn error_code(self) -> ErrorCode {
                match self { $(Self::$kind => ErrorCode::$group,)* }
            }

            const fn help(self) -> Option<&'static str> {
                match self { $(Self::$kind => $help,)* }
            }
        }
    };
}

kinds! {
    Authentication = "authentication", AUTHENTICATION, ToolPermission, Some(say::HELP_KEY);
    SessionExpired = "session_expired", SESSION_EXPIRED, ToolPermission, Some(say::HELP_KEY);
    Csrf = "csrf", CSRF, ToolPermission, Some(say::HELP_KEY);
    OwnKey = "own_key", OWN_KEY, ToolPermission, Some(say::HELP_OWN_KEY);
    Permission = "permission", PERMISSION, ToolPermission, Some(say::HELP_RIGHT);
    NotFound = "not_found", NOT_FOUND, ToolFailed, Some(say::HELP_NAME);
    Duplicate = "duplicate", DUPLICATE, ToolFailed, None;
    Mandatory = "mandatory", MANDATORY, ToolInputInvalid, Some(say::HELP_FIELDS);
    Link = "link", LINK, ToolInputInvalid, Some(say::HELP_NAME);
    CancelledLink = "cancelled_link", CANCELLED_LINK, ToolInputInvalid, Some(say::HELP_NAME);
    Stale = "stale", STALE, ToolFailed, Some(say::HELP_READ_AGAIN);
    NotUnique = "not_unique", NOT_UNIQUE, ToolInputInvalid, None;
    Linked = "linked", LINKED, ToolFailed, None;
    Docstatus = "docstatus", DOCSTATUS, ToolFailed, Some(say::HELP_READ_AGAIN);
    AfterSubmit = "after_submit", AFTER_SUBMIT, ToolInputInvalid, None;
    Constant = "constant", CONSTANT, ToolInputInvalid, None;
    Locked = "locked", LOCKED, ToolFailed, Some(say::HELP_LATER);
    Negative = "negative", NEGATIVE, ToolInputInvalid, None;
    QueryField = "query_field", QUERY_FIELD, ToolInputInvalid, Some(say::HELP_FIELDS);
    Argument = "argument", ARGUMENT, ToolInputInvalid, None;
    Workflow = "workflow", WORKFLOW, ToolFailed, Some(say::HELP_READ_AGAIN);
    NegativeStock = "negative_stock", NEGATIVE_STOCK, ToolFailed, None;
    OverAllowance = "over_allowance", OVER_ALLOWANCE, ToolFailed, None;
    Period = "period", PERIOD, ToolFailed, None;
    Budget = "budget", BUDGET, ToolFailed, None;
    Invalid = "invalid", INVALID, ToolFailed, None;
    RateLimited = "rate_limited", RATE_LIMITED, ToolFailed, Some(say::HELP_LATER);
    Maintenance = "maintenance", MAINTENANCE, ToolUnreachable, Some(say::HELP_LATER);
    Busy = "busy", BUSY, ToolUnreachable, Some(say::HELP_LATER);
    LinkExpired = "link_expired", LINK_EXPIRED, ToolFailed, None;
    MediaType = "media_type", MEDIA_TYPE, ToolFailed, None;
    Deadlock = "deadlock", DEADLOCK, ToolFailed, Some(say::HELP_LATER);
    QueryTimeout = "query_timeout", QUERY_TIMEOUT, ToolTimeout, Some(texts::client::TIMEOUT_HELP);
    Failed = "failed", FAILED, ToolFailed, Some(say::HELP_LOG);
    Gateway = "gateway", GATEWAY, ToolUnreachable, Some(say::HELP_LATER);
    Unexpected = "unexpected", UNEXPECTED, ToolFailed, None;
}

impl RefusalKind {
    /// The kind of an answer above 399.
    pub(crate) fn of(status: u16, exc_type: Option<&str>) -> Self {
        // The names are the exceptions of Frappe and ERPNext that their clients see.
        if let Some(kind) = exc_type.and_then(Self::of_exception) {
            return kind;
        }
        match status {
            401 => Self::Authentication,
            403 => Self::Permission,
            404 => Self::NotFound,
            409 => Self::Duplicate,
            410 => Self::LinkExpired,
            415 => Self::MediaType,
            400 | 417 => Self::Invalid,
            429 => Self::RateLimited,
            503 => Self::Maintenance,
            508 => Self::Deadlock,
            502 | 504 => Self::Gateway,
            500 => Self::Failed,
            _ => Self::Unexpected,
        }
    }

    fn of_exception(name: &str) -> Option<Self> {
        Some(match name {
            "AuthenticationError" => Self::Authentication,
            "SessionExpired" => Self::SessionExpired,
            "CSRFTokenError" => Self::Csrf,
            "PermissionError" => Self::Permission,
            "DoesNotExistError" | "PageDoesNotExistError" => Self::NotFound,
            "DuplicateEntryError" | "NameError" => Self::Duplicate,
            "MandatoryError" => Self::Mandatory,
            "LinkValidationError" => Self::Link,
            "CancelledLinkError" => Self::CancelledLink,
            "TimestampMismatchError" => Self::Stale,
            "UniqueValidationError" => Self::NotUnique,
            "LinkExistsError" => Self::Linked,
            "DocstatusTransitionError" => Self::Docstatus,
            "UpdateAfterSubmitError" => Self::AfterSubmit,
            "CannotChangeConstantError" => Self::Constant,
            "DocumentLockedError" => Self::Locked,
            "NonNegativeError" => Self::Negative,
            "DataError" => Self::QueryField,
            "FrappeTypeError" => Self::Argument,
            "WorkflowTransitionError" | "WorkflowPermissionError" | "WorkflowStateError" => {
                Self::Workflow
            }
            "NegativeStockError" => Self::NegativeStock,
            "OverAllowanceError" => Self::OverAllowance,
            "ClosedAccountingPeriod" | "FiscalYearError" => Self::Period,
            "BudgetError" => Self::Budget,
            "ValidationError" => Self::Invalid,
            "TooManyRequestsError" | "RateLimitExceededError" => Self::RateLimited,
            "SessionStopped" | "InReadOnlyMode" => Self::Maintenance,
            "QueueOverloaded" => Self::Busy,
            "LinkExpired" => Self::LinkExpired,
            "UnsupportedMediaType" => Self::MediaType,
            "QueryDeadlockError" => Self::Deadlock,
            "QueryTimeoutError" => Self::QueryTimeout,
            _ => return None,
        })
    }
}

impl ErpError {
    /// An error of ours about the input.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Own(ErrorBody::new(ErrorCode::ToolInputInvalid, message))
    }

    /// The kind, if the site refused.
    pub(crate) fn kind(&self) -> Option<RefusalKind> {
        match self {
            Self::Refused(refusal) => Some(refusal.kind),
            _ => None,
        }
    }

    /// The error for people and the model.
    pub(crate) fn body(&self) -> ErrorBody {
        match self {
            Self::Own(body) => body.clone(),
            Self::Refused(refusal) => refusal.body(),
            Self::Unreachable { site, cause } => {
                let message = texts::client::unreachable(site, cause);
                ErrorBody::new(ErrorCode::ToolUnreachable, message)
                    .with_help(texts::client::UNREACHABLE_HELP)
            }
            Self::Untrusted { site, cause } => {
                let message = texts::client::untrusted(site, cause);
                ErrorBody::new(ErrorCode::ToolUnreachable, message)
                    .with_help(texts::client::UNTRUSTED_HELP)
            }
            Self::Timeout { site, after } => {
                let message = texts::client::timeout(site, after.as_millis());
                ErrorBody::new(ErrorCode::ToolTimeout, message)
                    .with_help(texts::client::TIMEOUT_HELP)
            }
            Self::Unusable { site, cause } => {
                let message = texts::client::unusable(site, cause);
                ErrorBody::new(ErrorCode::ToolFailed, message)
            }
        }
    }

    /// The error in a few words, as the reason for an unknown value.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Refused(refusal) => refusal.kind.sentence().trim_end_matches('.').to_owned(),
            other => other.body().message.trim_end_matches('.').to_owned(),
        }
    }
}

impl From<ErpError> for ErrorBody {
    fn from(error: ErpError) -> Self {
        error.body()
    }
}

impl ErpRefusal {
    fn body(&self) -> ErrorBody {
        let mut message = self.kind.sentence().to_owned();
        if let Some(seconds) = self.retry_after {
            message = say::retry_after(&message, seconds);
        }
        if !self.messages.is_empty() {
            message = say::with_words(&message, &self.messages.join(" · "));
        }
        let body = ErrorBody::new(self.kind.error_code(), message);
        match self.kind.help() {
            Some(help) => body.with_help(help),
            None => body,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_kind_has_a_code_and_one_sentence() {
        let codes: BTreeSet<_> = RefusalKind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), RefusalKind::ALL.len());
        let sentences: BTreeSet<_> = RefusalKind::ALL.iter().map(|it| it.sentence()).collect();
        assert_eq!(sentences.len(), RefusalKind::ALL.len());
        for sentence in sentences {
            assert!(sentence.ends_with('.') && sentence.matches(". ").count() == 0);
        }
    }
}
