//! The palette, the search and the archive.

pub(crate) const NO_ARCHIVED_CONVERSATIONS: &str = "No archived conversations.";
pub(crate) const ARCHIVED: &str = "Archived";
pub(crate) const BACK_TO_THE_LIST: &str = "Back to the list";
pub(crate) const ARCHIVED_CONVERSATIONS: &str = "Archived conversations";
pub(crate) const SHOW_OLDER: &str = "Show older";

pub(crate) const CHOOSE: &str = "Choose";
pub(crate) const OLDER_THAN: &str = "Older than";
pub(crate) const CHOOSE_BY_AGE: &str = "Choose by age";

pub(crate) fn days(days: i64) -> String {
    format!("{days} days")
}

pub(crate) fn older_than_days(days: i64) -> String {
    format!("Older than {days} days")
}

pub(crate) fn chosen(count: usize) -> String {
    format!("{count} chosen.")
}

pub(crate) fn archived(count: usize) -> String {
    format!("{count} archived.")
}

pub(crate) fn archive_conversations(count: usize) -> String {
    match count {
        0 => "Archive".to_owned(),
        1 => "Archive 1 conversation".to_owned(),
        count => format!("Archive {count} conversations"),
    }
}

pub(crate) const FOLDER: &str = "Folder";
pub(crate) const FOLDERS: &str = "Folders";
pub(crate) const NO_FOLDERS: &str = "No folders. “Choose” moves conversations into one.";
pub(crate) const NOTHING_IN_THIS_FOLDER: &str = "Nothing is in this folder.";
pub(crate) const MOVE: &str = "Move";
pub(crate) const TAKE_OUT: &str = "Take out";

pub(crate) fn folder(name: &str) -> String {
    format!("Folder {name}")
}

pub(crate) fn in_folder(name: &str) -> String {
    format!("in {name}")
}

pub(crate) fn conversations(count: u64) -> String {
    match count {
        1 => "1 conversation".to_owned(),
        count => format!("{count} conversations"),
    }
}

pub(crate) fn moved(count: usize, name: &str) -> String {
    format!("{count} moved to {name}.")
}

pub(crate) fn taken_out(count: usize) -> String {
    format!("{count} taken out of their folders.")
}

pub(crate) const NO_RESULTS_TRY_FEWER_WORDS: &str = "No results. Try fewer words.";
pub(crate) const RESULTS: &str = "Results";
pub(crate) const SHOW_MORE: &str = "Show more";

pub(crate) fn matches(count: usize) -> String {
    match count {
        1 => "1 match".to_owned(),
        count => format!("{count} matches"),
    }
}

pub(crate) fn first_matches(count: usize) -> String {
    format!("First {count} matches")
}

pub(crate) const PAGE: &str = "Page";
pub(crate) const NEW_CONVERSATION: &str = "New conversation";
pub(crate) const ACTION: &str = "Action";
pub(crate) const FEED: &str = "Feed";
pub(crate) const CHAT_BESIDE_THE_PAGE: &str = "Chat beside the page";
pub(crate) const KEYBOARD_SHORTCUTS: &str = "Keyboard shortcuts";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const APPEARANCE: &str = "Appearance";
pub(crate) const NOTIFICATIONS: &str = "Notifications";
pub(crate) const PASSKEYS: &str = "Passkeys";
pub(crate) const SESSIONS: &str = "Sessions";
pub(crate) const API_TOKENS: &str = "API tokens";
pub(crate) const PROMPTS: &str = "Prompts";
pub(crate) const DATA_IMPORT_AND_EXPORT: &str = "Data: import and export";
pub(crate) const MODEL: &str = "Model";
pub(crate) const ASSISTANT: &str = "Assistant";
pub(crate) const YOUR_KEYS: &str = "Your keys";
pub(crate) const PERSONA: &str = "Persona";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const SYSTEMS: &str = "Systems";
pub(crate) const MCP_SERVERS: &str = "MCP servers";
pub(crate) const USERS: &str = "Users";
pub(crate) const CONVERSATION: &str = "Conversation";
pub(crate) const ASK: &str = "Ask";
pub(crate) const SEARCH: &str = "Search";

pub(crate) fn ask(typed: &str) -> String {
    format!("Ask “{typed}”")
}

pub(crate) fn search_conversations_for(typed: &str) -> String {
    format!("Search conversations for “{typed}”")
}

pub(crate) const SEARCH_OR_RUN_A_COMMAND: &str = "Search or run a command";
pub(crate) const EXAMPLES_TO_TYPE: &str = "A page, a name, a conversation, a question…";
pub(crate) const FOUND: &str = "Found";
