//! The message that led to a drawing, or to a change of one.

use kit::press;
use leptos::prelude::*;
use protocol::ConversationId;

use super::{page_state::ChartPageState, texts};

/// A conversation, and the row in it.
pub(super) type Origin = (ConversationId, String);

/// Returns the row of a call, from what a record has of it. None for what was done by hand.
pub(super) fn origin(
    conversation: Option<&str>,
    message: Option<&str>,
    call: Option<&str>,
) -> Option<Origin> {
    let (conversation, message) = (conversation?.parse().ok()?, message?);
    Some((
        conversation,
        match call {
            None => message.to_owned(),
            Some(call) => format!("{message}-{call}"),
        },
    ))
}

/// Draws the button that leads to it.
pub(super) fn lead(shared: ChartPageState, origin: Option<Origin>) -> AnyView {
    let Some((conversation, row)) = origin else {
        return ().into_any();
    };
    let go = move || shared.dock.lead(shared.channel, conversation, row.clone());
    view! {
        <button type="button" class="button button--small" on:click=press(go)>
            {texts::drawings::SHOW_MESSAGE}
        </button>
    }
    .into_any()
}
