//! The list of drawings below the chart, which folds: each with its facts, its author and its
//! reason.

use kit::{Icon, Key, browser, each, effect, icon, live, live_text, live_view, press};
use leptos::prelude::*;

use super::{
    entry::entry,
    folds::{import_fold, trail_fold},
    list_filter::filter,
    page_state::ChartPageState,
    talks::talks,
    texts,
    turns::turns,
};

const BODY: &str = "panel-body";

/// The device's storage key for the unfolded list.
const KEPT: &str = "jarvis.chart.list";

/// Recalls whether the list is unfolded once the page is alive, and keeps every later change.
pub(super) fn keep_list(shared: ChartPageState) {
    let mut first = true;
    effect(move || {
        let open = shared.list.get();
        if std::mem::take(&mut first) {
            if browser::recall_here(KEPT).is_some_and(|kept| kept == "open") {
                shared.list.set(true);
            }
        } else {
            browser::remember_here(KEPT, if open { "open" } else { "" });
        }
    });
}

pub(super) fn panel(shared: ChartPageState) -> AnyView {
    // The list changes when a drawing is added or removed; its own line follows a change of one.
    let listed = Memo::new(move |_| {
        let (listed, later) = shared.listed_and_later();
        let ids = listed.iter().map(|it| it.id().to_owned());
        (ids.collect::<Vec<_>>(), later)
    });
    let count = move || listed.with(|(ids, later)| texts::drawings::counted(ids.len(), *later));
    // The reason of the selected drawing can be read without the list.
    let selected = move || {
        let id = shared.selected.get().filter(|_| !shared.list.get());
        let drawing = id.and_then(|id| shared.drawing(&id));
        let drawing = drawing.filter(|it| !shared.is_future(it));
        drawing.map_or_else(String::new, |it| {
            texts::drawings::because(&it.title(), &it.reason())
        })
    };
    view! {
        <section
            class="panel"
            class:panel--open=live(move || shared.list.get())
            aria-labelledby="panel-title"
        >
            <header class="panel__head">
                <h2 id="panel-title">
                    <button
                        type="button"
                        class="panel__fold"
                        aria-expanded=live(move || shared.list.get().to_string())
                        aria-controls=BODY
                        on:click=press(move || shared.list.update(|open| *open = !*open))
                    >
                        {icon(Icon::CHEVRON)}
                        {texts::drawings::DRAWINGS}
                    </button>
                </h2>
                <p class="panel__count" role="status">
                    {live_text(count)}
                </p>
                <p class="panel__selected" title=live(selected)>
                    {live_text(selected)}
                </p>
                {filter(texts::drawings::HIDE_ASSISTANTS, shared.hides_models)}
                {filter(texts::drawings::HIDE_PEOPLES, shared.hides_peoples)}
            </header>
            <div class="panel__body" id=BODY hidden=live(move || !shared.list.get())>
                {live_view(move || turns(shared))}
                <ul class="panel__list" aria-label=texts::drawings::DRAWINGS>
                    {each(
                        move || listed.with(|(ids, _)| ids.clone()),
                        |id| Key::of(id.clone()),
                        move |id| entry(shared, id),
                    )}
                </ul>
                {talks(shared)}
                {trail_fold(shared)}
                {import_fold(shared)}
            </div>
        </section>
    }
    .into_any()
}
