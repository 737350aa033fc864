//! Short texts for the reason of a refusal and the token behind a decision.

use protocol::{BlockedReason, DecidedVia};

pub(super) fn why(reason: BlockedReason) -> &'static str {
    match reason {
        BlockedReason::UnknownTool => "no such tool",
        BlockedReason::InvalidInput => "the input does not fit",
        BlockedReason::Mode => "the conversation is a plan",
        BlockedReason::Tier => "the tier is not allowed",
        BlockedReason::NotAllowed => "the tool is not allowed here",
        BlockedReason::StepLimit => "the turn has used up its steps",
        BlockedReason::CallLimit => "too many calls at once",
        BlockedReason::Protected => "the target is protected",
        BlockedReason::KillSwitch => "the kill switch is on",
        BlockedReason::Role => "the role does not include it",
        // Its target could not be read, or has nothing to change: the call itself says which.
        BlockedReason::NotVerified => "it could not be offered for approval",
        BlockedReason::NotExecuted => "a call before it failed",
        BlockedReason::Truncated => "the answer was cut",
        BlockedReason::Unknown => "the gate refused it",
    }
}

/// The token behind a person's decision. A session is the person's own, and is in the chain alone.
pub(super) fn with_token(via: Option<&DecidedVia>) -> String {
    match via {
        Some(DecidedVia::Token { id }) => format!(" with the token {id}"),
        Some(DecidedVia::Session { .. } | DecidedVia::Unknown) | None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_changes_nothing_is_not_called_undetermined() {
        // The start of something that runs already: its effect is known.
        let said = why(BlockedReason::NotVerified);
        assert_eq!(said, "it could not be offered for approval");
    }
}
