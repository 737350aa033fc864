//! Calls of tools, in the transcript.

pub(crate) const USED_UP: &str = "Used up";
pub(crate) const EXPIRED: &str = "Expired";
pub(crate) const REVOKE: &str = "Revoke";

pub(crate) fn active_grants(count: usize) -> String {
    match count {
        0 => "No active grants".to_owned(),
        1 => "1 active grant".to_owned(),
        count => format!("{count} active grants"),
    }
}

pub(crate) fn given_and_used(by: &str, used: u32, uses: u32) -> String {
    format!("Given by {by} · used {used} of {uses}")
}

pub(crate) fn revoked_by(by: &str) -> String {
    format!("Revoked by {by}")
}

pub(crate) fn revoke(name: &str) -> String {
    format!("Revoke: {name}")
}

pub(crate) const NO_FURTHER_DETAILS: &str = "No further details.";
pub(crate) const ACCORDING_TO_A_CHECK: &str = "according to a check";
pub(crate) const CHECK_AGAIN: &str = "Check again";
pub(crate) const MARK_AS_DONE: &str = "Mark as done";
pub(crate) const MARK_AS_NOT_DONE: &str = "Mark as not done";
pub(crate) const SEE_ITS_RESULT_IN: &str = "See its result in ";
pub(crate) const THE_ORIGINAL_BRANCH: &str = "the original branch";
pub(crate) const THIS_RAN_BEFORE_THE_BRANCH_WAS_MADE: &str =
    "This ran before the branch was made. ";
pub(crate) const OUTCOME: &str = "Outcome";

pub(crate) fn reported_by(by: &str) -> String {
    format!("reported by {by}")
}

pub(crate) fn said_by(what: &str, by: &str) -> String {
    format!("{what}, {by}.")
}

pub(crate) fn said_by_with_more(what: &str, by: &str, more: &str) -> String {
    format!("{what}, {by}: {more}")
}

pub(crate) const COPY_THE_IDENTIFIER: &str = "Copy the identifier";

pub(crate) const CONTINUES_FROM: &str = "Continues from ";
pub(crate) const AN_EARLIER_CONVERSATION: &str = "an earlier conversation";
pub(crate) const CONTINUED_IN: &str = "Continued in ";
pub(crate) const ANOTHER_CONVERSATION: &str = "another conversation";
pub(crate) const PLAN: &str = "Plan";
pub(crate) const PLANS_HAVE_NO_TOOLS: &str = " No tools: nothing is looked up or changed here.";
pub(crate) const THIS_PAGE_CANT_SHOW_THIS_MODE: &str =
    "This page is out of date and can't show this mode. Reload it.";
pub(crate) const CARRY_OUT_THE_PLAN: &str = "Carry out the plan.";
pub(crate) const RUN_THE_PLAN: &str = "Run the plan";

pub(crate) const RUNNING: &str = "running…";
pub(crate) const PREPARING: &str = "preparing…";

/// Returns `Looking at 3 things`.
pub(crate) fn looking_at(things: usize) -> String {
    match things {
        1 => "Looking at 1 thing".to_owned(),
        things => format!("Looking at {things} things"),
    }
}

pub(crate) fn looked_at(things: usize) -> String {
    match things {
        1 => "Looked at 1 thing".to_owned(),
        things => format!("Looked at {things} things"),
    }
}

pub(crate) fn preparing_calls(preparing: usize) -> String {
    format!("Preparing {preparing} calls…")
}

/// `looked`: such as `Looking at 3 things`.
pub(crate) fn and_more_to_come(looked: &str, more: usize) -> String {
    format!("{looked}, preparing {more} more…")
}

pub(crate) const RUNNING_NOW: &str = "Running…";
pub(crate) const PREPARING_THE_CALL: &str = "Preparing the call…";
pub(crate) const ABOUT_TO_RUN: &str = "About to run…";
pub(crate) const WAITING_FOR_EARLIER_CALLS: &str = "Waiting for earlier calls.";
pub(crate) const WAITING_FOR_YOUR_DECISION: &str = "Waiting for your decision.";
pub(crate) const APPROVED_ABOUT_TO_RUN: &str = "Approved; about to run.";
pub(crate) const DENIED_IT_DID_NOT_RUN: &str = "Denied. Not run.";
pub(crate) const EXPIRED_IT_DID_NOT_RUN: &str = "Expired without a decision; it did not run.";
pub(crate) const WITHDRAWN_IT_DID_NOT_RUN: &str = "Withdrawn; it did not run.";
pub(crate) const CANCELLED_BEFORE_IT_DID_ANYTHING: &str = "Cancelled before it did anything.";
pub(crate) const OUTCOME_IS_UNKNOWN: &str =
    "It may have taken effect. It won't run again automatically.";
pub(crate) const CUT_OFF_IT_NEVER_RAN: &str =
    "The answer was cut off before the call was complete, so it never ran.";
pub(crate) const NO_INPUT: &str = "No input.";
pub(crate) const INPUT: &str = "Input";
pub(crate) const RESULT: &str = "Result";
pub(crate) const WAITING_FOR_AN_OPEN_PAGE: &str = "Waiting for an open page that can show it.";
pub(crate) const TAKE_OVER: &str = "Take over";
pub(crate) const SHOWN_IN_ANOTHER_TAB: &str = "Shown in another tab.";

pub(crate) fn ran_under_a_standing_grant(by: Option<&str>) -> String {
    match by {
        Some(by) => format!("Ran under a standing grant given by {by}"),
        None => "Ran under a standing grant".to_owned(),
    }
}

pub(crate) const REQUEST_ID: &str = "Request ID";
pub(crate) const COPY_REQUEST_ID: &str = "Copy the request ID";
pub(crate) const DECISION_ID: &str = "Decision ID";
pub(crate) const COPY_DECISION_ID: &str = "Copy the decision ID";
pub(crate) const MODEL_REQUEST_ID: &str = "Model request ID";
pub(crate) const COPY_MODEL_REQUEST_ID: &str = "Copy the model request ID";
pub(crate) const NO_REQUEST_ID: &str = "No request ID was recorded.";

/// The name of the tier follows.
pub(crate) const TIER: &str = "Tier ";

pub(crate) fn tier(name: &str, meaning: &str) -> String {
    format!("Tier {name}: {meaning}")
}
