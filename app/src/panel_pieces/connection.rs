//! The connection to the server, as a page shows it beside old data.

use kit::{Icon, icon, live_view, press};
use leptos::prelude::*;

use crate::{
    channel::{Channel, Connection},
    texts::panel_pieces as texts,
};

/// Returns whether the server is away, so that what the page shows is not current.
pub(crate) fn is_away(channel: Channel) -> bool {
    !matches!(
        channel.connection.get(),
        Connection::Live | Connection::Connecting
    )
}

/// Draws the button that connects again; nothing while there is a connection.
pub(crate) fn reconnect_button(channel: Channel) -> AnyView {
    live_view(move || {
        let can = matches!(
            channel.connection.get(),
            Connection::Waiting { .. } | Connection::Reconnecting | Connection::Offline
        );
        can.then(|| {
            view! {
                <button
                    type="button"
                    class="button button--small"
                    on:click=press(move || channel.reconnect())
                >
                    {icon(Icon::RETRY)}
                    {texts::RECONNECT_NOW}
                </button>
            }
        })
        .into_any()
    })
}
