//! Names for the codes of the protocol.

pub(crate) const TOOL: &str = "Tool";
pub(crate) const GREEN: &str = "Green";
pub(crate) const YELLOW: &str = "Yellow";
pub(crate) const RED: &str = "Red";
pub(crate) const BLACK: &str = "Black";
pub(crate) const RUNS_AT_ONCE: &str = "runs at once";
pub(crate) const RUNS_AT_ONCE_AND_IS_RECORDED_PROMINENTLY: &str =
    "runs at once and is recorded prominently";
pub(crate) const WAITS_FOR_APPROVAL: &str = "waits for approval";
pub(crate) const NEVER_RUNS: &str = "never runs";
pub(crate) const NO_SUCH_TOOL: &str = "No such tool";
pub(crate) const INVALID_INPUT: &str = "Invalid input";
pub(crate) const NOT_AVAILABLE_IN_THIS_MODE: &str = "Not available in this mode";
pub(crate) const TIER_NOT_ALLOWED: &str = "Tier not allowed";
pub(crate) const NOT_PART_OF_THIS_CONVERSATION: &str = "Not part of this conversation";
pub(crate) const PROTECTED: &str = "Protected";
pub(crate) const KILL_SWITCH_IS_ON: &str = "Kill switch is on";
pub(crate) const NOT_ALLOWED_FOR_YOUR_ROLE: &str = "Not allowed for your role";
pub(crate) const NOT_OFFERED_FOR_APPROVAL: &str = "Not offered for approval";
pub(crate) const NOT_EXECUTED: &str = "Not executed";
pub(crate) const STEP_LIMIT_REACHED: &str = "Step limit reached";
pub(crate) const TOO_MANY_CALLS_AT_ONCE: &str = "Too many calls at once";
pub(crate) const ANSWER_CUT_OFF: &str = "Answer cut off";
pub(crate) const BLOCKED: &str = "Blocked";
pub(crate) const YOUR_WORDS: &str = "your words";
pub(crate) const THE_CONFIGURATION: &str = "the configuration";
pub(crate) const SUMMARY_OF_THE_SYSTEMS: &str = "summary of the systems";
pub(crate) const A_FILE_OR_QUOTED_TEXT: &str = "a file or quoted text";
pub(crate) const THE_PLAN: &str = "the plan";
pub(crate) const YOUR_WORDS_AS_SOMETHING_TO_LEAVE_ALONE: &str =
    "your words, as something to leave alone";
pub(crate) const SET_BY_A_PERSON: &str = "set by a person";
pub(crate) const THE_MODEL_ALONE: &str = "the model alone";
pub(crate) const AN_UNKNOWN_SOURCE: &str = "an unknown source";
pub(crate) const IT_TOOK_EFFECT: &str = "It took effect";
pub(crate) const IT_DID_NOT_TAKE_EFFECT: &str = "It did not take effect";
pub(crate) const STILL_UNKNOWN: &str = "Still unknown";
pub(crate) const PREPARING: &str = "Preparing";
pub(crate) const PROPOSED: &str = "Proposed";
pub(crate) const QUEUED: &str = "Queued";
pub(crate) const WAITING_FOR_YOU: &str = "Waiting for you";
pub(crate) const APPROVED: &str = "Approved";
pub(crate) const DENIED: &str = "Denied";
pub(crate) const EXPIRED: &str = "Expired";
pub(crate) const WITHDRAWN: &str = "Withdrawn";
pub(crate) const RUNNING: &str = "Running";
pub(crate) const DONE: &str = "Done";
pub(crate) const FAILED: &str = "Failed";
pub(crate) const CANCELLED: &str = "Cancelled";
pub(crate) const OUTCOME_UNKNOWN: &str = "Outcome unknown";
pub(crate) const NEVER_RAN: &str = "Never ran";
pub(crate) const ANSWERED: &str = "Answered";
pub(crate) const ANSWER_CUT_OFF_AT_ITS_LIMIT: &str = "Answer cut off at its limit";
pub(crate) const THE_MODEL_DECLINED_TO_ANSWER: &str = "The model declined to answer";
pub(crate) const STOPPED: &str = "Stopped";
pub(crate) const ENDED_AT_A_LIMIT: &str = "Ended at a limit";
pub(crate) const ENDED: &str = "Ended";
pub(crate) const GRAPH: &str = "Graph.";
pub(crate) const CODE_BLOCK: &str = "Code block.";

pub(crate) fn result_of(name: &str) -> String {
    format!("result of {name}")
}

pub(crate) fn refusal_of(name: &str) -> String {
    format!("refusal of {name}")
}

pub(crate) fn your_words_as(from: &str) -> String {
    format!("your words, as {from}")
}

pub(crate) fn failed(name: &str, message: &str) -> String {
    format!("{name} failed: {message}")
}

pub(crate) fn was_blocked(name: &str, message: &str) -> String {
    format!("{name} was blocked: {message}")
}

pub(crate) const LOW: &str = "low";
pub(crate) const MEDIUM: &str = "medium";
pub(crate) const HIGH: &str = "high";
pub(crate) const EXTRA_HIGH: &str = "extra high";
pub(crate) const MAX: &str = "max";
pub(crate) const UNKNOWN: &str = "unknown";
