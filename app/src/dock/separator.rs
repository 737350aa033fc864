//! The edge between page and dock: drawn with the pointer or moved with the arrow keys.

use kit::{browser, effect, live, on};
use leptos::{ev, prelude::*};

use super::{
    Dock, DockSide,
    settings::{LEAST, most, window_width},
};

use crate::texts::dock as texts;

/// Pixels for one press of an arrow key.
const STEP: i32 = 24;

pub(super) fn separator(dock: Dock) -> AnyView {
    let window = RwSignal::new(window_width());
    let width = move || dock.settings.read().shown_width(window.get());
    let set = move |width: i32| {
        let width = width.clamp(LEAST, most(window_width()));
        dock.settings.update(|settings| settings.width = width);
    };
    effect(move || {
        let resized = window_event_listener(ev::resize, move |_| {
            window.set(window_width());
            dock.settings.read_untracked().apply();
        });
        on_cleanup(move || resized.remove());
    });
    let key = move |event: ev::KeyboardEvent| {
        let now = untrack(width);
        let right = dock.settings.read_untracked().side == DockSide::Right;
        let next = match event.key().as_str() {
            "ArrowLeft" if right => now + STEP,
            "ArrowRight" if right => now - STEP,
            "ArrowLeft" => now - STEP,
            "ArrowRight" => now + STEP,
            "Home" => LEAST,
            "End" => most(window_width()),
            _ => return,
        };
        event.prevent_default();
        set(next);
    };
    let grip = move |event: ev::PointerEvent| {
        event.prevent_default();
        let element: web_sys::Element = event_target(&event);
        browser::report(element.set_pointer_capture(event.pointer_id()));
    };
    let draw = move |event: ev::PointerEvent| {
        let element: web_sys::Element = event_target(&event);
        if element.has_pointer_capture(event.pointer_id()) {
            let side = dock.settings.read_untracked().side;
            set(match side {
                DockSide::Right => window_width() - event.client_x(),
                DockSide::Left => event.client_x() - browser::left_of("dock"),
            });
        }
    };
    view! {
        <div
            class="dock__separator"
            role="separator"
            tabindex="0"
            aria-orientation="vertical"
            aria-label=texts::WIDTH_OF_THE_CHAT_IN_PIXELS
            aria-controls="dock"
            aria-valuemin=LEAST
            aria-valuemax=live(move || most(window.get()))
            aria-valuenow=live(width)
            on:keydown=on(key)
            on:pointerdown=on(grip)
            on:pointermove=on(draw)
        ></div>
    }
    .into_any()
}
