//! The keys of the page: digits take up tools, Escape gives up, comma and full stop change the
//! timeframe, and letters with Shift are for the whole chart.

use std::cmp::Ordering;

use kit::{browser, effect};
use leptos::{ev, leptos_dom::helpers::window_event_listener_untyped, prelude::*};

use super::page_state::ChartPageState;

/// Elements in which a character is typed, or selects something.
const FIELDS: &str = "input, textarea, select, [contenteditable]";

/// Handles the keys, wherever the focus is on the page.
pub(super) fn follow_keys(shared: ChartPageState) {
    effect(move || {
        let keys = window_event_listener(ev::keydown, move |event| {
            if shared.is_there() && shared.key(&event) {
                event.prevent_default();
            }
        });
        on_cleanup(move || keys.remove());
    });
}

impl ChartPageState {
    /// Returns whether the event was a key of the page.
    fn key(self, event: &ev::KeyboardEvent) -> bool {
        let key = event.key();
        if key == "Escape" {
            return self.escape(event);
        }
        // A shortcut of the whole console comes first: people can give it any keys.
        let elsewhere = event.default_prevented()
            || event.is_composing()
            || event.repeat()
            || event.alt_key()
            || browser::happened_in(event, FIELDS)
            || browser::has_dialog();
        if elsewhere {
            return false;
        }
        if event.ctrl_key() || event.meta_key() {
            return match (key.to_ascii_lowercase().as_str(), event.shift_key()) {
                ("z", false) => self.undo_change(None),
                ("z", true) | ("y", false) => self.redo_change(),
                _ => false,
            };
        }
        if event.shift_key() {
            match key.to_ascii_lowercase().as_str() {
                "f" => self.fill(),
                "l" => self.toggle_scale(),
                "m" => self.toggle_measure(),
                "r" => self.toggle_replay(),
                _ => return false,
            }
            return true;
        }
        match key.as_str() {
            "," => self.to_timeframe(Ordering::Less),
            "." => self.to_timeframe(Ordering::Greater),
            _ => self.take_by_key(&key),
        }
    }

    /// Goes to the next longer timeframe or the next shorter one; returns whether there is one.
    fn to_timeframe(self, way: Ordering) -> bool {
        let next = self.at.read_untracked().in_next(way);
        let goes = next.is_some();
        if let Some(next) = next {
            self.route.go(next.page());
        }
        goes
    }

    /// Puts down the tool, or else leaves the full window.
    fn escape(self, event: &ev::KeyboardEvent) -> bool {
        if self.tool.get_untracked().is_some() {
            self.take(None);
            return true;
        }
        let leaves = self.full.get_untracked()
            && !event.default_prevented()
            && !browser::has_popover()
            && !browser::has_dialog();
        if leaves {
            self.fill();
        }
        leaves
    }

    /// Lets the chart fill the window, and the window the screen, or ends that.
    pub(super) fn fill(self) {
        let full = !self.full.get_untracked();
        self.full.set(full);
        browser::fill_screen(full);
    }
}

/// Ends the full window with the full screen, which the browser ends on its own as well.
pub(super) fn leave_full(shared: ChartPageState) {
    effect(move || {
        let ended = window_event_listener_untyped("fullscreenchange", move |_| {
            if document().fullscreen_element().is_none() {
                shared.full.try_set(false);
            }
        });
        on_cleanup(move || ended.remove());
    });
    on_cleanup(move || {
        if shared.full.try_get_untracked() == Some(true) {
            browser::fill_screen(false);
        }
    });
}
