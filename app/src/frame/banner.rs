//! Banners on the state of the connection and the server.

use kit::{browser, live_view, press};
use leptos::prelude::*;

use crate::{
    channel::{Channel, Connection},
    texts::{common, frame as texts},
};

/// Shows on every page that the server cannot save, and why.
#[component]
pub(super) fn StorageBanner() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let shown = move || {
        let error = channel.unsaved.get();
        let told = error.map(|error| {
            view! {
                <div class="banner banner--bad">
                    <p><strong>{error.message}</strong> " " {error.help}</p>
                </div>
            }
        });
        told.into_any()
    };
    view! { <div role="status">{live_view(shown)}</div> }.into_any()
}

#[component]
pub(super) fn Banner() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let text = move || match channel.connection.get() {
        Connection::SignedOut => Some((
            "banner banner--bad",
            texts::YOU_ARE_SIGNED_OUT,
            common::TRY_AGAIN,
        )),
        Connection::Outdated => Some(("banner banner--bad", texts::VERSIONS_DIFFER, texts::RELOAD)),
        Connection::Offline => Some(("banner", texts::NO_NETWORK, texts::TRY_NOW)),
        _ if channel.newer.get() => Some((
            "banner banner--info",
            texts::A_NEWER_VERSION_OF_JARVIS_IS_RUNNING,
            texts::RELOAD,
        )),
        _ => None,
    };
    // This tab keeps what waits to be sent.
    let way = move || {
        let signed_out = channel.connection.get() == Connection::SignedOut;
        signed_out.then(|| {
            view! {
                <a href="/sign-in" target="_blank" rel="noopener">
                    {texts::SIGN_IN_IN_ANOTHER_TAB}
                </a>
            }
            .into_any()
        })
    };
    let act = move || {
        let outdated = channel.connection.get_untracked() == Connection::Outdated;
        if outdated || channel.newer.get_untracked() {
            browser::reload();
        } else {
            channel.reconnect();
        }
    };
    view! {
        <div role="status">
            {live_view(move || {
                text()
                    .map(|(class, text, action)| {
                        view! {
                            <div class=class>
                                <p>{text} " " {way()}</p>
                                <button type="button" class="button button--small" on:click=press(act)>
                                    {action}
                                </button>
                            </div>
                        }
                    })
                    .into_any()
            })}
        </div>
    }
    .into_any()
}
