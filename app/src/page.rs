//! Pages: one for each route outside the panels.

mod chat;
mod feed;
mod home;

#[cfg(feature = "hydrate")]
use kit::browser;

#[cfg(feature = "hydrate")]
use crate::{
    chat::{load_calls, preload_shared},
    panel,
    route::{Page, here},
};

/// Loads the part of the code that the page in the address bar needs: a page rendered by the server
/// hydrates in one go, or not at all.
#[cfg(feature = "hydrate")]
pub(crate) async fn load_code() {
    let loaded = match here() {
        Page::Panel(path) => match panel::at(&path) {
            Some((panel, path)) => (panel.load)(&path).await,
            None => true,
        },
        Page::Feed(_) => feed::preload_feed().await.is_ok(),
        Page::Shared(_) => preload_shared().await.is_ok(),
        // In place of a conversation there may be a call of the person's own.
        Page::Chat(_) => !browser::has(".own-call-page") || preload_shared().await.is_ok(),
        Page::Home | Page::NoChat | Page::Nowhere => true,
    };
    let asks = browser::has(".confirm--asks");
    let loaded = loaded && (!asks || load_calls().await);
    if !loaded {
        leptos::logging::error!("the code of this page could not be loaded");
    }
}

pub(crate) use chat::{ChatPage, missing_conversation, shared_page};
pub(crate) use feed::feed_page;
pub(crate) use home::HomePage;
