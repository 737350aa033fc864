//! Keeps the end of the transcript in view while the reader is there, and nowhere else.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};

use crate::browser;

/// How far from the end still counts as being there.
const NEAR: &str = "0px 0px 96px 0px";

/// Where the reader is.
#[derive(Clone, Copy)]
pub(super) struct Stick {
    /// The page is alive and takes care of the position itself.
    pub(super) alive: RwSignal<bool>,
    pub(super) at_end: RwSignal<bool>,
    /// Something came since the reader left the end.
    pub(super) fresh: RwSignal<bool>,
    /// Raised to go to the end.
    wish: RwSignal<u32>,
    /// The reader opened something: its growth must not pull the page along.
    hold: StoredValue<bool>,
}

impl Stick {
    pub(super) fn new() -> Self {
        Self {
            alive: RwSignal::new(false),
            at_end: RwSignal::new(true),
            fresh: RwSignal::new(false),
            wish: RwSignal::new(0),
            hold: StoredValue::new(false),
        }
    }

    /// Something new was written.
    pub(super) fn news(self) {
        if !self.at_end.get_untracked() {
            self.fresh.set(true);
        }
    }

    /// Goes to the end and stays there.
    pub(super) fn to_end(self) {
        self.at_end.set(true);
        self.wish.update(|wish| *wish += 1);
    }
}

type Observe = Closure<dyn FnMut(js_sys::Array)>;

/// Observers with the functions that they call; both end together.
struct Watch {
    size: web_sys::ResizeObserver,
    end: web_sys::IntersectionObserver,
    _called: [Observe; 2],
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.size.disconnect();
        self.end.disconnect();
    }
}

/// Watches the scrolled element, the content that grows in it, and a mark at its end.
pub(super) fn stick_to_end(
    stick: Stick,
    scroller: NodeRef<html::Div>,
    content: NodeRef<html::Div>,
    end: NodeRef<html::Div>,
) {
    Effect::new(move |_| {
        let (Some(scroller), Some(content), Some(end)) = (scroller.get(), content.get(), end.get())
        else {
            return;
        };
        stick.alive.set(true);
        let clicks = window_event_listener(ev::click, move |event| {
            let summary = event
                .target()
                .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
                .and_then(|element| element.closest("summary").ok().flatten());
            if summary.is_some() {
                stick.hold.try_set_value(true);
            }
        });
        on_cleanup(move || clicks.remove());
        match watch(stick, &scroller, &content, &end) {
            // Lives in this effect: its drop ends the watch.
            Ok(watch) => {
                let watch = StoredValue::new_local(watch);
                on_cleanup(move || watch.dispose());
            }
            Err(error) => browser::report(Err::<(), _>(error)),
        }
        // After the class that held the end in view is gone.
        request_animation_frame(move || go(&scroller));
    });
    Effect::new(move |_| {
        stick.wish.track();
        if let Some(scroller) = scroller.get_untracked() {
            go(&scroller);
        }
    });
}

fn go(scroller: &web_sys::Element) {
    scroller.set_scroll_top(scroller.scroll_height());
}

fn watch(
    stick: Stick,
    scroller: &web_sys::Element,
    content: &web_sys::Element,
    end: &web_sys::Element,
) -> Result<Watch, wasm_bindgen::JsValue> {
    let grown: Observe = {
        let scroller = scroller.clone();
        Closure::new(move |_: js_sys::Array| {
            let held = stick.hold.try_update_value(std::mem::take).unwrap_or(false);
            if !held && stick.at_end.try_get_untracked() == Some(true) {
                go(&scroller);
            }
        })
    };
    let moved: Observe = Closure::new(move |entries: js_sys::Array| {
        let newest = entries.pop();
        let entry: &web_sys::IntersectionObserverEntry = newest.unchecked_ref();
        let there = entry.is_intersecting();
        if stick.at_end.try_get_untracked() != Some(there) {
            stick.at_end.try_set(there);
        }
        if there {
            stick.fresh.try_set(false);
        }
    });
    let size = web_sys::ResizeObserver::new(grown.as_ref().unchecked_ref())?;
    size.observe(content);
    size.observe(scroller);
    let options = web_sys::IntersectionObserverInit::new();
    options.set_root(Some(scroller));
    options.set_root_margin(NEAR);
    let at_end =
        web_sys::IntersectionObserver::new_with_options(moved.as_ref().unchecked_ref(), &options)?;
    at_end.observe(end);
    Ok(Watch {
        size,
        end: at_end,
        _called: [grown, moved],
    })
}
