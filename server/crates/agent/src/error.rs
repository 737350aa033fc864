//! The errors that people are shown when something cannot be done.

use protocol::{
    ErrorBody, ErrorCode, MAX_IMAGES, MAX_IMAGES_BYTES, MAX_MESSAGE_BYTES, MAX_REFERENCES, Role,
    Verdict,
};

use crate::{
    output::clean_line,
    ports::{JournalError, ModelError, ModelErrorKind},
};

/// Characters of a name from a client that an error repeats.
const MAX_SHOWN_NAME: usize = 64;

pub(crate) fn unknown_effort() -> ErrorBody {
    ErrorBody::new(ErrorCode::Malformed, "Unknown effort setting.").with_help("Reload the page.")
}

pub(crate) fn message_empty() -> ErrorBody {
    ErrorBody::new(ErrorCode::MessageEmpty, "The message has no text.")
}

pub(crate) fn message_too_long(bytes: usize) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::MessageTooLong,
        format!(
            "The message is {} KiB; the limit is {} KiB.",
            bytes.div_ceil(1024),
            MAX_MESSAGE_BYTES / 1024
        ),
    )
    .with_help("Shorten it, or send it in parts.")
}

pub(crate) fn too_many_references() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        format!("A message can mention at most {MAX_REFERENCES} things."),
    )
}

pub(crate) fn unknown_reference() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "This message refers to something that isn't available here.",
    )
    .with_help("Remove it from the message, or reload the page.")
}

pub(crate) fn file_not_found(name: &str) -> ErrorBody {
    let name = clean_line(name);
    ErrorBody::new(
        ErrorCode::FileNotFound,
        format!("The server doesn't have the file {name:?}."),
    )
    .with_help("Remove it from the message and add it again.")
}

pub(crate) fn too_many_images() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::FileRefused,
        format!(
            "A conversation can have at most {MAX_IMAGES} images, {} MiB in total.",
            MAX_IMAGES_BYTES >> 20
        ),
    )
    .with_help("Remove some from the message, or start a new conversation.")
}

pub(crate) fn no_images(model: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ImagesNotSupported,
        format!("{model} can't read images."),
    )
    .with_help("Remove the image, or choose another model.")
}

pub(crate) fn images_are_there(model: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ImagesNotSupported,
        format!("{model} can't read images, and this conversation has some."),
    )
    .with_help("Choose another model, or start a new conversation.")
}

pub(crate) fn plan_not_found() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "That conversation doesn't contain the plan to carry out.",
    )
    .with_help("Open the plan and try again.")
}

pub(crate) fn plan_not_named() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "This page is out of date: it sent the plan as your own words.",
    )
    .with_help("Reload the page, open the plan and run it from there.")
}

pub(crate) fn pack_not_found(name: &str) -> ErrorBody {
    let name: String = clean_line(name).chars().take(MAX_SHOWN_NAME).collect();
    ErrorBody::new(
        ErrorCode::PackNotFound,
        format!("There is no pack {name:?} here."),
    )
    .with_help("Reload the page, and choose the packs again.")
}

pub(crate) fn title_empty() -> ErrorBody {
    ErrorBody::new(ErrorCode::Malformed, "The title has no text.")
}

pub(crate) fn unknown_mode() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "The mode of the conversation is unknown to this server.",
    )
    .with_help("Reload the page.")
}

pub(crate) fn unknown_shelf() -> ErrorBody {
    ErrorBody::new(ErrorCode::Malformed, "Unknown position in the list.")
        .with_help("Reload the page.")
}

pub(crate) fn folder_empty() -> ErrorBody {
    ErrorBody::new(ErrorCode::Malformed, "The name of the folder has no text.")
}

pub(crate) fn unknown_command() -> ErrorBody {
    ErrorBody::new(ErrorCode::UnknownCommand, "Unknown command.").with_help("Reload the page.")
}

pub(crate) fn conversation_exists() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "A conversation with this id already exists.",
    )
}

pub(crate) fn notice_not_found() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::NoticeNotFound,
        "This notice is already resolved.",
    )
}

pub(crate) fn conversation_not_found() -> ErrorBody {
    ErrorBody::new(ErrorCode::ConversationNotFound, "Conversation not found.")
}

pub(crate) fn call_ended() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::CallEnded,
        "The call has already ended. This page's result was not sent.",
    )
}

pub(crate) fn call_elsewhere() -> ErrorBody {
    ErrorBody::new(ErrorCode::CallEnded, "Another tab is running this call.")
}

pub(crate) fn no_stage() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::BoardNotFound,
        "This tab doesn't show a page that can run the call.",
    )
}

pub(crate) fn conversation_closed() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ConversationClosed,
        "Imported conversation – read-only. You can't reply in it.",
    )
    .with_help("Start a new conversation instead.")
}

pub(crate) fn no_conversation() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "This is the record of a person's own call, not a conversation.",
    )
}

pub(crate) fn turn_not_found() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TurnNotFound,
        "This isn't possible in the turn's current state.",
    )
}

/// A branch leaves a conversation that is at rest.
pub(crate) fn turn_running() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TurnRunning,
        "A turn is running in this conversation.",
    )
    .with_help("Stop it or wait until it ends, then try again.")
}

/// The branch would leave actions behind, and the person was not told of all of them.
pub(crate) fn effects_stand(count: usize) -> ErrorBody {
    let calls = match count {
        1 => "1 action that ran is".to_owned(),
        _ => format!("{count} actions that ran are"),
    };
    ErrorBody::new(
        ErrorCode::EffectsStand,
        format!("{calls} left behind and won't be undone."),
    )
    .with_help("Check the list again, then confirm.")
}

pub(crate) fn message_not_queued() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::MessageNotQueued,
        "The message is no longer waiting.",
    )
}

/// Somebody else was first: the error says who, and how.
pub(crate) fn already_decided(decided: Option<&(Verdict, Option<String>)>) -> ErrorBody {
    let message = match decided {
        Some((verdict, by)) => {
            let by = by
                .as_deref()
                .map_or(String::new(), |by| format!(" by {by}"));
            match verdict {
                Verdict::Approved => format!("This request was already approved{by}."),
                Verdict::Denied { .. } => format!("This request was already denied{by}."),
                Verdict::Expired => "This request has expired.".to_owned(),
                Verdict::Withdrawn | Verdict::Unknown => {
                    format!("This request was withdrawn{by}.")
                }
            }
        }
        None => "This request no longer needs a decision.".to_owned(),
    };
    ErrorBody::new(ErrorCode::AlreadyDecided, message)
}

pub(crate) fn question_expired() -> ErrorBody {
    ErrorBody::new(ErrorCode::AlreadyDecided, "This request has expired.")
        .with_help("Ask for it again.")
}

pub(crate) fn card_changed() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::CardChanged,
        "The request has changed since it was shown.",
    )
    .with_help("Check it again, then decide.")
}

/// The approver is the person who asked, and may not be.
pub(crate) fn second_needed() -> ErrorBody {
    not_allowed("Another operator or admin must approve this: the person who asked can't.")
        .with_help("They see it among their waiting requests. You can still deny it.")
}

/// The card asks for a word, and the given one is another or none.
pub(crate) fn word_not_typed(word: &str) -> ErrorBody {
    let word = clean_line(word);
    ErrorBody::new(
        ErrorCode::WordNotTyped,
        format!("Approving this request needs the word {word:?}, which wasn't typed."),
    )
    .with_help("Type the word as the card shows it. Reload the page if it has no field for it.")
}

/// A card that is approved in a way that this build does not know.
pub(crate) fn unknown_assurance() -> ErrorBody {
    not_allowed("This server can't tell how to approve this request.")
        .with_help("Deny it, then ask again.")
}

/// A program without the right to decide.
pub(crate) fn token_cannot_decide() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TokenCannotDecide,
        "This token may not approve or deny.",
    )
    .with_help("Decide on the page, or create a token with that right in Settings, API tokens.")
}

/// A card that takes more than a press, and a program.
pub(crate) fn only_on_page() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TokenCannotDecide,
        "This request can be decided only on the page: it needs more than one press.",
    )
    .with_help("Open the conversation in a browser.")
}

/// A program, and a tool that is for people alone.
pub(crate) fn only_people() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TokenCannotDecide,
        "This action is for people only: a token may not begin it.",
    )
    .with_help("Do it on the page, in a browser.")
}

/// A sign-in that only reads.
pub(crate) fn only_reads() -> ErrorBody {
    ErrorBody::new(ErrorCode::RoleNotEnough, "This token is read-only.")
        .with_help("Create a token with the operator role in Settings, API tokens.")
}

pub(crate) fn only_plans() -> ErrorBody {
    let message = "This server runs in plan mode: no tool runs.";
    ErrorBody::new(ErrorCode::RoleNotEnough, message)
        .with_help("Whoever runs the server chose this when it started.")
}

/// The page tells what viewers may not know.
pub(crate) fn for_operators() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::RoleNotEnough,
        "Only operators may see this, and this sign-in only reads.",
    )
    .with_help("Sign in as an operator, or use a token with the operator role.")
}

/// The second person may be the first one.
pub(crate) fn second_is_close() -> ErrorBody {
    not_allowed(
        "You may be the person who asked: they created your account or sign-in, or you \
    created theirs.",
    )
    .with_help(
        "Sign in with a password or passkey of your own; a new account may approve after 24 \
            hours. If they signed in with a link of yours, they must sign in without it and ask \
            in a new conversation. You can still deny it.",
    )
}

pub(crate) fn not_allowed(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::DecisionNotAllowed, message)
}

pub(crate) fn role_not_enough(needed: Role) -> ErrorBody {
    let message = match needed {
        Role::Admin => "Only admins can do this.",
        Role::Operator => "Only operators and admins can do this.",
        Role::Viewer | Role::Unknown => "This user isn't allowed to do anything here.",
    };
    ErrorBody::new(ErrorCode::RoleNotEnough, message).with_help("An admin can change roles.")
}

/// The user begins too many reads at once.
pub(crate) fn too_many_looks(wait_ms: i64) -> ErrorBody {
    let seconds = wait_ms / 1000 + 1;
    ErrorBody::new(ErrorCode::RateLimited, "Too many calls in a short time.")
        .with_help(format!("Try again in {seconds} s."))
}

/// The sign-in is for other toolsets.
pub(crate) fn other_toolset() -> ErrorBody {
    let message = "This token doesn't cover the toolsets used here.";
    ErrorBody::new(ErrorCode::RoleNotEnough, message)
        .with_help("Settings, API tokens, lists what each token covers.")
}

pub(crate) fn no_toolset() -> ErrorBody {
    let message = "None of this token's toolsets is available here.";
    ErrorBody::new(ErrorCode::RoleNotEnough, message).with_help("Create another token in Settings.")
}

pub(crate) fn all_toolsets() -> ErrorBody {
    let message = "This needs all toolsets, and this token covers only some.";
    ErrorBody::new(ErrorCode::RoleNotEnough, message)
}

pub(crate) fn grant_not_found() -> ErrorBody {
    ErrorBody::new(ErrorCode::GrantNotFound, "This grant has already ended.")
}

pub(crate) fn outcome_known() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::AlreadyDecided,
        "The outcome of this call is already known.",
    )
}

pub(crate) fn not_parked() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TurnNotFound,
        "No request is waiting, or something is still running.",
    )
    .with_help("Send the message without withdrawing anything; it will wait its turn.")
}

pub(crate) fn queue_full(limit: usize) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::QueueFull,
        format!("{limit} messages are waiting already."),
    )
    .with_help("Wait until one has been answered, or withdraw one.")
}

pub(crate) fn shutting_down() -> ErrorBody {
    ErrorBody::new(ErrorCode::ShuttingDown, "The server is restarting.")
        .with_help("The page reconnects automatically.")
}

pub(crate) fn internal() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Internal,
        "A server fault; the server's log has the details.",
    )
}

pub(crate) fn of_journal(error: &JournalError) -> ErrorBody {
    match error {
        JournalError::NotFound => conversation_not_found(),
        JournalError::Exists => conversation_exists(),
        JournalError::Closed => conversation_closed(),
        JournalError::Full => {
            ErrorBody::new(ErrorCode::StorageFailed, "The server's disk is full.")
                .with_help("Free some space, then try again.")
        }
        JournalError::Storage(_) => {
            ErrorBody::new(ErrorCode::StorageFailed, "The server could not save this.")
                .with_help("Try again; the server's log has the details.")
        }
        JournalError::Fenced | JournalError::Conflict { .. } | JournalError::Duplicate => {
            internal()
        }
    }
}

/// Running turns wait, because their records cannot be written.
pub(crate) fn not_writable(error: &JournalError) -> ErrorBody {
    let message = match error {
        JournalError::Full => "The server's disk is full, so nothing can be saved.",
        _ => "The server's database can't be written, so nothing can be saved.",
    };
    ErrorBody::new(ErrorCode::StorageFailed, message).with_help(
        "Running answers wait and continue once there is room; nothing is lost. Free space on the \
        server; its log has the details.",
    )
}

pub(crate) fn of_model(error: &ModelError) -> ErrorBody {
    let help = match error.kind {
        ModelErrorKind::Authentication => "Check the API key in the server's configuration.",
        ModelErrorKind::Permission => "Check the account's rights and credit.",
        ModelErrorKind::NotFound => "Choose another model for this conversation, then try again.",
        ModelErrorKind::Address => "Correct the model's base URL in the server's configuration.",
        ModelErrorKind::RateLimited | ModelErrorKind::Overloaded => "Try again later.",
        ModelErrorKind::Unreachable => "Check the network, then try again.",
        ModelErrorKind::ContextOverflow => "Start a new conversation.",
        ModelErrorKind::InvalidRequest => {
            "This is a server fault; the server's log has the \
        details."
        }
        ModelErrorKind::Timeout | ModelErrorKind::Protocol | ModelErrorKind::Failed => "Try again.",
    };
    ErrorBody::new(error.kind.code(), error.message.clone()).with_help(help)
}
