//! Sentences of `/api/v1`: refusals of requests, and the descriptions of its operations.

use std::fmt::Display;

use axum::http::StatusCode;

/// Returns code and message of an error that has none of its own.
pub(crate) fn of_status(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::UNAUTHORIZED => ("not_signed_in", super::http::NOT_SIGNED_IN),
        StatusCode::FORBIDDEN => ("forbidden", "This request is not allowed."),
        StatusCode::NOT_FOUND => ("not_found", "There is nothing at this address."),
        StatusCode::METHOD_NOT_ALLOWED => (
            "method_not_allowed",
            "This address doesn't have this method.",
        ),
        StatusCode::REQUEST_TIMEOUT => ("request_timeout", super::http::REQUEST_TOOK_TOO_LONG),
        StatusCode::CONFLICT => ("conflict", "This is not possible as things are now."),
        StatusCode::PAYLOAD_TOO_LARGE => ("body_too_large", super::http::REQUEST_IS_TOO_LARGE),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ("unsupported_media_type", JSON_ONLY),
        StatusCode::UNPROCESSABLE_ENTITY => ("body_invalid", "The body does not fit."),
        StatusCode::TOO_MANY_REQUESTS => ("rate_limited", "Too many requests in a short time."),
        StatusCode::SERVICE_UNAVAILABLE => ("unavailable", "The server can't do this now."),
        status if status.is_server_error() => ("internal", "The server failed."),
        _ => ("malformed", "The request can't be read."),
    }
}

pub(crate) const JSON_ONLY: &str = "The body must be JSON.";

pub(crate) const NAME_THE_TYPE: &str = "Send it with Content-Type: application/json.";

pub(crate) fn no_json(error: &impl Display) -> String {
    format!("The body is not JSON: {error}.")
}

pub(crate) fn body_does_not_fit(error: &impl Display) -> String {
    format!("The body does not fit: {error}.")
}

pub(crate) const NO_OBJECT: &str = "an object is expected";

pub(crate) const BODY_BROKE_OFF: &str = "The body arrived incomplete.";

pub(crate) fn domain_is_off(name: &str) -> String {
    format!("This server runs without the domain {name}.")
}

pub(crate) const SEE_DOMAINS: &str = "Domains are chosen in jarvis.toml, with [domains] and their own \
     sections; /api/v1/openapi.json describes all that there are.";

pub(crate) const SEE_OPENAPI: &str = "GET /api/v1/openapi.json describes all requests.";

pub(crate) fn query_does_not_fit(error: &impl Display) -> String {
    format!("The query does not fit: {error}.")
}

pub(crate) const UNKNOWN_MODE: &str = "The mode is either default or plan.";

pub(crate) fn no_such_toolset(name: &str) -> String {
    format!("There is no toolset {name:?} here.")
}

pub(crate) const NO_TOOLSETS_CHOSEN: &str =
    "Name at least one toolset; a conversation without tools has the mode plan.";

pub(crate) const CURSOR_INVALID: &str = "This cursor is not one of this list.";

pub(crate) const START_OVER: &str = "Start again without a cursor.";

pub(crate) fn page_size(most: usize) -> String {
    format!("A page has from 1 to {most} entries.")
}

pub(crate) const KEY_INVALID: &str =
    "The Idempotency-Key is not a single word of ASCII characters.";

pub(crate) fn key_length(most: usize) -> String {
    format!("Use a random one, of at most {most} characters.")
}

pub(crate) const KEY_REUSED: &str = "This Idempotency-Key came with another request before.";

pub(crate) const TAKE_ANOTHER_KEY: &str = "Use a new key for each new request.";

pub(crate) const STILL_RUNNING: &str = "The same request is being carried out.";

pub(crate) const REQUEST_NOT_KEPT: &str = "The server could not save the request.";

pub(crate) const LAST_EVENT_ID_INVALID: &str = "Last-Event-ID is not the number of an event.";

pub(crate) const DEVICE_UNKNOWN: &str = "Only a device with a valid credential can use this.";

pub(crate) const DEVICE_NOT_LOOKED_UP: &str = "The device could not be looked up.";

pub(crate) const NOTHING_RUNS: &str = "Nothing is running in this conversation.";

pub(crate) const ANALYSIS_IS_ABOUT_NOTHING: &str = "`about` names nothing";

pub(crate) fn no_such_thing(kind: &str, id: &str) -> String {
    format!("There is no {kind} {id}.")
}

pub(crate) const THINGS_ARE_APART: &str =
    "These things belong to different sites or systems and can't be in one conversation.";

pub(crate) const ONE_ANALYSIS_EACH: &str = "Start an analysis for each of them.";

pub(crate) const NO_ANALYSIS: &str = "This conversation is not an analysis.";

pub(crate) const ANALYSIS_HAS_NO_ANSWER: &str = "The analysis has no answer to propose from.";

pub(crate) const START_AN_ANALYSIS: &str = "Start one with POST /api/v1/ai/analyses.";

pub(crate) const ANALYSIS_IS_RUNNING: &str = "The analysis has not ended yet.";

pub(crate) const FOLLOW_IT_FIRST: &str = "Follow its events to the end, then try again.";

pub(crate) const SERVER_ONLY_PLANS: &str =
    "This server runs in plan mode, in which no conversation has tools to propose a script with.";

pub(crate) const NO_SUCH_SCRIPT: &str = "Script not found.";

pub(crate) const NO_SUCH_CONFIRMATION: &str = "Confirmation not found.";

pub(crate) const MORE_THAN_A_PRESS: &str =
    "This request can be decided only on its page: it needs more than one press.";

pub(crate) fn decide_on_page(page: &str) -> String {
    format!("Decide on the page: {page}")
}

pub(crate) const COMMENT_OF_APPROVAL: &str = "only a denial has a comment";

pub(crate) fn no_such_filter(word: &str) -> String {
    format!("There is no kind or tier {word:?}.")
}

pub(crate) const NO_SUCH_RUN: &str = "Run not found.";

/// The first message of a script for which the program gives none: these are the person's words.
pub(crate) const PROPOSE_A_SCRIPT: &str =
    "Propose a script that decides between these suspicions, and ask to run it.";

pub(crate) const TITLE: &str = "Jarvis";

pub(crate) const ABOUT: &str = "The interface of Jarvis for programs. Send a token of Settings, API \
     tokens, as `Authorization: Bearer`. What a token may do is its role, its toolsets and its right to \
     decide; the gate decides on each call of a tool, as on the pages. `RateLimit-Policy` and `RateLimit` of \
     each answer have the user's quotas and what is left of them. Times are in milliseconds since \
     1970-01-01 UTC. Fields, kinds of events and codes are added; skip those that you do not know. \
     Addresses of a domain that a server does not have are answered with 404.";

pub(crate) const ERROR: &str =
    "The request was refused or failed. 429 has Retry-After; 401 asks for a token.";

pub(crate) const EVENT: &str = "One event of the journal. `seq` counts from 1 without gaps. The other \
     members depend on `type`; kinds and members are added.";

pub(crate) const CARD: &str = "A card as the pages show it. Approving runs exactly this `input`. \
     `assurance` is what an approval takes: only one of the type `press` can be decided here. Members are \
     added.";

pub(crate) const RUN_INPUT: &str = "The input of the tool, by its schema in listTools.";

pub(crate) const RUN_DATA: &str = "The result of the tool; null if there is none.";

pub(crate) const TOOL_INPUT: &str = "The JSON Schema of the tool's input, which is closed.";

pub(crate) const FEED_ENTRY: &str = "One entry of the feed. Something in progress is a single entry, \
     which changes until it has ended. Kinds and members are added.";

pub(crate) const CONVERSATION_ID: &str = "The identifier of the conversation.";

pub(crate) const IDEMPOTENCY_KEY: &str = "A random word of your own for this request. Sent again with \
     the same key within 24 hours it has no second effect and gets the same answer; with another body \
     it is refused with 422.";

pub(crate) const CURSOR: &str = "`next` of the page before; none for the first page.";

pub(crate) const LIMIT: &str =
    "Number of entries, 50 by default. A page can have more: pinned ones, and ties.";

pub(crate) const LAST_EVENT_ID: &str =
    "The `id` of the last event that arrived; the stream goes on after it.";

pub(crate) const AFTER: &str = "The same for a first connection, such as `head` of what was read.";

pub(crate) const LIST_CONVERSATIONS: &str = "Lists the conversations of the token's user.";

pub(crate) const START_CONVERSATION: &str = "Starts a conversation with its first message.";

pub(crate) const READ_CONVERSATION: &str = "Reads the newest turns of a conversation.";

pub(crate) const SEND_MESSAGE: &str = "Sends a message; while a turn runs, it is queued.";

pub(crate) const STOP_TURN: &str = "Stops the running turn.";

pub(crate) const FOLLOW_CONVERSATION: &str = "Streams the events of a conversation.";

pub(crate) const START_ANALYSIS: &str = "Starts an analysis of some things: one answer of a model that has \
     no tools. Nothing runs, whatever the things or the model say.";

pub(crate) const PROPOSE_SCRIPT: &str = "Starts the conversation in which a script is proposed out of an \
     analysis. A run waits for a person's decision.";

pub(crate) const READ_SCRIPT: &str =
    "Reads what was proposed, and which cards wait for a decision.";

pub(crate) const SCRIPT_ID: &str = "The identifier of the script's conversation.";

pub(crate) const LIST_CONFIRMATIONS: &str =
    "Lists the calls of the token's user that wait for a decision.";

pub(crate) const READ_CONFIRMATION: &str = "Reads a card and its state.";

pub(crate) const DECIDE_CONFIRMATION: &str = "Approves or denies a call. The card has to take one press, \
     and the token the right to decide; otherwise it is refused with 403, whose `help` names the page. A \
     card that has changed or was decided is refused with 409.";

pub(crate) const CONFIRMATION_ID: &str = "The identifier of the call.";

pub(crate) const LIST_TOOLS: &str = "Lists the tools of the token's toolsets.";

pub(crate) const LIST_SYSTEMS: &str =
    "Lists the systems of the token's toolsets, each with whether it answers.";

pub(crate) const READ_AUDIT_HEAD: &str = "Reads the newest row of the audit chain. Noted elsewhere, its \
     hash proves later that no row up to it was removed. Needs a token for all toolsets.";

pub(crate) const READ_FEED: &str = "Reads the feed, newest first. Needs a token for all toolsets.";

pub(crate) const FEED_CURSOR: &str = "`next` or `newer` of a page; none for the newest entries.";

pub(crate) const FEED_LIMIT: &str = "Number of entries, 50 by default.";

pub(crate) const FEED_KINDS: &str = "Kinds, separated by commas.";

pub(crate) const FEED_TIERS: &str = "Tiers, separated by commas.";

pub(crate) const FEED_TARGET: &str =
    "Beginnings of words in the target; in quotes, all of it, or of what the call made.";

pub(crate) const FEED_PERSON: &str = "Beginnings of words in the person's name.";

pub(crate) const FEED_WORDS: &str = "Beginnings of words anywhere.";

pub(crate) const FEED_FROM: &str = "From this time on.";

pub(crate) const FEED_TO: &str = "Before this time.";

pub(crate) const START_RUN: &str = "Begins a call of a tool, as a person does on a page: no model takes \
     part. The gate decides on it. A call that needs a confirmation waits for it.";

pub(crate) const READ_RUN: &str = "Reads the state and the result of a call.";

pub(crate) const RUN_ID: &str = "The identifier of the run.";

pub(crate) const RESUMED_STREAM: &str = "For a stream: the `id` of the last event that arrived. Send the \
     request again with its Idempotency-Key, and the stream goes on after it.";

pub(crate) const DESCRIBE_API: &str = "Returns this description.";

pub(crate) const ANSWER_LIST: &str = "A page of the list.";

pub(crate) const ANSWER_STARTED: &str = "It has begun; `Location` is its address.";

pub(crate) const ANSWER_END: &str = "The newest turns, each of them whole.";

pub(crate) const ANSWER_ACCEPTED: &str = "It is in the journal.";

pub(crate) const ANSWER_EVENTS: &str = "Server-sent events. `journal`: an event of the journal, with \
     its number as `id`. `subscribed`: everything that was missed has come. `block`, `delta`, \
     `progress`, `waiting`: what is not in the journal yet; a block has all of its text so far, and \
     `offset` of a delta is the length in bytes of what came before. `gap`: the event in Last-Event-ID \
     does not exist; forget what you have, all of it follows. `end`: the stream ends because of \
     `reason`: `restart`, `too_slow` (connect again), `signed_out`, `role_lowered`, \
     `conversation_gone`. Each 15 quiet seconds there is a comment.";

pub(crate) const ANSWER_ANALYSIS: &str =
    "It has begun; `Location` is the address of its conversation.";

pub(crate) const ANSWER_SCRIPT_BEGUN: &str =
    "It has begun; `Location` is the address of its state.";

pub(crate) const ANSWER_SCRIPT: &str =
    "What was proposed and what waits, without any hidden value.";

pub(crate) const ANSWER_CONFIRMATIONS: &str = "The cards that wait, the first to expire first.";

pub(crate) const ANSWER_CONFIRMATION: &str = "The card, as this token sees it.";

pub(crate) const ANSWER_TOOLS: &str = "The tools, by toolset.";

pub(crate) const ANSWER_SYSTEMS: &str = "The systems.";

pub(crate) const ANSWER_AUDIT_HEAD: &str = "The newest row.";

pub(crate) const ANSWER_FEED: &str = "A page of the feed.";

pub(crate) const ANSWER_RUN_BEGUN: &str = "It has begun; `Location` is the address of its state.";

pub(crate) const ANSWER_RUN: &str = "The state of the call.";

pub(crate) const ANSWER_STREAMED: &str = "With `Accept: text/event-stream`, in place of 201: the events of \
     the conversation, as followConversation has them, to the end of its turn. Then comes `end` with the \
     reason `done`. `Location` is as with 201.";

pub(crate) const ANSWER_API: &str = "A document of OpenAPI 3.1.";
