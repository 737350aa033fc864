//! Sentences for people, and for models elsewhere.

pub(crate) const OUTCOME_UNKNOWN: &str =
    "The call may have taken effect. Its outcome is not known; do not repeat it.";

pub(crate) const STOPPED_BEFORE: &str = "The call was stopped before it did anything.";

pub(crate) const RESULT_NOT_READABLE: &str = "This version cannot read the result.";

pub(crate) const DENIED: &str = "A person denied the request. The call did not run.";

pub(crate) fn denied_with(comment: &str) -> String {
    format!("{DENIED} Comment: {comment}")
}

pub(crate) const EXPIRED: &str = "The request expired without a decision. The call did not run.";

pub(crate) const WITHDRAWN: &str = "The request was withdrawn. The call did not run.";

pub(crate) fn waits(page: &str, call: &str, tool: &str) -> String {
    format!(
        "The call has not run: it waits for a person, who decides at {page}. Show them this address. \
         Only they can decide; calling again asks again. Then read the outcome with {tool}, \
         {{\"call\": \"{call}\"}}."
    )
}

pub(crate) fn runs(call: &str, tool: &str) -> String {
    format!(
        "The call has begun and has not ended. Do not repeat it; read its outcome with {tool}, \
         {{\"call\": \"{call}\"}}."
    )
}

pub(crate) const OUTCOME_TOOL_DESCRIPTION: &str = "Reads the outcome of an earlier call of these \
    tools: its result, that it still runs, or that it waits for a person and at which address they \
    decide. Changes nothing. Takes the name of the call from the earlier answer.";

pub(crate) const NAME_OF_CALL: &str =
    "The name of the call, such as cnv_01HF7YAT0004HMASW9NF6YY093.";

pub(crate) const SECONDS_TO_WAIT: &str =
    "Seconds to wait for the outcome if there is none yet. 0 by default.";
