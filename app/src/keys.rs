//! The keyboard map: the name of each shortcut, its default keys, and the keys that a person gave
//! it on this device. Every handler of a shortcut asks here.

mod bindings;
mod chord;
mod map;

use kit::browser;
use leptos::{ev, prelude::*};
use protocol::{ConversationId, ConversationSummary};

use bindings::Bindings;
pub(crate) use bindings::KeyAct;
use chord::{is_plain, of_event, shown};
use map::show_map;

use crate::{dock::Dock, layout::Layout, palette::Palette, route::Page};

/// This device's storage key for them.
const KEPT: &str = "jarvis.keys";

/// The current key bindings.
#[derive(Clone, Copy)]
pub(crate) struct Keys(RwSignal<Bindings>);

impl Keys {
    /// Creates the defaults: a page of the server and its first tree here know no others.
    pub(crate) fn new() -> Self {
        Self(RwSignal::new(Bindings::default()))
    }

    /// Loads the stored bindings, and listens. Call it once, in the browser.
    pub(crate) fn start(self, palette: Palette, dock: Dock, layout: Layout) {
        let Palette { channel, route, .. } = palette;
        if let Some(kept) = browser::recall_here(KEPT) {
            self.0.set(Bindings::read(&kept));
        }
        let run = move |act| match act {
            KeyAct::Map => {
                self.show();
                true
            }
            KeyAct::Palette => {
                palette.show();
                true
            }
            KeyAct::New => {
                route.go(Page::Home);
                browser::focus_on(".composer__field");
                true
            }
            KeyAct::Chat => {
                route.go(dock.page());
                true
            }
            KeyAct::Panel(tab) => {
                route.go(Page::of(tab.path));
                true
            }
            KeyAct::Feed => {
                route.go(Page::Feed(None));
                true
            }
            KeyAct::Compose => {
                browser::focus_on(".composer__field") || (!dock.is_shown() && dock.toggle_here())
            }
            KeyAct::Dock => dock.toggle_here(),
            KeyAct::Sidebar => {
                layout.toggle(dock);
                true
            }
            KeyAct::Next | KeyAct::Previous => {
                let here = match route.page() {
                    Page::Chat(id) => Some(id),
                    _ => None,
                };
                let lines = channel.list.lines.get();
                let to = neighbour(&lines, here, act == KeyAct::Next);
                if let Some(id) = to {
                    route.go(Page::Chat(id));
                }
                to.is_some()
            }
            KeyAct::Settings => {
                browser::report(window().location().set_href("/settings"));
                true
            }
            // Handled by the component concerned.
            KeyAct::Stop | KeyAct::Search | KeyAct::Wall => false,
        };
        window_event_listener(ev::keydown, move |event| {
            let act = KeyAct::all().find(|act| self.hit(*act, &event));
            if let Some(act) = act.filter(|_| !event.repeat())
                && untrack(|| run(act))
            {
                event.prevent_default();
            }
        });
    }

    /// Returns whether an event presses a shortcut: not while a text is composed, not under an open
    /// dialog, and not a plain character in a field, where it is typed.
    pub(crate) fn hit(self, act: KeyAct, event: &ev::KeyboardEvent) -> bool {
        let Some(pressed) = of_event(event) else {
            return false;
        };
        let elsewhere = event.default_prevented()
            || event.is_composing()
            || (is_plain(&pressed) && browser::happened_in(event, FIELDS))
            || browser::has_dialog();
        !elsewhere && self.0.read_untracked().of(act) == pressed
    }

    /// Returns the keys of a shortcut for people, such as `Ctrl+I`.
    pub(crate) fn shown(self, act: KeyAct) -> String {
        shown(self.0.read().of(act))
    }

    /// Returns the title of a button, with its keys.
    pub(crate) fn title(self, name: &str, act: KeyAct) -> String {
        format!("{name} ({})", self.shown(act))
    }

    /// Opens the list of all shortcuts. Its code is loaded on first use.
    pub(crate) fn show(self) {
        leptos::task::spawn_local(async move {
            if let Err(error) = show_map(self).await {
                leptos::logging::warn!("{error}");
            }
        });
    }
}

/// Elements in which a character is typed, or selects something.
const FIELDS: &str = "input, textarea, select, [contenteditable]";

/// Returns the conversation below or above in the list; if none is open, the first.
fn neighbour(
    lines: &[ConversationSummary],
    here: Option<ConversationId>,
    below: bool,
) -> Option<ConversationId> {
    let at = here.and_then(|id| lines.iter().position(|line| line.id == id));
    let to = match (at, below) {
        (Some(at), true) => at + 1,
        (Some(at), false) => at.checked_sub(1)?,
        (None, true) => 0,
        (None, false) => return None,
    };
    lines.get(to).map(|line| line.id)
}
