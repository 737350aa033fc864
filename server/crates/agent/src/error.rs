//! What a person is told when something cannot be done.

use protocol::{ErrorBody, ErrorCode, MAX_MESSAGE_BYTES};

use crate::ports::{JournalError, ModelError, ModelErrorKind};

pub(crate) fn message_empty() -> ErrorBody {
    ErrorBody::new(ErrorCode::MessageEmpty, "The message has no text.")
}

pub(crate) fn message_too_long(bytes: usize) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::MessageTooLong,
        format!(
            "The message has {} KiB; at most {} KiB are possible.",
            bytes.div_ceil(1024),
            MAX_MESSAGE_BYTES / 1024
        ),
    )
    .with_help("Shorten it, or send it in parts.")
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

pub(crate) fn unknown_command() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::UnknownCommand,
        "This server does not know the command.",
    )
    .with_help("Reload the page.")
}

pub(crate) fn conversation_exists() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "A conversation with this id exists already.",
    )
}

pub(crate) fn conversation_not_found() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ConversationNotFound,
        "There is no such conversation.",
    )
}

pub(crate) fn turn_not_found() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::TurnNotFound,
        "The turn is not in a state in which this is possible.",
    )
}

pub(crate) fn message_not_queued() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::MessageNotQueued,
        "The message is not waiting any more.",
    )
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
        .with_help("The page reconnects by itself.")
}

pub(crate) fn internal() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Internal,
        "A fault of the server; its log has the details.",
    )
}

pub(crate) fn of_journal(error: &JournalError) -> ErrorBody {
    match error {
        JournalError::NotFound => conversation_not_found(),
        JournalError::Exists => conversation_exists(),
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

pub(crate) fn of_model(error: &ModelError) -> ErrorBody {
    let help = match error.kind {
        ModelErrorKind::Authentication => "Check the API key in the server's configuration.",
        ModelErrorKind::Permission => "Check the account's rights and credit.",
        ModelErrorKind::NotFound => "Choose another model in the server's configuration.",
        ModelErrorKind::RateLimited | ModelErrorKind::Overloaded => "Try again in a while.",
        ModelErrorKind::Unreachable => "Check the network, then try again.",
        ModelErrorKind::ContextOverflow => "Start a new conversation.",
        ModelErrorKind::InvalidRequest => "This is a fault of the server; its log has the details.",
        ModelErrorKind::Timeout | ModelErrorKind::Protocol | ModelErrorKind::Failed => "Try again.",
    };
    ErrorBody::new(error.kind.code(), error.message.clone()).with_help(help)
}
