//! The buttons at the end of the head: what is done with the whole chart.

use kit::{Icon, icon, live, live_text, press};
use leptos::prelude::*;
use protocol::Reference;

use super::{indicators::indicators, page_state::ChartPageState, replay::replay_button, texts};
use crate::{reference::label, texts::dock};

const FULL: Icon = Icon::outline("M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5");
const SMALL: Icon = Icon::outline("M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5");

pub(super) fn acts(shared: ChartPageState) -> AnyView {
    // Nothing to attach: the page goes with every message, with what is on the chart then.
    let asked = move || {
        let chart = Reference::new("chart", shared.at.read().name());
        dock::ask_jarvis_about(&label(&chart))
    };
    let idle = move || shared.channel.bars().is_some() || !shared.can_undo(None);
    let full = move || {
        if shared.full.get() {
            texts::LEAVE_FULL_SCREEN
        } else {
            texts::FULL_SCREEN
        }
    };
    view! {
        <div class="desk__acts">
            <button
                type="button"
                class="ask"
                aria-label=live(asked)
                on:click=press(move || shared.dock.begin())
            >
                {dock::ASK}
            </button>
            <button
                type="button"
                class="icon-button"
                title=texts::with_key(texts::drawings::UNDO_MY_LAST, texts::drawings::UNDO_KEYS)
                aria-keyshortcuts="Control+Z Control+Y Control+Shift+Z"
                aria-disabled=live(move || idle().then_some("true"))
                on:click=press(move || {
                    shared.undo_change(None);
                })
            >
                {icon(Icon::UNDO)}
                <span class="visually-hidden">{texts::drawings::UNDO_MY_LAST}</span>
            </button>
            {indicators(shared)}
            {replay_button(shared)}
            <button
                type="button"
                class="icon-button"
                title=live(move || texts::with_key(full(), "Shift+F"))
                aria-keyshortcuts="Shift+F"
                on:click=press(move || shared.fill())
            >
                <span class="desk__fill">{icon(FULL)}</span>
                <span class="desk__unfill">{icon(SMALL)}</span>
                <span class="visually-hidden">{live_text(move || full().to_owned())}</span>
            </button>
        </div>
    }
    .into_any()
}
