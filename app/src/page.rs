//! Pages: one for each route.

mod chart;
mod chat;
mod feed;
mod home;
mod hud;
mod not_found;
mod states;
mod thing;

#[cfg(feature = "hydrate")]
use crate::{
    chart::preload_chart,
    chat::preload_shared,
    feed::preload_feed,
    hud::{preload_hud, preload_thing},
    route::{Page, here},
};

/// Loads the part of the code that the page in the address bar needs: a page that the server rendered
/// comes to life in one go, or not at all.
#[cfg(feature = "hydrate")]
pub async fn load_code() {
    let loaded = match here() {
        Page::Hud => preload_hud().await.is_ok(),
        Page::Thing(_) => preload_thing().await.is_ok(),
        Page::Chart(_) => preload_chart().await.is_ok(),
        Page::Feed(_) => preload_feed().await.is_ok(),
        Page::Shared(_) => preload_shared().await.is_ok(),
        Page::Home | Page::Chat(_) | Page::NoChat | Page::Nowhere => true,
    };
    if !loaded {
        leptos::logging::error!("the code of this page could not be loaded");
    }
}

pub(crate) use chart::ChartPage;
pub(crate) use chat::{ChatPage, missing_conversation, shared_page};
pub(crate) use feed::FeedPage;
pub(crate) use home::HomePage;
pub(crate) use hud::HudPage;
pub(crate) use not_found::{NotFoundPage, NotFoundView};
pub(crate) use thing::ThingPage;
