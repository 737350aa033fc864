//! What helps to write a message: commands, mentions, files.

pub(crate) const SUGGESTIONS: &str = "Suggestions";

pub(crate) fn suggestions(count: usize) -> String {
    match count {
        1 => "1 suggestion".to_owned(),
        count => format!("{count} suggestions"),
    }
}

pub(crate) fn too_many_mentions(most: usize) -> String {
    format!("A message can mention at most {most} things.")
}

pub(crate) const SAVE_AS_PROMPT: &str = "Save as prompt";
pub(crate) const HOW_TO_INSERT_A_PROMPT: &str = "Type a slash and the name to insert it. ";
pub(crate) const ALL_PROMPTS: &str = "All prompts";
pub(crate) const NAME: &str = "Name";
pub(crate) const SAVE: &str = "Save";
pub(crate) const CANCEL: &str = "Cancel";

pub(crate) const START_A_NEW_CONVERSATION: &str = "Start a new conversation";
pub(crate) const START_A_PLAN: &str = "Start a conversation that only plans, without tools";
pub(crate) const STOP_THE_CURRENT_TURN: &str = "Stop the current turn";
pub(crate) const SEARCH_CONVERSATIONS: &str = "Search conversations: /search words";
pub(crate) const EXPORT_THIS_CONVERSATION: &str =
    "Save this conversation as Markdown; /export json as JSON";
pub(crate) const SHOW_SHORTCUTS_AND_WHAT_YOU_CAN_ASK: &str = "Show shortcuts and what you can ask";
pub(crate) const NO_TURN_IS_RUNNING: &str = "No turn is running.";
pub(crate) const THERES_NOTHING_TO_EXPORT_YET: &str = "There's nothing to export yet.";

pub(crate) const ATTACH_IMAGES_OR_TEXT_FILES: &str = "Attach images or text files";
pub(crate) const UPLOAD_CODE_DID_NOT_LOAD: &str = "The file wasn't attached: part of the page couldn't \
    be loaded. Check your connection and attach it again, or reload.";

pub(crate) const FILES_NOT_ATTACHED_YET: &str = "Files not attached yet";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const CANT_READ_THE_SERVERS_ANSWER: &str = "Can't read the server's answer.";
pub(crate) const TRY_AGAIN_OR_RELOAD: &str = "Try again, or reload.";

/// `file`: its name and its size.
pub(crate) fn sending(file: &str) -> String {
    format!("Sending {file}…")
}

/// Follows the file's name and size.
pub(crate) fn was_not_attached(message: &str, help: &str) -> String {
    format!(" wasn't attached. {message} {help}")
}

pub(crate) fn file_is_too_large(bytes: &str, limit: &str) -> String {
    format!("The file is {bytes}. Limits: {limit} for an image, 256 KiB for text.")
}

pub(crate) fn too_many_attachments(most: usize) -> String {
    format!("A message can have at most {most} of these.")
}

pub(crate) fn dismiss(name: &str) -> String {
    format!("Dismiss {name}")
}
