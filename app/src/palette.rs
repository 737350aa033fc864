//! The palette: one field that leads to pages, conversations, things of all domains, settings and
//! actions. Its code is a part of the module, loaded on first use.

mod entries;
mod view;

use kit::browser;
use leptos::prelude::*;
use view::show_palette;

use crate::{channel::Channel, route::Route};

/// The mark behind an address of a page with the module that opens the palette: the link of pages
/// without the module.
pub(crate) const OPEN: &str = "search";

/// A handle on what the palette acts on. What belongs to the frame comes as callbacks, so that the
/// frame can know the palette.
#[derive(Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) channel: Channel,
    pub(crate) route: Route,
    /// Opens or closes the chat beside the page.
    pub(crate) dock: Callback<()>,
    /// Shows the field that searches all conversations.
    pub(crate) search: Callback<()>,
    /// Shows the keyboard shortcuts.
    pub(crate) shortcuts: Callback<()>,
}

impl Palette {
    /// Opens it if the address says so. Call it once, in the browser.
    pub(crate) fn start(self) {
        if browser::hash().as_deref() == Some(OPEN) {
            self.show();
        }
    }

    /// Opens it over the page.
    pub(crate) fn show(self) {
        leptos::task::spawn_local(async move {
            if let Err(error) = show_palette(self).await {
                leptos::logging::warn!("{error}");
            }
        });
    }
}
