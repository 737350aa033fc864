//! Read receipts of a conversation.
//!
//! An event counts as seen once the person looks at the end of the transcript in a window that has
//! the focus; other tabs learn of it through the list.

use kit::{browser, effect};
use leptos::prelude::*;

use super::follow_end::Stick;
use crate::{
    api,
    channel::{Channel, Connection},
    conversation::Conversation,
};

/// Tells the server that the person has seen new events, once they look at the end. Until then it
/// checks every second; there is one receipt for each end of a turn and each request.
pub(super) fn see(conversation: &Conversation, stick: Stick) {
    let channel = expect_context::<Channel>();
    let list = channel.list;
    let conversation = conversation.clone();
    let id = conversation.id();
    let told = StoredValue::new(None);
    effect(move || {
        if let Some(seq) = conversation.take_unread() {
            list.note_unread(id, Some(seq));
        }
        let Some(seq) = list.unread_in(id) else {
            return;
        };
        channel.clock.second();
        // Before it is alive, the reader's position is unknown.
        let at_end = stick.alive.get() && stick.at_end.get();
        let live = channel.connection.get() == Connection::Live;
        if live && at_end && conversation.head() >= seq && browser::is_looked_at() {
            list.note_unread(id, None);
            // A list that was on its way does not know it yet.
            if told.get_value() >= Some(seq) {
                return;
            }
            told.set_value(Some(seq));
            leptos::task::spawn_local(async move {
                if api::seen(id, seq).await.is_err() {
                    // Such as without a connection: it is sent again when there is one, or with the
                    // next page.
                    let _gone = told.try_set_value(None);
                    list.note_unread(id, Some(seq));
                }
            });
        }
    });
}
