//! The keyboard map: what each shortcut is called, its keys as they come, and those that a person
//! gave it on this device. Every handler of a shortcut asks here.

mod bindings;
mod chord;
mod map;

use leptos::{ev, prelude::*};
use protocol::{ConversationId, ConversationSummary};

pub(crate) use bindings::Act;
use bindings::Bindings;
use chord::{is_plain, of_event, shown};
use map::show_map;

use crate::{
    browser,
    channel::Channel,
    dock::Dock,
    frame::Layout,
    route::{Page, Route},
};

/// Where this device keeps them.
const KEPT: &str = "jarvis.keys";

/// The keys as they are now.
#[derive(Clone, Copy)]
pub(crate) struct Keys(RwSignal<Bindings>);

impl Keys {
    /// As they come: a page of the server and its first tree here know no others.
    pub(crate) fn new() -> Self {
        Self(RwSignal::new(Bindings::default()))
    }

    /// Takes up what this device keeps, and listens. Call it once, in the browser.
    pub(crate) fn start(self, channel: Channel, route: Route, dock: Dock, layout: Layout) {
        if let Some(kept) = browser::recall_here(KEPT) {
            self.0.set(Bindings::read(&kept));
        }
        let run = move |act| match act {
            Act::Map => {
                self.show();
                true
            }
            Act::New => {
                route.go(Page::Home);
                browser::focus_on(".composer__field");
                true
            }
            Act::Chat => {
                route.go(dock.page());
                true
            }
            Act::Panel(tab) => {
                route.go(Page::of(tab.path));
                true
            }
            Act::Feed => {
                route.go(Page::Feed(None));
                true
            }
            Act::Compose => {
                browser::focus_on(".composer__field") || (!dock.is_shown() && dock.toggle_here())
            }
            Act::Dock => dock.toggle_here(),
            Act::Sidebar => {
                layout.toggle(dock);
                true
            }
            Act::Next | Act::Previous => {
                let here = match route.page() {
                    Page::Chat(id) => Some(id),
                    _ => None,
                };
                let lines = channel.list.lines.get();
                let to = neighbour(&lines, here, act == Act::Next);
                if let Some(id) = to {
                    route.go(Page::Chat(id));
                }
                to.is_some()
            }
            // Whoever can do it listens for it.
            Act::Stop | Act::Search => false,
        };
        window_event_listener(ev::keydown, move |event| {
            let act = Act::all().find(|act| self.hit(*act, &event));
            if let Some(act) = act.filter(|_| !event.repeat())
                && untrack(|| run(act))
            {
                event.prevent_default();
            }
        });
    }

    /// Whether an event is the press of a shortcut, here and now: not while a text is composed, not
    /// under an open dialog, and a sign alone not in a field, where it is written.
    pub(crate) fn hit(self, act: Act, event: &ev::KeyboardEvent) -> bool {
        let Some(pressed) = of_event(event) else {
            return false;
        };
        let elsewhere = event.default_prevented()
            || event.is_composing()
            || (is_plain(&pressed) && browser::happened_in(event, FIELDS))
            || browser::has_dialog();
        !elsewhere && self.0.read_untracked().of(act) == pressed
    }

    /// The keys of a shortcut as a person reads them, such as `Ctrl+L`.
    pub(crate) fn shown(self, act: Act) -> String {
        shown(self.0.read().of(act))
    }

    /// What a button does, with the keys that do it.
    pub(crate) fn title(self, name: &str, act: Act) -> String {
        format!("{name} ({})", self.shown(act))
    }

    /// Opens the list of all shortcuts. Its code is loaded when it is first asked for.
    pub(crate) fn show(self) {
        leptos::task::spawn_local(async move {
            if let Err(error) = show_map(self).await {
                leptos::logging::warn!("{error}");
            }
        });
    }
}

/// Where signs are written, or choose something.
const FIELDS: &str = "input, textarea, select, [contenteditable]";

/// The conversation below or above in the list; without one that is open, the first.
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
