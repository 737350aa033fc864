//! The packs of the next conversation, as buttons under its message. The choice is stored on this
//! device.

use kit::{browser, effect, live, press};
use leptos::prelude::*;
use protocol::Pack;

use crate::{panel, texts::chat as texts};

const KEPT: &str = "jarvis.packs";

/// The names of the chosen packs.
#[derive(Clone, Copy)]
pub(super) struct ChosenPacks(RwSignal<Vec<String>>);

impl ChosenPacks {
    /// Returns the last choice, as far as the server has its packs; without one, the usual packs.
    pub(super) fn recall() -> Self {
        let names = |is_chosen: &dyn Fn(&Pack) -> bool| {
            let packs = panel::packs().into_iter().filter(is_chosen);
            packs.map(|pack| pack.toolset).collect::<Vec<_>>()
        };
        let chosen = RwSignal::new(names(&|pack| pack.usual));
        // The server does not know the choice, and its HTML must be met first.
        effect(move || {
            if let Some(kept) = browser::recall_here(KEPT) {
                chosen.set(names(&|pack| kept.split(' ').any(|it| it == pack.toolset)));
            }
        });
        Self(chosen)
    }

    /// Returns them for a command; none if there is nothing to choose.
    pub(super) fn names(self) -> Option<Vec<String>> {
        (!panel::packs().is_empty()).then(|| self.0.get_untracked())
    }

    fn toggle(self, name: &str) {
        self.0.update(|names| {
            let before = names.len();
            names.retain(|it| it != name);
            if names.len() == before {
                names.push(name.to_owned());
            }
            browser::remember_here(KEPT, &names.join(" "));
        });
    }

    /// Draws a button for each pack.
    pub(super) fn buttons(self) -> AnyView {
        let button = move |Pack { toolset, label, .. }| {
            let name = toolset.clone();
            let pressed = live(move || self.0.read().contains(&name).to_string());
            view! {
                <button
                    type="button"
                    class="button button--small pack"
                    aria-pressed=pressed
                    on:click=press(move || self.toggle(&toolset))
                >
                    {label}
                </button>
            }
            .into_any()
        };
        let buttons: Vec<_> = panel::packs().into_iter().map(button).collect();
        if buttons.is_empty() {
            return ().into_any();
        }
        view! {
            <div class="packs" role="group" aria-label=texts::PACKS_OF_THIS_CONVERSATION>
                {buttons}
            </div>
        }
        .into_any()
    }
}
