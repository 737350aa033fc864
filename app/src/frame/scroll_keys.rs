//! Keys that scroll reach the page on view, whatever was clicked before.
//!
//! A browser scrolls what has the focus, or what that is in. The pages scroll inside the frame, so
//! that after loading, nothing would answer to the keys.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;

/// The part of a page that scrolls; each is marked.
const SCROLLER: &str = "[data-scroller]";
/// A field for messages without any text.
const EMPTY_FIELD: &str = ".composer__field:placeholder-shown";
/// The part of its height by which a page key moves a transcript.
const PAGE: f64 = 0.85;

/// Handles a key that reached the window.
pub(super) fn scroll(event: &ev::KeyboardEvent) {
    let chord = event.ctrl_key() || event.alt_key() || event.meta_key();
    if event.default_prevented() || chord {
        return;
    }
    let key = event.key();
    let target = event.target();
    let Some(target) = target.and_then(|it| it.dyn_into::<web_sys::Element>().ok()) else {
        return;
    };
    // From a field without text, pages of the transcript above it.
    let down = match &*key {
        "PageDown" => Some(true),
        "PageUp" => Some(false),
        _ => None,
    };
    if let Some(down) = down
        && target.matches(EMPTY_FIELD).unwrap_or_default()
        && let Some(scroller) = scroller(target.closest(".dock, #main").ok().flatten())
    {
        let height = PAGE * f64::from(scroller.client_height());
        scroller.scroll_by_with_x_and_y(0.0, if down { height } else { -height });
        event.prevent_default();
        return;
    }
    let scrolls = down.is_some() || matches!(&*key, "Home" | "End" | "ArrowUp" | "ArrowDown" | " ");
    let nobodys = target.matches("body, #main").unwrap_or_default();
    if scrolls && nobodys {
        let main = document().get_element_by_id("main");
        if let Some(scroller) = scroller(main) {
            // The browser goes on with the key, now there.
            let options = web_sys::FocusOptions::new();
            options.set_prevent_scroll(true);
            kit::browser::report(scroller.focus_with_options(&options));
        }
    }
}

fn scroller(place: Option<web_sys::Element>) -> Option<web_sys::HtmlElement> {
    let found = place?.query_selector(SCROLLER).ok().flatten();
    found.and_then(|it| it.dyn_into().ok())
}
