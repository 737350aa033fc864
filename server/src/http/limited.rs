//! The refusal of what exceeds a quota that comes again.

use std::time::Duration;

use protocol::{ErrorBody, ErrorCode};

use crate::texts;

/// A quota is used up for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Limited {
    pub(crate) error: ErrorBody,
    /// Time until there is enough of it again.
    pub(crate) wait: Duration,
}

impl Limited {
    pub(super) fn new(message: &str, wait: Duration) -> Self {
        let seconds = wait.as_secs().saturating_add(1);
        let error = ErrorBody::new(ErrorCode::RateLimited, message);
        Self {
            error: error.with_help(texts::http::try_again_in(seconds)),
            wait,
        }
    }
}

impl From<Limited> for ErrorBody {
    fn from(limited: Limited) -> Self {
        limited.error
    }
}
