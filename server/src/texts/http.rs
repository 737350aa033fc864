//! Sentences of the server for people: refusals and errors over HTTP and websockets.

use std::fmt::Display;

pub(crate) const NO_SUCH_EVENT: &str = "There is no such event.";

pub(crate) const OLDER_THAN_FEED: &str = "It may be older than the feed is kept.";

pub(crate) const DELETE_A_PROMPT_FIRST: &str = "Delete one in the settings first.";

pub(crate) const TOKEN_LACKS_TOOLSETS: &str = "This token doesn't cover the toolsets used here.";

pub(crate) const NO_SUCH_SYSTEM: &str = "There is no such system here.";

pub(crate) const CONVERSATION_NOT_FOUND: &str = "Conversation not found.";

pub(crate) const SERVER_STOPS: &str = "The server is stopping.";

pub(crate) const SERVER_STARTS: &str = "The server is starting.";

pub(crate) const DATABASE_DOES_NOT_ANSWER: &str = "The database can't be read.";

pub(crate) fn disk_is_low(mebibytes: u64) -> String {
    format!("Less than {mebibytes} MiB is free on the server's disk.")
}

pub(crate) const MODEL_DOES_NOT_ANSWER: &str =
    "The model did not answer last time: it can't be reached, or it failed.";

pub(crate) fn system_does_not_answer(system: &str) -> String {
    format!("The system {system} can't be reached.")
}

pub(crate) const DATABASE_COULD_NOT_BE_READ: &str = "The database could not be read.";

pub(crate) const SEE_LOG: &str = "Try again; the server's log has the details.";

pub(crate) const TOO_MANY_OPEN_PAGES: &str = "The server has reached its limit of open pages.";

pub(crate) const CLOSE_TAB_OR_TRY_AGAIN_LATER: &str = "Close a tab, or try again later.";

pub(crate) const TOO_MANY_CONNECTIONS: &str =
    "Too many tabs or programs are connected under this account.";

pub(crate) const CLOSE_SOME_AND_RELOAD: &str = "Close some, then reload this page.";

pub(crate) const TOO_MANY_COMMANDS: &str = "Too many commands in a short time.";

pub(crate) const TOO_MANY_OUTCOMES: &str = "Too many requests for outcomes in a short time.";

pub(crate) const TOO_MANY_FEED_MESSAGES: &str = "Too many messages of a feed in a short time.";

pub(crate) const TOO_MANY_CHANGES: &str = "Too many changes in a short time.";

pub(crate) const TOO_MANY_UPLOADS: &str = "You are uploading too many files at once.";

pub(crate) const WAIT_FOR_OTHERS: &str = "Wait for the others and try again.";

pub(crate) const ANOTHER_IMPORT_IS_RUNNING: &str = "Another of your imports is running.";

pub(crate) const WAIT_UNTIL_IT_HAS_ENDED: &str = "Wait until it has ended.";

pub(crate) const TOO_MANY_IMPORTS: &str = "Too many imports in a short time.";

pub(crate) const TOO_MANY_DOWNLOADS: &str = "You are downloading too many files at once.";

pub(crate) const STORED_TOO_MUCH: &str = "You stored too much in a short time.";

pub(crate) const TOO_MANY_READS: &str = "The server is reading too many files at once.";

pub(crate) const TRY_AGAIN_IN_MOMENT: &str = "Try again in a moment.";

pub(crate) fn try_again_in(seconds: u64) -> String {
    format!("Try again in {seconds} s.")
}

pub(crate) const OLD_KIND_OF_TOKEN: &str = "This kind of token no longer works.";

pub(crate) const CREATE_A_NEW_TOKEN: &str = "Create a new one in Settings, API tokens.";

pub(crate) const TOKEN_IS_NOT_KNOWN: &str = "This token isn't known, or it has ended.";

pub(crate) const CREATE_A_TOKEN: &str = "Create one in Settings, API tokens.";

pub(crate) const SEND_A_TOKEN: &str = "Send an API token as the header Authorization: Bearer; \
     create one in Settings, API tokens.";

pub(crate) const NOT_SIGNED_IN: &str = "You are not signed in.";

pub(crate) const SIGN_IN_HELP: &str = "Open the server's address in a browser and sign in.";

pub(crate) const SESSION_UNREADABLE: &str = "The session could not be looked up.";

/// The refusal of a request about all toolsets to a token limited to some.
pub(crate) const NEEDS_ALL_TOOLSETS: &str =
    "This token covers only some toolsets; this needs all of them.";

pub(crate) const FOR_PEOPLE_ONLY: &str = "This is for people: sign in with a browser.";

pub(crate) const THIS_TOKEN_IS_READ_ONLY: &str = "This token is read-only.";

pub(crate) const CREATE_AN_OPERATORS_TOKEN: &str =
    "Create a token with the operator role in Settings, API tokens.";

pub(crate) const ROLE_IS_NOT_ENOUGH: &str = "Your role isn't enough for this.";

pub(crate) const FORMATS_OF_FEED: &str = "Ask with format=jsonl or format=csv.";

pub(crate) const NO_QR_CODE: &str = "There is no QR code of that: name a short link as text.";

pub(crate) const UNKNOWN_FORMAT: &str = "Unknown format.";

pub(crate) const FILE_ARRIVED_INCOMPLETE: &str = "The file arrived incomplete.";

pub(crate) const FILE_IS_TOO_LARGE: &str =
    "The file is too large. Limits: 3.5 MiB for an image, 256 KiB for text.";

pub(crate) const TOO_MANY_FILES_WAIT: &str = "Too many files are waiting to be sent.";

pub(crate) const SEND_THEIR_MESSAGES: &str = "Send the messages they belong to, or wait a day.";

pub(crate) const SERVER_COULD_NOT_SAVE_FILE: &str = "The server could not save the file.";

pub(crate) const TRY_AGAIN_LATER: &str = "Try again later.";

pub(crate) const FILE_NOT_FOUND: &str = "File not found.";

pub(crate) const REQUEST_IS_TOO_LARGE: &str = "The request is too large.";

pub(crate) const PROXIES_ONLY_WITHOUT_TLS: &str =
    "Without TLS this server accepts connections only from its reverse proxies.";

pub(crate) const NOT_EXACTLY_ONE_HOST: &str = "The request does not name exactly one host.";

pub(crate) const UNKNOWN_ADDRESS: &str =
    "Jarvis isn't set up for this address. Set server.public_url to the address you use.";

pub(crate) const REQUEST_COMES_FROM_ANOTHER_SITE: &str = "The request comes from another site.";

pub(crate) const REQUEST_TOOK_TOO_LONG: &str = "The request took too long.";

pub(crate) fn cannot_read_certificates_from(cert: &impl Display) -> String {
    format!("cannot read certificates from {cert}")
}

pub(crate) fn no_certificate_is_in(cert: &impl Display) -> String {
    format!("no certificate is in {cert}")
}

pub(crate) fn key_is_readable_by_everybody(key: &impl Display) -> String {
    format!("every user of this machine can read {key}; run chmod o= on it")
}

pub(crate) fn cannot_read_private_key_from(key: &impl Display) -> String {
    format!("cannot read a private key from {key}")
}

pub(crate) const CERTIFICATE_AND_KEY_DO_NOT_MATCH: &str = "certificate and key do not match";

pub(crate) const FORMATS_OF_CONVERSATION: &str = "Ask with format=md or format=json.";

pub(crate) fn link_lasts(most_days: u32) -> String {
    format!("A link lasts from 1 to {most_days} days, or without end.")
}

pub(crate) fn too_many_links(most: usize) -> String {
    format!("{most} links lead here already.")
}

pub(crate) const HIDES_VALUES: &str =
    "This conversation hides values from the model, and a link would show them.";

pub(crate) const END_ONE_FIRST: &str = "End one first.";

pub(crate) const THIS_LINK_HAS_ENDED_ALREADY: &str = "This link has ended already.";

pub(crate) const THIS_LINK_NO_LONGER_WORKS: &str = "This link no longer works.";

pub(crate) const BUDGET_WAS_USED_UP: &str = "A budget was used up.";

pub(crate) const TOO_MANY_COMMANDS_WAIT: &str = "Too many commands are waiting.";

pub(crate) const WAIT_FOR_ANSWERS: &str = "Wait for the answers and send it again.";

pub(crate) const NO_BINARY_FRAMES: &str = "Binary frames are not understood.";

pub(crate) const UNKNOWN_FRAME: &str = "This kind of frame is not known here.";

pub(crate) fn frame_cannot_be_read(error: &impl Display) -> String {
    format!("The frame cannot be read: {error}.")
}

pub(crate) const TOO_MANY_SUBSCRIPTIONS: &str = "There are too many subscriptions.";

pub(crate) const UNKNOWN_TOPIC: &str = "This topic is not known here.";

pub(crate) const SERVER_IS_RESTARTING: &str = "the server is restarting";

pub(crate) const SESSION_HAS_ENDED: &str = "the session has ended";

pub(crate) const READS_TOO_SLOWLY: &str = "the client does not read fast enough";

pub(crate) const TOO_MANY_FRAMES: &str = "too many frames";

pub(crate) const NO_SIGN_OF_LIFE: &str = "no sign of life";

pub(crate) const CONVERSATION_COULD_NOT_BE_READ: &str = "The conversation could not be read.";

pub(crate) const PAGE_FOLLOWS_TOO_MUCH: &str =
    "This page follows too many conversations and boards.";

pub(crate) fn request_id(id: &str) -> String {
    format!("Request ID: {id}")
}
