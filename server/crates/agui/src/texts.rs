//! Sentences for people.

/// In place of a message without any text.
pub(crate) const PART_LEFT_OUT: &str = "[A part that is not text was left out.]";

pub(crate) const OUTCOME_UNKNOWN: &str =
    "The call may have taken effect. Its outcome is not known; do not repeat it.";

pub(crate) const STOPPED_BEFORE: &str = "The call was stopped before it did anything.";

pub(crate) const RESULT_NOT_READABLE: &str = "This version cannot read the result.";

pub(crate) const DENIED: &str = "The request was denied. The call did not run.";

pub(crate) fn denied_with(comment: &str) -> String {
    format!("{DENIED} Comment: {comment}")
}

pub(crate) const EXPIRED: &str = "The request expired without a decision. The call did not run.";

pub(crate) const WITHDRAWN: &str = "The request was withdrawn. The call did not run.";

pub(crate) const APPROVED: &str = "True to run exactly what was shown, false to deny it.";

pub(crate) const DIGEST: &str = "The digest of the card that was shown.";

pub(crate) const EDITED_ARGS: &str =
    "The complete new input. It is not an approval: the changed call is asked for again.";

pub(crate) const COMMENT: &str = "With a denial: the reason, which the model reads.";
