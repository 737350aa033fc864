//! The chat beside a page.

pub(crate) const ASK: &str = "Ask";
pub(crate) const ASK_WHY: &str = "Ask why";
pub(crate) const WHAT_WENT_WRONG: &str = "What went wrong here?";

pub(crate) fn ask_jarvis_about(thing: &str) -> String {
    format!("Ask Jarvis about {thing}")
}

pub(crate) fn ask_why_about(thing: &str) -> String {
    format!("Ask why: {thing}")
}

pub(crate) fn begins_a_conversation_about(thing: &str) -> String {
    format!("Begins a conversation about {thing}")
}

pub(crate) fn this_chat_is_not_about(name: &str) -> String {
    format!("This chat is not about {name}.")
}

pub(crate) fn new_conversation_about(name: &str) -> String {
    format!("New conversation about {name}")
}

pub(crate) const CHAT_BESIDE_THIS_PAGE: &str = "Chat beside this page";
pub(crate) const MOVE_TO_THE_RIGHT: &str = "Move to the right";
pub(crate) const MOVE_TO_THE_LEFT: &str = "Move to the left";
pub(crate) const CHAT: &str = "Chat";
pub(crate) const NEW_CONVERSATION: &str = "New conversation";
pub(crate) const OPEN_AS_A_PAGE: &str = "Open as a page";
pub(crate) const CLOSE_THE_CHAT: &str = "Close the chat";

pub(crate) const WIDTH_OF_THE_CHAT_IN_PIXELS: &str = "Width of the chat, in pixels";
