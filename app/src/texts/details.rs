//! The model of a conversation, and what it costs.

pub(crate) const MORE_EFFORT_TAKES_MORE_TIME_AND_TOKENS: &str =
    "More effort takes more time and tokens.";
pub(crate) const THIS_MODEL_HAS_NO_EFFORT_SETTING: &str = "This model has no effort setting.";
pub(crate) const MODEL: &str = "Model";
pub(crate) const EFFORT: &str = "Effort";
pub(crate) const CHANGES_APPLY_FROM_YOUR_NEXT_MESSAGE: &str =
    "Changes apply from your next message.";
pub(crate) const SMART: &str = "smart";
pub(crate) const FAST: &str = "fast";
pub(crate) const USUAL: &str = "default";
pub(crate) const WINDOW_UNKNOWN: &str = "window unknown";
pub(crate) const PRICE_UNKNOWN: &str = "price unknown";

pub(crate) fn tokens_of_context(window: &str) -> String {
    format!("{window} tokens of context")
}

pub(crate) const CONTEXT_OF_THE_NEXT_REQUEST: &str = "Context of the next request";
pub(crate) const THIS_CONVERSATION: &str = "This conversation";
pub(crate) const TODAY_ALL_YOUR_CONVERSATIONS: &str = "Today, all your conversations";
pub(crate) const DAYS_START_AT_MIDNIGHT_UTC: &str = "Days start at midnight UTC.";
pub(crate) const TOKENS_MAY_BE_ESTIMATES: &str = "Token counts that the model's server leaves out are \
    estimates, and so are budgets on them.";
pub(crate) const NO_TOKENS_USED_YET: &str = "No tokens used yet.";
pub(crate) const SIZE: &str = "Size";
pub(crate) const CACHED: &str = "Cached";
pub(crate) const NOT_CACHED: &str = "Not cached";
pub(crate) const LAST_ANSWER: &str = "Last answer";
pub(crate) const SYSTEM_PROMPT_AND_TOOLS: &str = "System prompt and tools";
pub(crate) const UNKNOWN_ONLY_WHOLE_REQUESTS: &str =
    "unknown: the model’s server reports whole requests only";
pub(crate) const UNKNOWN_NO_KNOWN_PRICE: &str = "unknown: no known price";
pub(crate) const NOT_SET: &str = "not set";
pub(crate) const TOKENS: &str = "Tokens";
pub(crate) const COST: &str = "Cost";
pub(crate) const BUDGET: &str = "Budget";
pub(crate) fn model_sees_at_most(messages: u32) -> String {
    format!(
        "The model sees at most {messages} of your messages and final answers. When there are \
        more, or the window is nearly full, the older half is dropped at once."
    )
}

pub(crate) const ALL_VERSIONS: &str = "All versions";
pub(crate) const THEIR_COST: &str = "Cost of all versions";
pub(crate) const UNPRICED_COUNT_TOKENS_ONLY: &str =
    "calls without a known price count only their tokens";
pub(crate) const UNPRICED_CALLS: &str = "Unpriced calls";

pub(crate) fn about_of_the_window(total: &str, window: &str, percent: u64) -> String {
    format!("about {total} of {window} tokens, {percent} %")
}

pub(crate) fn about_tokens_window_size_unknown(total: &str) -> String {
    format!("about {total} tokens; window size unknown")
}

pub(crate) fn tokens(count: &str) -> String {
    format!("{count} tokens")
}

/// Returns `$1.00 or 100,000 tokens`.
pub(crate) fn either_limit(cost: &str, tokens: &str) -> String {
    format!("{cost} or {tokens}")
}

pub(crate) fn and_without_a_known_price(cost: &str, tokens: &str) -> String {
    format!("{cost}, and {tokens} without a known price")
}

pub(crate) const PLAN_MODE: &str = "Plan only";
pub(crate) const UNKNOWN_MODE: &str = "Unknown mode";
pub(crate) const MODE_IS_FIXED: &str = "The mode can't change after a conversation starts";
pub(crate) const PACKS_ARE_FIXED: &str = "Packs can't change after a conversation starts";
pub(crate) const MODEL_OF: &str = "Model: ";
pub(crate) const MODEL_AND_EFFORT: &str = "Model and effort";
pub(crate) const CONTEXT_EMPTY: &str = "Context empty";
pub(crate) const CONTEXT_TOKENS_COST_AND_BUDGETS: &str = "Context, tokens, cost and budgets";

pub(crate) fn model_and_effort(label: &str) -> String {
    format!("Model and effort: {label}")
}

pub(crate) fn context(percent: u64) -> String {
    format!("Context {percent} %")
}

pub(crate) fn context_tokens(tokens: &str) -> String {
    format!("Context {tokens} tokens")
}
