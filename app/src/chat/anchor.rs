//! Anchors of rows, for addresses.

use transcript::RowKey;

/// Returns the anchor of a row that is a message or an answer, for addresses such as
/// `/chat/ID#msg_…`.
pub(crate) fn anchor(key: RowKey) -> Option<String> {
    match key {
        RowKey::User(message) => Some(message.to_string()),
        RowKey::Block(message, block) => Some(format!("{message}-{block}")),
        _ => None,
    }
}
