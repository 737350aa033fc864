//! The palette: one field that leads to pages, conversations, things of all domains, settings and
//! actions. Its code is a part of the module, loaded on first use.

mod entries;
mod view;

use view::show_palette;

use crate::{channel::Channel, dock::Dock, frame::Layout, keys::Keys, route::Route};

/// A handle on what the palette acts on.
#[derive(Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) channel: Channel,
    pub(crate) dock: Dock,
    pub(crate) keys: Keys,
    pub(crate) layout: Layout,
    pub(crate) route: Route,
}

impl Palette {
    /// Opens it over the page.
    pub(crate) fn show(self) {
        leptos::task::spawn_local(async move {
            if let Err(error) = show_palette(self).await {
                leptos::logging::warn!("{error}");
            }
        });
    }
}
