//! The state of the tab's connection, in a word and a colour.

use kit::{browser, format::between, live, live_text};
use leptos::prelude::*;

use crate::{
    channel::{Channel, Connection},
    texts::frame as texts,
};

#[component]
pub(super) fn ConnectionMark() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let connection = channel.connection;
    let class = live(move || match connection.get() {
        Connection::Live => "connection connection--live",
        Connection::Connecting => "connection",
        Connection::Waiting { .. } | Connection::Reconnecting => "connection connection--waiting",
        Connection::Offline | Connection::SignedOut | Connection::Outdated => {
            "connection connection--down"
        }
    });
    let countdown = live_text(move || match connection.get() {
        Connection::Waiting { until } => {
            channel.clock.second();
            let seconds = between(browser::now(), until).div_ceil(1000);
            texts::reconnecting_in_s(seconds)
        }
        other => word(other).to_owned(),
    });
    // The countdown is visual only: it would be announced every second.
    view! {
        <div class=class title=live(move || word(connection.get()))>
            <span class="connection__light" aria-hidden="true"></span>
            <span class="connection__word" aria-hidden="true">
                {countdown}
            </span>
            <span class="visually-hidden" role="status">
                {live_text(move || word(connection.get()).to_owned())}
            </span>
        </div>
    }
    .into_any()
}

fn word(connection: Connection) -> &'static str {
    match connection {
        Connection::Connecting => texts::CONNECTING,
        Connection::Live => texts::LIVE,
        Connection::Waiting { .. } | Connection::Reconnecting => texts::RECONNECTING,
        Connection::Offline => texts::OFFLINE,
        Connection::SignedOut => texts::SIGNED_OUT,
        Connection::Outdated => texts::OUTDATED_PAGE,
    }
}
