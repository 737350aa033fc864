//! The list of drawings: each with its facts, its author and its reason.

use kit::{Key, each, live, live_text, live_view, on};
use leptos::{ev, prelude::*};

use super::{entry::entry, page_state::Desk, texts, turns::turns};

pub(super) fn panel(desk: Desk) -> AnyView {
    // The list changes when a drawing is added or removed; its own line follows a change of one.
    let ids = Memo::new(move |_| {
        let listed = desk.listed();
        listed
            .iter()
            .map(|it| it.id().to_owned())
            .collect::<Vec<_>>()
    });
    let count = move || texts::drawings::counted(ids.read().len());
    let trail = move || format!("/api/v1/markets/trail?symbol={}", desk.at.read().symbol);
    let filter = |name: &'static str, what: RwSignal<bool>| {
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
    };
    view! {
        <section class="panel" aria-labelledby="panel-title">
            <header class="panel__head">
                <h2 id="panel-title">{texts::drawings::DRAWINGS}</h2>
                <p class="panel__count" role="status">
                    {live_text(count)}
                </p>
                {filter(texts::drawings::HIDE_ASSISTANTS, desk.hides_models)}
                {filter(texts::drawings::HIDE_MINE, desk.hides_peoples)}
                <a class="panel__filter" rel="external" download href=live(trail)>
                    {texts::drawings::EXPORT_CHANGES}
                </a>
            </header>
            {live_view(move || turns(desk))}
            <ul class="panel__list" aria-label=texts::drawings::DRAWINGS>
                {each(
                    move || ids.get(),
                    |id| Key::of(id.clone()),
                    move |id| entry(desk, id),
                )}
            </ul>
        </section>
    }
    .into_any()
}
