//! Sentences for people: turns, calls and their outcomes.

/// The title of a call that a person makes without a model.
pub(crate) const YOUR_OWN_CALL: &str = "Your own call";

/// The title of one that a program relays.
pub(crate) const A_PROGRAMS_CALL: &str = "A program's call";

pub(crate) const NOT_AN_IMAGE: &str = "It is no image.";

pub(crate) const LOOKING_TOOK_TOO_LONG: &str = "Looking took too long.";

pub(crate) const LOOKING_FAILED: &str = "Looking failed.";

pub(crate) const READING_TARGET_FAILED: &str =
    "Reading the target failed because of a server fault; the server's log has the details.";

pub(crate) fn target_did_not_answer(seconds: u64) -> String {
    format!("The target did not answer within {seconds} s.")
}

pub(crate) fn tool_did_not_finish(seconds: f32) -> String {
    format!("The tool did not finish within {seconds} s.")
}

pub(crate) const TOOL_FAILED: &str =
    "The tool failed because of a server fault; the server's log has the details.";

pub(crate) const NO_SUCH_PAGE_IS_OPEN: &str = "no page that shows it is open";

pub(crate) const PAGE_DID_NOT_ANSWER: &str = "the open page did not answer in time";

pub(crate) fn saved_not_yet_shown(why: &str) -> String {
    format!("Saved, not yet shown: {why}.")
}

pub(crate) const AND_NOT_YET_SHOWN: &str = "; not yet shown";

pub(crate) const NO_PAGE_COULD_DO_THIS: &str = "No page is open that could do this.";

pub(crate) const OPEN_PAGE_DID_NOT_ANSWER: &str = "The open page did not answer in time.";

pub(crate) const TARGET_IS_BEING_CHECKED: &str =
    "The target is being checked; try again in a moment.";

pub(crate) const TOOL_NO_LONGER_EXISTS: &str = "The tool no longer exists.";

pub(crate) const TOOL_HAS_CHANGED: &str =
    "The tool's definition changed while the target was read; try again in a moment.";

pub(crate) fn it_took_effect(summary: &str) -> String {
    format!("It took effect: {summary}")
}

pub(crate) fn it_ended_with_error(message: &str) -> String {
    format!("It ended with an error: {message}")
}

pub(crate) fn it_had_no_effect(why: &str) -> String {
    format!("It did not take effect: {why}")
}

pub(crate) fn still_unknown(known: &str) -> String {
    format!("Still unknown. {known}")
}

pub(crate) const IT_TOOK_EFFECT: &str = "It took effect.";

pub(crate) const IT_HAD_NO_EFFECT: &str = "It did not take effect.";

pub(crate) const FAULT_DURING_ANSWER: &str = "A fault of the server while the model answered.";

pub(crate) const ANSWER_ENDED_EARLY: &str = "The model's answer ended early.";

pub(crate) const IMAGES_COULD_NOT_BE_READ: &str = "The images could not be read.";

pub(crate) fn stopped_without_effect(why: &str) -> String {
    format!("The server stopped while this ran, and it did not take effect: {why}")
}

pub(crate) fn stopped_while_running(known: &str) -> String {
    format!("The server stopped while this ran. {known}")
}

pub(crate) const OUTCOME_CANNOT_BE_CHECKED: &str = "The outcome can't be checked automatically.";

pub(crate) const CALL_OF_UNKNOWN_OUTCOME: &str = "the one whose outcome was unknown";

pub(crate) const SERVER: &str = "the server";

pub(crate) fn too_many_in_one_answer(most: u32) -> String {
    format!(
        "Not run: one answer may ask for {most} calls at most, and this comes after them. Ask for \
         fewer at once."
    )
}

pub(crate) fn too_many_waiting(most: u32) -> String {
    format!(
        "Not asked: {most} calls of this conversation wait for a person already. Ask again when \
         they are decided, or for less."
    )
}

pub(crate) const CALL_BEFORE_FAILED: &str =
    "Not executed: a call before it failed, or its outcome is unknown.";

pub(crate) const ANSWER_WAS_CUT: &str = "Not run: the answer was cut, so that this call may be incomplete. Ask again, with a shorter \
     answer.";

pub(crate) const NO_CALLS_LEFT: &str = "Not run: this turn has used up its tool calls.";

pub(crate) const CANCELLED_BY_USER: &str = "cancelled by the user";

pub(crate) const SERVER_STOPPED: &str = "The server stopped while this ran.";

pub(crate) const EFFECT_IS_UNKNOWN: &str = "Whether it took effect is unknown. Do not assume either; say so, and look before anything is \
     done again.";

pub(crate) const DENIED: &str = "The operator denied this call. It did not run.";

pub(crate) const NOT_DECIDED_IN_TIME: &str =
    "The request expired without a decision. It did not run.";

pub(crate) const WITHDRAWN: &str = "The operator went on without deciding. It did not run.";

pub(crate) const CONVERSATION_IS_TOO_LONG: &str =
    "The conversation is longer than the model can read.";

pub(crate) const START_NEW_CONVERSATION: &str = "Start a new conversation.";

pub(crate) const NO_ANSWER: &str = "The model gave no answer.";

pub(crate) const TRY_AGAIN: &str = "Try again.";

pub(crate) const ANSWER_BROKE_OFF: &str = "The model's answer broke off.";

pub(crate) const INTERRUPTED_TOO_OFTEN: &str =
    "The server was interrupted too often during this step.";

pub(crate) const LOOK_AT_LOG: &str = "Look at the server's log, then try again.";

pub(crate) fn steps_are_used_up(steps: u32) -> String {
    format!("The turn used up its {steps} steps and answered from what it had.")
}

pub(crate) const CONTINUE_TO_KEEP_GOING: &str = "Continue to let it keep going.";

pub(crate) const FILES_WITHOUT_WORDS: &str = "(Files without words.)";
