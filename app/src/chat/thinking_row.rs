//! The model's thinking, folded.

use kit::{Icon, format, icon, live, live_text, on};
use leptos::{ev, prelude::*};
use transcript::BlockState;

use super::thinking_summary::thinking_summary;
use crate::{conversation::ThinkingCell, texts::chat as texts};

#[component]
pub(super) fn ThinkingRow(cell: ThinkingCell) -> impl IntoView {
    let opened = RwSignal::new(false);
    let ThinkingCell {
        text, state, took, ..
    } = cell;
    let thinking = {
        let took = took.clone();
        Memo::new(move |_| state.get() == BlockState::Streaming && took.get().is_none())
    };
    let label = move || match (thinking.get(), took.get()) {
        (true, _) => texts::THINKING.to_owned(),
        (false, Some(took)) => texts::thought_for(&format::duration(took)),
        (false, None) => texts::THOUGHT.to_owned(),
    };
    let newest = text.clone();
    let gist = Memo::new(move |_| {
        if thinking.get() {
            thinking_summary(&newest.read()).unwrap_or_default()
        } else {
            String::new()
        }
    });
    view! {
        <details
            class="row thinking"
            class:thinking--live=live(move || thinking.get())
            on:toggle=on(move |event: ev::Event| opened.set(event_target::<web_sys::HtmlDetailsElement>(&event).open()))
        >
            <summary class="thinking__summary">
                {icon(Icon::THOUGHT)} <span>{live_text(label)}</span>
                <span class="thinking__gist" title=live(move || gist.get())>{live_text(move || gist.get())}</span>
                <span class="chevron">{icon(Icon::CHEVRON)}</span>
            </summary>
            <div class="thinking__text">
                {live_text(move || if opened.get() { text.get() } else { String::new() })}
            </div>
        </details>
    }
    .into_any()
}
