//! Sentences of failures and of the trials: findings for people, and questions for the model.

use std::time::Duration;

use agent::ports::ModelErrorKind;

pub(crate) const SPEND_LIMIT_REACHED: &str = "A spend limit of the account is reached";
pub(crate) const MALFORMED_LIST: &str = "The list of models is malformed.";

/// Without its full stop: a detail may follow.
pub(crate) fn of_failure(kind: ModelErrorKind) -> &'static str {
    match kind {
        ModelErrorKind::Authentication => "The model's server refused the key",
        ModelErrorKind::Permission => {
            "The account of the key may not use this model, or has no credit"
        }
        ModelErrorKind::NotFound => "The model does not exist, or has been retired",
        ModelErrorKind::Address => "The model's base URL is wrong",
        ModelErrorKind::RateLimited => "The model's server asks to slow down",
        ModelErrorKind::Overloaded => "The model is overloaded",
        ModelErrorKind::Unreachable => "There is no connection to the model's server",
        ModelErrorKind::Timeout => "The model's server fell silent",
        ModelErrorKind::ContextOverflow => "The conversation is longer than the model can read",
        ModelErrorKind::InvalidRequest => "The model's server refused the request as invalid",
        ModelErrorKind::Protocol => "The model's answer broke the protocol or ended early",
        ModelErrorKind::Failed => "The model's server failed",
    }
}

pub(crate) fn with_detail(sentence: &str, detail: &str) -> String {
    if detail.is_empty() {
        format!("{sentence}.")
    } else {
        format!("{sentence}: {detail}.")
    }
}

pub(crate) fn again_after(message: &str, date: &str) -> String {
    format!("{message} Try again after {date}.")
}

pub(crate) const OK: &str = "ok";
pub(crate) const DIFFERS: &str = "differs";
pub(crate) const NOT_TRIED: &str = "not tried";
pub(crate) const UNUSABLE: &str = "unusable";

pub(crate) const HEAD: [&str; 5] = ["result", "trial", "time", "tokens", "finding"];

pub(crate) const LIMITS: &str = "limits";
pub(crate) const STREAMING: &str = "streaming";
pub(crate) const USAGE: &str = "usage";
pub(crate) const STOP_REASONS: &str = "stop reasons";
pub(crate) const TOOL_CALL: &str = "tool call";
pub(crate) const TOOL_RESULT: &str = "tool result";
pub(crate) const FAILED_CALL: &str = "failed call";
pub(crate) const PARALLEL_CALLS: &str = "parallel calls";
pub(crate) const NO_CALLS: &str = "no more calls";
pub(crate) const THINKING: &str = "thinking";
pub(crate) const IMAGES: &str = "images";
pub(crate) const CACHING: &str = "caching";

pub(crate) const SYSTEM: &str =
    "This is a test of a connection. Do exactly what is asked, and answer in few words.";
pub(crate) const COUNT: &str = "Count from one to twenty in words.";
pub(crate) const READ_NORTH: &str = "Use the tool to read the dial \"north\".";
pub(crate) const READ_BOTH: &str =
    "Use the tool to read the dials \"north\" and \"south\". Make both calls in one answer.";
pub(crate) const SAY_READING: &str =
    "Give the reading as a number. If it could not be read, answer FAILED.";
pub(crate) const DESCRIPTION: &str = "Reads a dial. The result is the number that it shows.";
pub(crate) const OUT_OF_ORDER: &str = "The dial is out of order.";
pub(crate) const COLOUR: &str = "Name the colour of this square in one word.";
pub(crate) const LONG_PREFIX: &str = "The dials of this test are read by hand. ";

pub(crate) const NO_ANSWER: &str = "The model does not answer.";
pub(crate) const EMPTY_ANSWER: &str = "The answer is empty.";
pub(crate) const ONE_PIECE: &str = "The answer comes in one piece, at its end.";
pub(crate) const NO_LIST: &str = "the server lists no models";
pub(crate) const NO_USAGE: &str =
    "The server leaves it out: budgets and the context meter miss these tokens.";
pub(crate) const STOPS: &str = "Finished and cut answers say so.";
pub(crate) const NO_CUT: &str = "An answer that was cut at its limit does not say so.";
pub(crate) const NO_END: &str = "A finished answer does not say so.";
pub(crate) const CALLED: &str = "It calls the tool with the right input.";
pub(crate) const NO_CALL: &str = "There was no call to answer.";
pub(crate) const INPUT_CUT: &str = "The input of the call is not JSON.";
pub(crate) const CALLS_WITHOUT_STOP: &str =
    "The answer has a call, but its stop reason says that it is finished: no call would run.";
pub(crate) const READ: &str = "It reads the result.";
pub(crate) const FAILURE_SEEN: &str = "It notices that the call failed.";
pub(crate) const ONE_CALL: &str = "One call per answer: works, but takes more steps.";
pub(crate) const SAME_IDS: &str = "Several calls have the same id.";
pub(crate) const NO_CALLS_KEPT: &str = "It makes no call when calls are forbidden.";
pub(crate) const CALLS_ANYWAY: &str =
    "It calls a tool although calls are forbidden. Jarvis refuses such calls.";
pub(crate) const NO_THINKING: &str = "No thinking came with the answers.";
pub(crate) const THINKING_SENT: &str = "Thinking is sent back and accepted.";
pub(crate) const THINKING_NOT_SENT: &str = "Thinking has no signature, so it is not sent back.";
pub(crate) const THINKING_REFUSED: &str = "Thinking is sent back, and no answer came to it.";
pub(crate) const SEEN: &str = "It sees images.";
pub(crate) const NO_CACHE_MARKS: &str =
    "This profile sends no cache marks; local servers keep prefixes on their own.";
pub(crate) const NOT_CACHED: &str = "A repeated prefix is not read from a cache.";

pub(crate) fn too_slow(patience: Duration) -> String {
    format!("No result within {} s.", patience.as_secs())
}

pub(crate) fn listed(count: usize) -> String {
    format!("the server lists {count} models")
}

pub(crate) fn not_listed(count: usize) -> String {
    format!("The server lists {count} models, and this one is not among them.")
}

pub(crate) fn limits(window: u64, output: Option<u32>, list: &str) -> String {
    match output {
        Some(output) => format!("{window} tokens of context, {output} of output; {list}."),
        None => format!("{window} tokens of context; {list}."),
    }
}

pub(crate) fn no_limits(list: &str) -> String {
    format!(
        "The context length is unknown; set context_window in [models.\"ID\"] of jarvis.toml ({list})."
    )
}

pub(crate) fn pieces(count: usize, first: Duration) -> String {
    format!("{count} pieces, the first after {} ms.", first.as_millis())
}

pub(crate) fn usage(input: u64, output: u64) -> String {
    format!("{input} tokens read, {output} written.")
}

pub(crate) fn estimated(input: u64, output: u64) -> String {
    format!("The server leaves it out. Jarvis estimates {input} tokens read, {output} written.")
}

pub(crate) fn no_call(said: &str) -> String {
    format!("It does not call the tool. It says: {said}")
}

pub(crate) fn other_call(input: &str) -> String {
    format!("It calls with another input: {input}")
}

pub(crate) fn not_read(said: &str) -> String {
    format!("It does not repeat the result. It says: {said}")
}

pub(crate) fn failure_not_seen(said: &str) -> String {
    format!("It does not notice that the call failed. It says: {said}")
}

pub(crate) fn calls(count: usize) -> String {
    format!("{count} calls in one answer.")
}

pub(crate) fn images_refused(why: &str) -> String {
    format!("Images are refused: {why}")
}

pub(crate) fn not_seen(said: &str) -> String {
    format!("It accepts an image and does not see it. It says: {said}")
}

pub(crate) fn cached(tokens: u64) -> String {
    format!("{tokens} tokens of a repeated prefix were read from the cache.")
}
