//! Choices of what a list below the chart has.

use kit::{live, on};
use leptos::{ev, prelude::*};

/// Draws a choice of what a list has.
pub(super) fn filter(name: &'static str, what: RwSignal<bool>) -> AnyView {
    view! {
        <label class="panel__filter">
            <input
                type="checkbox"
                prop:checked=live(move || what.get())
                on:change=on(move |event: ev::Event| what.set(event_target_checked(&event)))
            />
            {name}
        </label>
    }
    .into_any()
}
