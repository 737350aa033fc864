//! Refusals and failures: one shape, with a stable code and one line of help.

use std::fmt;

use field_tables::FieldTablesError;

use crate::texts::devices as texts;

/// Class of a refusal. HTTP has a status for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalClass {
    /// 400: never repeated as it is.
    Malformed,
    /// 401: a new session is needed.
    NoSession,
    /// 403: a person has to act first.
    Forbidden,
    /// 404.
    NotFound,
    /// 409: something else is right now.
    Conflict,
    /// 410: over for good.
    Gone,
    /// 413: never repeated as it is.
    TooLarge,
    /// 426: the runner is too old.
    Outdated,
    /// 429: the same request later.
    TooMany,
    /// 503: the same request later.
    Failed,
}

impl RefusalClass {
    /// The status of HTTP.
    pub fn status(self) -> u16 {
        match self {
            Self::Malformed => 400,
            Self::NoSession => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Conflict => 409,
            Self::Gone => 410,
            Self::TooLarge => 413,
            Self::Outdated => 426,
            Self::TooMany => 429,
            Self::Failed => 503,
        }
    }
}

/// A request that was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchRefusal {
    pub class: RefusalClass,
    /// Stable, for programs.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Advice for whoever made the request.
    pub help: &'static str,
    /// The offset to go on from, if that is what was wrong.
    pub right: Option<u64>,
}

impl DispatchRefusal {
    pub(crate) fn new(
        class: RefusalClass,
        code: &'static str,
        message: impl Into<String>,
        help: &'static str,
    ) -> Self {
        Self {
            class,
            code,
            message: message.into(),
            help,
            right: None,
        }
    }

    /// A member of a request that is not valid.
    pub(crate) fn member(member: &str) -> Self {
        let message = texts::bad_member(member);
        Self::new(
            RefusalClass::Malformed,
            "bad_request",
            message,
            texts::REPORT_HELP,
        )
    }

    pub(crate) fn too_large(what: &str, most: u64) -> Self {
        let message = texts::too_large(what, most);
        Self::new(
            RefusalClass::TooLarge,
            "too_large",
            message,
            texts::REPORT_HELP,
        )
    }

    pub(crate) fn not_found() -> Self {
        let class = RefusalClass::NotFound;
        Self::new(class, "not_found", texts::NOT_FOUND, texts::NOT_FOUND_HELP)
    }

    /// The server's own trouble: the log has the reason, the answer does not.
    pub(crate) fn failed(reason: &dyn fmt::Display) -> Self {
        tracing::error!(%reason, "a request of a field device failed");
        let class = RefusalClass::Failed;
        Self::new(class, "failed", texts::FAILED, texts::FAILED_HELP)
    }

    pub(crate) fn go_on_from(mut self, offset: u64) -> Self {
        self.right = Some(offset);
        self
    }
}

impl fmt::Display for DispatchRefusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for DispatchRefusal {}

impl From<FieldTablesError> for DispatchRefusal {
    fn from(error: FieldTablesError) -> Self {
        match error {
            FieldTablesError::NotFound => Self::not_found(),
            FieldTablesError::TooLarge { what, most } => Self::too_large(what, most as u64),
            FieldTablesError::TooMany { what, most } => Self::new(
                RefusalClass::TooMany,
                "too_many",
                texts::too_many(what, most),
                texts::REPEAT_HELP,
            ),
            error @ (FieldTablesError::Damaged(_) | FieldTablesError::Database(_)) => {
                Self::failed(&error)
            }
        }
    }
}
