//! The button that begins an analysis of a bundle: a conversation in plan mode, which has no tools.

use kit::{browser, press};
use leptos::prelude::*;
use protocol::{Command, Mode, Reference};

use super::texts::pages as say;
use crate::{channel::Channel, conversation::Conversation, dock::Dock};

/// Draws the button. The chat beside the page then has the analysis, and the way to a script.
pub(super) fn analyse(bundle: &str) -> AnyView {
    let channel = expect_context::<Channel>();
    let dock = expect_context::<Dock>();
    let about = Reference::new("bundle", bundle);
    let begin = move || {
        let id = browser::new_conversation_id();
        channel
            .opened
            .insert(Conversation::new(id, channel.names()));
        channel.command(Command::Start {
            conversation: id,
            mode: Mode::Plan,
            text: say::ANALYSE_ORDER.to_owned(),
            from: None,
            plan: None,
            choice: None,
            references: vec![about.clone()],
            packs: None,
        });
        dock.take_up(id);
    };
    view! {
        <button
            type="button"
            class="button button--small"
            title=say::ANALYSE_NOTE
            on:click=press(begin)
        >
            {say::ANALYSE}
        </button>
    }
    .into_any()
}
