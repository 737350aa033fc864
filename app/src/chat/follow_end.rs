//! Keeps the end of the transcript in view while the reader is there, and only then.

use std::cmp::Ordering;

use kit::{browser, effect};
use leptos::{ev, html, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};

/// Distance from the end that counts as returning to it, in pixels.
const NEAR: i32 = 96;

/// The reader's position.
#[derive(Clone, Copy)]
pub(super) struct Stick {
    /// True once the page is alive and manages the position itself.
    pub(super) alive: RwSignal<bool>,
    pub(super) at_end: RwSignal<bool>,
    /// True if there is new text since the reader left the end.
    pub(super) fresh: RwSignal<bool>,
    /// True if the end of the rows on view is not the end of the conversation.
    apart: Signal<bool>,
    /// Increased to request a scroll to the end.
    wish: RwSignal<u32>,
    /// True if the reader just opened something: its growth must not pull the page along.
    hold: StoredValue<bool>,
    /// The scroll position at the last check.
    top: StoredValue<i32>,
    /// The card that was scrolled into view from its beginning.
    question: StoredValue<String>,
}

impl Stick {
    pub(super) fn new(apart: Signal<bool>) -> Self {
        Self {
            apart,
            alive: RwSignal::new(false),
            at_end: RwSignal::new(true),
            fresh: RwSignal::new(false),
            wish: RwSignal::new(0),
            hold: StoredValue::new(false),
            top: StoredValue::new(0),
            question: StoredValue::new(String::new()),
        }
    }

    /// Records new text.
    pub(super) fn news(self) {
        if !self.at_end.get_untracked() {
            self.fresh.set(true);
        }
    }

    /// Reads the new scroll position. The old one tells who moved it: the page only ever scrolls
    /// down, so up is the reader's doing, however near the end is and however fast it grows.
    pub(super) fn moved(self, scroller: &web_sys::Element) {
        let top = scroller.scroll_top();
        let before = self
            .top
            .try_update_value(|kept| std::mem::replace(kept, top));
        match before.map(|before| top.cmp(&before)) {
            // Text that became shorter moves up too, down to its end.
            Some(Ordering::Less) => self.be(rest(scroller) <= 1),
            Some(Ordering::Greater) if rest(scroller) <= NEAR => self.be(true),
            _ => {}
        }
    }

    /// Follows growing text: to its end, or to the beginning of a card that is longer than the
    /// window, once. While that is open, the page stays where its reader has it.
    fn follow(self, scroller: &web_sys::Element) {
        let asks = scroller.query_selector(".confirm--asks").ok().flatten();
        let Some(asks) = asks else {
            return go(scroller);
        };
        let id = asks.get_attribute("aria-labelledby").unwrap_or_default();
        let known = self.question.try_update_value(|known| {
            *known == id || {
                known.clone_from(&id);
                false
            }
        });
        if known == Some(false) {
            go(scroller);
            let (top, edge) = (
                asks.get_bounding_client_rect().y(),
                scroller.get_bounding_client_rect().y() + 12.0,
            );
            if top < edge {
                scroller.set_scroll_top(scroller.scroll_top() - (edge - top) as i32);
            }
        }
    }

    /// Records that the reader went elsewhere.
    pub(super) fn leave(self) {
        self.be(false);
    }

    /// Records that the page itself moved the text there.
    pub(super) fn put_at(self, top: i32) {
        self.top.try_set_value(top);
    }

    fn be(self, at_end: bool) {
        let at_end = at_end && self.apart.try_get_untracked() == Some(false);
        if self.at_end.try_get_untracked() != Some(at_end) {
            self.at_end.try_set(at_end);
        }
        if at_end {
            self.fresh.try_set(false);
        }
    }

    /// Scrolls to the end and stays there.
    pub(super) fn to_end(self) {
        self.at_end.set(true);
        self.wish.update(|wish| *wish += 1);
    }
}

/// An observer with the function that it calls; both are dropped together.
struct Watch {
    size: web_sys::ResizeObserver,
    _grown: Closure<dyn FnMut()>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.size.disconnect();
    }
}

/// Watches the scrolled element and the growing content in it.
pub(super) fn stick_to_end(
    stick: Stick,
    scroller: NodeRef<html::Div>,
    content: NodeRef<html::Div>,
) {
    effect(move || {
        let (Some(scroller), Some(content)) = (scroller.get(), content.get()) else {
            return;
        };
        // A reader who came for a message starts there, and not at the end.
        let named = browser::named_in(&content);
        if named.is_some() {
            stick.be(false);
        }
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
        match watch(stick, &scroller, &content) {
            // Lives in this effect: its drop ends the watch.
            Ok(watch) => {
                let watch = StoredValue::new_local(watch);
                on_cleanup(move || watch.dispose());
            }
            Err(error) => browser::report(Err::<(), _>(error)),
        }
        // After the class that kept the end in view is gone.
        request_animation_frame(move || match &named {
            Some(row) => browser::show_row(row),
            None => stick.follow(&scroller),
        });
    });
    effect(move || {
        stick.wish.track();
        if let Some(scroller) = scroller.get_untracked() {
            go(&scroller);
            // The field was emptied and became short, which moves the text: not its reader did.
            stick.put_at(scroller.scroll_top());
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
) -> Result<Watch, wasm_bindgen::JsValue> {
    let grown: Closure<dyn FnMut()> = {
        let scroller = scroller.clone();
        Closure::new(move || {
            stick.moved(&scroller);
            if rest(&scroller) <= 0 {
                // It became so short that all of it is visible.
                stick.be(true);
            }
            if stick.hold.try_update_value(std::mem::take).unwrap_or(false) {
                stick.be(rest(&scroller) <= NEAR);
            } else if stick.at_end.try_get_untracked() == Some(true) {
                stick.follow(&scroller);
                stick.moved(&scroller);
            }
        })
    };
    let size = web_sys::ResizeObserver::new(grown.as_ref().unchecked_ref())?;
    size.observe(content);
    size.observe(scroller);
    Ok(Watch {
        size,
        _grown: grown,
    })
}

/// Returns the height of the text below the view, in pixels.
fn rest(scroller: &web_sys::Element) -> i32 {
    scroller.scroll_height() - scroller.client_height() - scroller.scroll_top()
}
