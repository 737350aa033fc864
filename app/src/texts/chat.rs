//! A conversation: messages, composer, turns.

pub(crate) const WAITING_FOR_THE_MODEL: &str = "Waiting for the model";
pub(crate) const JARVIS_IS_THINKING: &str = "Jarvis is thinking";
pub(crate) const JARVIS_IS_ANSWERING: &str = "Jarvis is answering";
pub(crate) const JARVIS_NEEDS_YOUR_DECISION: &str = "Jarvis needs your decision";
pub(crate) const JARVIS_IS_RUNNING_A_TOOL: &str = "Jarvis is running a tool";

pub(crate) const WITHDRAW_AND_SEND_NOW: &str = "Withdraw and send now";
pub(crate) const STOP_AND_SEND_NOW: &str = "Stop and send now";
pub(crate) const AFTER_THIS_TURN: &str = "After this turn";
pub(crate) const AT_THE_NEXT_STEP: &str = "At the next step";
pub(crate) const SEND_AFTER_THIS_TURN: &str = "Send after this turn";
pub(crate) const SEND: &str = "Send";
pub(crate) const MESSAGE: &str = "Message";
pub(crate) const ASK_JARVIS: &str = "Ask Jarvis…";
pub(crate) const SENDS_WHEN_THE_FILES_ARE_ATTACHED: &str = "Sends when the files are attached";
pub(crate) const SAVE_AS_PROMPT: &str = "Save as prompt";
pub(crate) const STOPPING: &str = "Stopping…";
pub(crate) const STOP: &str = "Stop";
pub(crate) const ATTACHED_TO_THE_MESSAGE: &str = "Attached to the message";
pub(crate) const THIS_PAGE_IS_ATTACHED_TO_EVERY_MESSAGE: &str =
    "This page is attached to every message";
pub(crate) const WHEN_TO_SEND: &str = "When to send";
/// A line breaks between two keys, not between a key and what it does.
pub(crate) const KEYS_OF_THE_FIELD: &str =
    "Enter\u{a0}sends · Shift+Enter\u{a0}starts a new line · /\u{a0}commands · @\u{a0}things";

pub(crate) fn remove(label: &str) -> String {
    format!("Remove {label}")
}

pub(crate) fn message_over_the_limit(size: &str, limit: &str) -> String {
    format!("This message is {size}; the limit is {limit}. Shorten it or send it in parts.")
}

pub(crate) fn used_of_the_limit(written: &str, limit: &str) -> String {
    format!("{written} of {limit} used.")
}

pub(crate) fn enter_sends_after_this_turn_withdraws(stop: &str) -> String {
    format!("Enter sends after this turn · {stop} withdraws the request")
}

pub(crate) fn enter_sends_after_this_turn_stops(stop: &str) -> String {
    format!("Enter sends after this turn · {stop} stops it")
}

pub(crate) const NO_SYSTEMS_CONNECTED: &str =
    "No systems connected: Jarvis knows only what you write and attach.";
pub(crate) const ASK_ABOUT_YOUR_SYSTEMS: &str = "Ask about your systems in plain words. Jarvis reads their real state and shows what it \
    read.";
pub(crate) const ASK_ABOUT_THE_PAGE_BESIDE: &str = "Ask about the page beside this chat. Jarvis reads its data and shows there what it \
    finds.";
pub(crate) const AT_YOUR_SERVICE: &str = "At your service.";
pub(crate) const EXAMPLE_QUESTIONS: &str = "Example questions";
pub(crate) const PACKS_OF_THIS_CONVERSATION: &str = "Packs for this conversation";
pub(crate) const PLAN_FIRST: &str = "Plan first";
pub(crate) const PLANS_HAVE_NO_TOOLS: &str = " without tools: nothing is looked up or changed.";

pub(crate) const OLDER_MESSAGES_ARE_SHOWN_ABOVE: &str = "Older messages are shown above.";
pub(crate) const SHOW_OLDER_MESSAGES: &str = "Show older messages";
pub(crate) const SHOW_NEWER_MESSAGES: &str = "Show newer messages";

pub(crate) const SENDING: &str = "Sending…";
pub(crate) const WAITING_FOR_THE_CONNECTION: &str = "Waiting for the connection";
pub(crate) const YOU: &str = "You";
pub(crate) const SEND_AGAIN: &str = "Send again";
pub(crate) const EDIT: &str = "Edit";

pub(crate) const WAITING_MESSAGES: &str = "Waiting messages";
pub(crate) const NEXT: &str = "Next";
pub(crate) const WITHDRAW_THE_FILES: &str = "Withdraw the files";
pub(crate) const WITHDRAW: &str = "Withdraw";
pub(crate) const WITH_FILES: &str = "with ";

pub(crate) fn withdraw(text: &str) -> String {
    format!("Withdraw “{text}”")
}

pub(crate) const INTERRUPTED_THIS_TEXT_IS_INCOMPLETE: &str =
    "Interrupted: this text is incomplete.";
pub(crate) const COPY_THE_ANSWER: &str = "Copy the answer";

pub(crate) const THINKING: &str = "Thinking…";
pub(crate) const THOUGHT: &str = "Thought";

pub(crate) fn thought_for(took: &str) -> String {
    format!("Thought for {took}")
}

pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const RUN_AGAIN_AND_KEEP_THIS_ANSWER: &str =
    "Run the message again; this answer is kept as another version";
pub(crate) const REGENERATE: &str = "Regenerate";
pub(crate) const TIME_TOKENS_AND_COST: &str =
    "Time without waits for your decision; opens tokens and cost";
pub(crate) const TIME_WITHOUT_WAITS: &str = "Time without waits for a decision";
pub(crate) const COST_UNKNOWN: &str = "cost unknown";
pub(crate) const TOKENS_THAT_THE_MODEL_READ: &str = "Tokens that the model read";
pub(crate) const TOKENS_THAT_THE_MODEL_WROTE: &str = "Tokens that the model wrote";
pub(crate) const COST_OF_THIS_TURN: &str = "Cost of this turn";

/// Returns `1,240 in (1,024 cached)`.
pub(crate) fn tokens_in(count: &str, cached: Option<&str>) -> String {
    match cached {
        Some(cached) => format!("{count} in ({cached} cached)"),
        None => format!("{count} in"),
    }
}

pub(crate) fn tokens_out(count: &str) -> String {
    format!("{count} out")
}

/// Follows tokens that are an estimate.
pub(crate) const ESTIMATED: &str = ", estimated";

pub(crate) const STOPPING_ACTIONS_MAY_FINISH: &str =
    "Stopping. Actions already running may finish and will be recorded.";
pub(crate) const THE_MODEL_IS_OVERLOADED: &str = "The model is overloaded";
pub(crate) const THE_MODEL_IS_LIMITING_REQUESTS: &str = "The model is limiting requests";
pub(crate) const NO_CONNECTION_TO_THE_MODEL: &str = "No connection to the model";
pub(crate) const THE_MODEL_STOPPED_RESPONDING: &str = "The model stopped responding";

pub(crate) fn retrying_in_s(reason: &str, seconds: u64) -> String {
    format!("{reason}; retrying in {seconds} s")
}

pub(crate) fn retrying(reason: &str) -> String {
    format!("{reason}; retrying…")
}

pub(crate) const USER: &str = "User";
pub(crate) const EDIT_AND_RUN_AGAIN: &str = "Edit and run again";
pub(crate) const EDIT_THIS_MESSAGE_AND_RUN_IT_AGAIN: &str = "Edit this message and run it again";
pub(crate) const READ_DURING_THE_TURN: &str = "Read during the turn";
pub(crate) const COPY_YOUR_MESSAGE: &str = "Copy your message";

pub(crate) const IMPORTED_IS_READ_ONLY: &str =
    "Imported conversation – read-only. You can read and export it, but not reply. ";
pub(crate) const START_A_NEW_CONVERSATION: &str = "Start a new conversation";
pub(crate) const NEW_CONVERSATION: &str = "New conversation";
pub(crate) const TOKENS_AND_COST_OF_THIS_VERSION: &str =
    "Tokens and cost of this version of the conversation";
pub(crate) const MORE_OF_THIS_CONVERSATION: &str = "Export, tokens and cost";
pub(crate) const MARKDOWN: &str = "Markdown";
pub(crate) const LET_OTHERS_READ_THIS_CONVERSATION: &str = "Let others read this conversation";
pub(crate) const SHARE: &str = "Share";
pub(crate) const CONVERSATION: &str = "Conversation";
pub(crate) const NEW_TEXT: &str = "New text";
pub(crate) const GO_TO_THE_END: &str = "Go to the end";

pub(crate) fn export_as(name: &str) -> String {
    format!("Export as {name}")
}

pub(crate) fn tokens_and_cost(tokens: &str, cost: &str) -> String {
    format!("{tokens} tokens · {cost}")
}
