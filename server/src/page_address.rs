//! Addresses of pages that programs and messages show to people.
//!
//! They are made here alone, from the paths of the interface, so that each leads to a page that exists.

use app::conversation_path;
use protocol::{CallId, ConversationId};

/// Returns the address of a conversation's page, or of the page of an own call. `url`: where browsers reach the
/// server, without a slash at the end.
pub(crate) fn conversation_address(url: &str, conversation: ConversationId) -> String {
    format!("{url}{}", conversation_path(conversation))
}

/// Returns the address of a card on that page.
pub(crate) fn card_address(url: &str, conversation: ConversationId, call: CallId) -> String {
    format!("{}#{call}", conversation_address(url, conversation))
}
