//! The keyboard shortcuts.

pub(crate) const SEND_THE_MESSAGE: &str = "Send the message";
pub(crate) const START_A_NEW_LINE: &str = "Start a new line";
pub(crate) const RECALL_EARLIER_MESSAGES_IN_AN_EMPTY_FIELD: &str =
    "Recall earlier messages, in an empty field";
pub(crate) const COMMANDS_AND_SAVED_PROMPTS: &str =
    "Commands and saved prompts: /new, /plan, /stop, /search words, /export, /help";
pub(crate) const MENTION_SOMETHING_BY_ITS_NAME: &str = "Mention something by its name";
pub(crate) const CLOSE_THE_OPEN_MENU_OR_PANEL: &str = "Close the open menu or panel";
pub(crate) const ENTER_OR_SPACE: &str = "Enter or Space";
pub(crate) const PRESS_THE_FOCUSED_BUTTON: &str =
    "Press the focused button; hold it where it says so";
pub(crate) const OPEN_THE_SETTINGS: &str = "Open the settings";
pub(crate) const ACTIONS_OF_A_CONVERSATION: &str =
    "Reach the buttons of a conversation in the list";
pub(crate) const RESIZE_THE_CHAT_BESIDE_A_PAGE: &str =
    "Resize the chat beside a page, with its edge focused";
pub(crate) const GO_TO_THE_NEXT_CONTROL: &str = "Go to the next control";
pub(crate) const SHOW_THESE_SHORTCUTS: &str = "Show these shortcuts";
pub(crate) const SEARCH_OR_RUN_A_COMMAND: &str = "Search or run a command";
pub(crate) const START_A_NEW_CONVERSATION: &str = "Start a new conversation";
pub(crate) const SEARCH_CONVERSATIONS: &str = "Search conversations";
pub(crate) const OPEN_OR_CLOSE_THE_CHAT: &str = "Open or close the chat beside a page";
pub(crate) const GO_TO_THE_CHAT: &str = "Go to the chat";
pub(crate) const GO_TO_THE_FEED: &str = "Go to the feed";
pub(crate) const WRITE_A_MESSAGE: &str = "Write a message";
pub(crate) const STOP_THE_TURN: &str = "Stop the turn";
pub(crate) const NEXT_CONVERSATION_IN_THE_LIST: &str = "Next conversation in the list";
pub(crate) const PREVIOUS_CONVERSATION_IN_THE_LIST: &str = "Previous conversation in the list";
pub(crate) const SHOW_OR_HIDE_THE_CONVERSATIONS: &str = "Show or hide the list of conversations";
pub(crate) const SHOW_THE_OVERVIEW_ALONE_IN_LARGE_TYPE: &str =
    "Show the overview alone, in large type";
pub(crate) const NOTHING_WAS_CHANGED: &str = "Nothing was changed.";
pub(crate) const SHORTCUTS_RESET_TO_DEFAULTS: &str = "Shortcuts reset to defaults.";
pub(crate) const PRESS_KEYS: &str = "Press keys…";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const KEYBOARD_SHORTCUTS: &str = "Keyboard shortcuts";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const SHORTCUTS_ARE_SAVED_IN_THIS_BROWSER: &str = "Saved in this browser. On a Mac, Cmd works as Ctrl. Keys without Ctrl or Alt do nothing \
    while you type in a field.";
pub(crate) const FIXED_SHORTCUTS: &str = "Fixed shortcuts";
pub(crate) const RESET_ALL: &str = "Reset all";
pub(crate) const WHAT_YOU_CAN_ASK: &str = "What you can ask";

pub(crate) fn press_the_new_shortcut_for(name: &str) -> String {
    format!("Press the new shortcut for “{name}”. Esc keeps the old one.")
}

pub(crate) fn change_the_shortcut(name: &str) -> String {
    format!("Change the shortcut: {name}")
}

pub(crate) fn is_now_the_shortcut_for(pressed: &str, name: &str) -> String {
    format!("{pressed} is now the shortcut for “{name}”.")
}

pub(crate) fn shortcut_is_already_used(pressed: &str, name: &str) -> String {
    format!("{pressed} is already used for “{name}”. Change that shortcut first.")
}

pub(crate) fn shortcut_is_reserved(pressed: &str) -> String {
    format!(
        "{pressed} is reserved by the browser. Use a letter, digit or punctuation, alone or with \
    Ctrl or Alt."
    )
}
