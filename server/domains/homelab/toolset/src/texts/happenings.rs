//! Sentences of the homelab for people: outcomes of tasks in the feed.

pub(crate) const DONE_WITH_WARNINGS: &str = "done, with warnings";

pub(crate) fn outcome_unknown(reason: &str) -> String {
    format!("outcome unknown: {reason}")
}
