//! Cards that wait for a decision.

pub(crate) const CHECK_IT_AGAIN: &str = " Check it again.";
pub(crate) const WAITING_FOR_ANOTHER_APPROVER: &str = "Waiting for another approver";
pub(crate) const WAITING_FOR_YOUR_DECISION: &str = "Waiting for your decision";
pub(crate) const ASKER_CAN_ONLY_DENY: &str =
    "You can deny it; another operator or admin can approve it.";
pub(crate) const YOU_SEE_ONLY_THIS_REQUEST: &str =
    "You see only this request, not the conversation.";

pub(crate) fn applies_only_to_this_request(digest: &str) -> String {
    format!("Approval applies only to this exact request ({digest}).")
}

pub(crate) const CURRENT_TARGET_STATE: &str = "Current target state";
pub(crate) const STATE: &str = "state";
pub(crate) const INPUT_WITH_ITS_SOURCES: &str = "input with its sources";
pub(crate) const REASON: &str = "reason";
pub(crate) const OPTIONS_ONLY_YOU_CAN_SET: &str = "options only you can set";
pub(crate) const DETAILS: &str = "Details ";
pub(crate) const EXPIRED: &str = "expired";
pub(crate) const LESS_THAN_A_MINUTE_LEFT_TO_DECIDE: &str = "Less than a minute left to decide.";
pub(crate) const OPTIONS_ONLY_YOU_CAN_SET_HEADING: &str = "Options only you can set";
pub(crate) const REVIEW_ALL: &str = "Review all";
pub(crate) const REVIEW: &str = "Review";

pub(crate) fn place_of_waiting(place: usize, waiting: usize) -> String {
    format!(" · {place} of {waiting}")
}

pub(crate) fn requests_need_your_decision(count: usize) -> String {
    match count {
        1 => "1 request needs your decision.".to_owned(),
        count => format!("{count} requests need your decision."),
    }
}

pub(crate) const KEEP_HOLDING: &str = "Keep holding…";
pub(crate) const HOLD_TO_APPROVE: &str = "Hold to approve";
pub(crate) const APPROVE: &str = "Approve";
pub(crate) const HOLD_FOR_A_SECOND: &str = "Hold the button for one second.";
pub(crate) const TYPE: &str = "Type ";
pub(crate) const TO_APPROVE: &str = " to approve";

pub(crate) const DONT_RUN: &str = "Don't run";
pub(crate) const DENY: &str = "Deny";
pub(crate) const COMMENT_FOR_JARVIS_IF_YOU_DENY: &str = "Comment for Jarvis, if you deny";
pub(crate) const TELL_JARVIS_WHY_OPTIONAL: &str = "Tell Jarvis why (optional)";

pub(crate) const EDIT_THE_INPUT: &str = "Edit the input";
pub(crate) const NOTHING_WAS_CHANGED: &str = "Nothing was changed.";
pub(crate) const PREVIEW_THE_RESULT: &str = "Preview the result";
pub(crate) const DISCARD: &str = "Discard";

pub(crate) fn has_the_wrong_type(label: &str) -> String {
    format!("{label} has the wrong type.")
}

pub(crate) const FIFTEEN_MINUTES: &str = "15 minutes";
pub(crate) const ONE_HOUR: &str = "1 hour";
pub(crate) const EIGHT_HOURS: &str = "8 hours";
pub(crate) const TWENTY_FOUR_HOURS: &str = "24 hours";
pub(crate) const ALLOW_THIS_AGAIN_WITHOUT_ASKING: &str = "Allow this again without asking";
pub(crate) const TIMES: &str = "Times ";
pub(crate) const WITHIN: &str = "within ";

pub(crate) fn minutes(count: i64) -> String {
    match count {
        1 => "1 minute".to_owned(),
        count => format!("{count} minutes"),
    }
}

pub(crate) fn grant_in_words(uses: u32, until: &str) -> String {
    let times = match uses {
        1 => "once more".to_owned(),
        uses => format!("{uses} more times"),
    };
    format!(
        "In this conversation only, exactly this call with exactly this input runs {times} \
    without asking, until {until} at the latest. You can revoke this at any time."
    )
}

pub(crate) const ASKING_THE_SERVER: &str = "Asking the server…";
pub(crate) const THIS_REQUEST_HAS_EXPIRED: &str = "This request has expired.";
pub(crate) const NO_CONNECTION_TO_THE_SERVER: &str =
    "No connection to the server: you can't approve now.";
pub(crate) const TAB_IS_HIDDEN: &str = "You can't approve while this tab is hidden.";
pub(crate) const ASKER_CANNOT_APPROVE: &str =
    "You made this request, so another operator must approve it.";
pub(crate) const FINISH_OR_DISCARD_YOUR_CHANGE_FIRST: &str = "Finish or discard your change first.";
pub(crate) const THIS_PAGE_CANT_SHOW_THIS_APPROVAL: &str =
    "This page is out of date and can't show this approval. Reload, or deny the request.";
pub(crate) const READ_FROM_THE_BEGINNING: &str = "Read it from the beginning first.";
pub(crate) const READ_TO_THE_END: &str = "Scroll to the end of the card first.";
pub(crate) const ONE_MOMENT: &str = "One moment: the card has to stand still.";

pub(crate) fn type_to_approve(word: &str) -> String {
    format!("Type “{word}” to approve.")
}

pub(crate) const ANOTHER_OPERATOR_MUST_APPROVE_THIS: &str = "Another operator must approve this.";
pub(crate) const FROM: &str = "from ";
pub(crate) const INPUT: &str = "Input";
pub(crate) const ORIGINAL_VALUES: &str = "Original values";
pub(crate) const NONE: &str = "None.";

/// Formats the name of a value by what it is in: `items, row 1: rate`.
pub(crate) fn inside(around: &str, name: &str) -> String {
    match around {
        "" => name.to_owned(),
        _ => format!("{around}: {name}"),
    }
}

/// Formats the name of a row of a list: `items, row 1`.
pub(crate) fn row(list: &str, row: &str) -> String {
    match list {
        "" | "rows" => format!("row {row}"),
        _ => format!("{list}, row {row}"),
    }
}

pub(crate) const REASON_IN_JARVISS_OWN_WORDS: &str = "Reason in Jarvis’s own words";
pub(crate) const APPROVED: &str = "Approved";
pub(crate) const DENIED: &str = "Denied";
pub(crate) const EXPIRED_WITHOUT_A_DECISION: &str = "Expired without a decision";
pub(crate) const WITHDRAWN: &str = "Withdrawn";

/// Returns `Approved by Tom`.
pub(crate) fn decided_by(decision: &str, by: &str) -> String {
    format!("{decision} by {by}")
}

/// The way of approving; it follows the name of the person.
pub(crate) const BY_PRESSING: &str = ", by pressing";
pub(crate) const BY_HOLDING: &str = ", by holding";
pub(crate) const BY_TYPING_THE_WORD: &str = ", by typing the word";

pub(crate) const REQUEST: &str = "Request";
pub(crate) const TARGET_STATE_THEN: &str = "Target state then";
/// The digest is between.
pub(crate) const APPLIED_ONLY_TO_THIS_REQUEST: [&str; 2] = ["Applied only to this request (", ")"];

pub(crate) fn made_this_request_and_cant_approve(asker: &str) -> String {
    format!("{asker} made this request and can't approve it alone.")
}

pub(crate) fn with_comment(who: &str, comment: &str) -> String {
    format!("{who}: “{comment}”")
}

pub(crate) const PART_CANNOT_BE_SHOWN: &str =
    "A part of this request can't be shown here. Reload the page.";
pub(crate) const REMOVED: &str = "removed: ";
pub(crate) const ADDED: &str = "added: ";

pub(crate) const CANT_BE_UNDONE: &str = "Can't be undone";
pub(crate) const AT_STAKE: &str = "At stake";

pub(crate) fn risk_in_line(line: u32) -> String {
    format!("Line {line}: ")
}
