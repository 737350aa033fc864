//! Wall mode: the board alone in large type, for an unattended screen.

use kit::{Icon, browser, effect, icon, live, press};
use leptos::{ev, prelude::*};

use super::texts;
use crate::keys::{KeyAct, Keys};

/// This device's storage key: a screen on a wall comes back as it was.
const KEPT: &str = "jarvis.wall";

#[derive(Clone, Copy)]
pub(super) struct Wall {
    on: RwSignal<bool>,
    keys: Keys,
}

impl Wall {
    pub(super) fn new() -> Self {
        let wall = Self {
            on: RwSignal::new(false),
            keys: expect_context::<Keys>(),
        };
        effect(move || {
            if browser::recall_here(KEPT).is_some_and(|kept| kept == "on") {
                wall.on.set(true);
            }
            let keys = window_event_listener(ev::keydown, move |event| wall.key(&event));
            on_cleanup(move || keys.remove());
        });
        // For the frame and the size of the letters. A style that asks whether the board is there would
        // be computed anew with each change of any page.
        effect(move || {
            browser::mark_page("data-wall", wall.on.get());
            on_cleanup(|| browser::mark_page("data-wall", false));
        });
        wall
    }

    pub(super) fn is_on(self) -> bool {
        self.on.get()
    }

    fn turn(self) {
        self.on.update(|on| *on = !*on);
        browser::remember_here(KEPT, if self.on.get_untracked() { "on" } else { "" });
    }

    fn key(self, event: &ev::KeyboardEvent) {
        let leaves = self.on.get_untracked()
            && event.key() == "Escape"
            && !event.default_prevented()
            && !browser::has_popover()
            && !browser::has_dialog();
        if leaves || (self.keys.hit(KeyAct::Wall, event) && !event.repeat()) {
            event.prevent_default();
            self.turn();
        }
    }
}

pub(super) fn wall_button(wall: Wall) -> AnyView {
    let name = live(move || {
        if wall.is_on() {
            texts::hud::LEAVE_WALL_MODE
        } else {
            texts::hud::WALL_MODE
        }
    });
    let title = live(move || {
        let says = if wall.is_on() {
            texts::hud::LEAVE_WALL_MODE
        } else {
            texts::hud::WALL_MODE_MEANS
        };
        wall.keys.title(says, KeyAct::Wall)
    });
    view! {
        <button
            type="button"
            class="button button--small button--quiet wall-button"
            aria-label=name
            title=title
            on:click=press(move || wall.turn())
        >
            {icon(Icon::SCREEN)}
        </button>
    }
    .into_any()
}
