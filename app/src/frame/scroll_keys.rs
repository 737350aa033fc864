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
    // In pages of what scrolls. From a field without text, these keys move the transcript above it.
    let pages = match &*key {
        "PageDown" => Some(PAGE),
        "PageUp" => Some(-PAGE),
        "End" => Some(f64::INFINITY),
        "Home" => Some(f64::NEG_INFINITY),
        _ => None,
    };
    if let Some(pages) = pages
        && !event.shift_key()
        && target.matches(EMPTY_FIELD).unwrap_or_default()
        && let Some(scroller) = scroller(target.closest(".dock, #main").ok().flatten())
    {
        let far = f64::from(scroller.scroll_height());
        let by = pages * f64::from(scroller.client_height());
        // `clamp` would bring along the code that writes numbers, 8 kB, for its panic.
        scroller.scroll_by_with_x_and_y(0.0, by.min(far).max(-far));
        event.prevent_default();
        return;
    }
    let scrolls = pages.is_some() || matches!(&*key, "ArrowUp" | "ArrowDown" | " ");
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
