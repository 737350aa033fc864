//! The folds below the chart. They are closed at first: their code is a part of its own, which loads when one
//! is opened.

use kit::{CodePart, ErrorCard, effect, live_text, live_view, on, press};
use leptos::{ev, html, prelude::*, wasm_split::wasm_split};
use protocol::ErrorBody;

use super::{
    alerts::{alerts, counted},
    import::import,
    page_state::ChartPageState,
    texts,
    trail::trail,
};
use crate::{api::ApiError, texts::common};

/// The content of a fold.
#[derive(Clone, Copy)]
enum FoldPart {
    Alerts,
    Trail,
    Import,
}

const FOLDS: CodePart = CodePart {
    load: || Box::pin(preload_chart_folds()),
    waits: || {
        view! {
            <p class="drawing__past" role="status">
                {common::LOADING}
            </p>
        }
        .into_any()
    },
    fails,
};

/// Draws that a part of the code could not be loaded.
pub(super) fn fails(error: ErrorBody, again: Callback<()>) -> AnyView {
    view! {
        <ErrorCard error>
            <button type="button" class="button" on:click=press(move || again.run(()))>
                {common::TRY_AGAIN}
            </button>
        </ErrorCard>
    }
    .into_any()
}

/// Draws what is in a fold.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(chart_folds, wasm_split_path = ::leptos::wasm_split, preload(preload_chart_folds), fallible)]
fn in_fold(
    part: FoldPart,
    shared: ChartPageState,
    is_open: RwSignal<bool>,
) -> Result<AnyView, ApiError> {
    Ok(match part {
        FoldPart::Alerts => alerts(shared),
        FoldPart::Trail => trail(shared, is_open),
        FoldPart::Import => import(shared),
    })
}

/// Draws the alerts on the symbol, with the number of those that wait.
pub(super) fn alerts_fold(shared: ChartPageState) -> AnyView {
    let summary = view! {
        <summary class="alerts__head">
            <span class="alerts__title">{texts::alerts::ALERTS}</span>
            <span class="alerts__count">
                {live_text(move || counted(shared))}
            </span>
        </summary>
    };
    fold(shared, FoldPart::Alerts, "alerts", summary.into_any())
}

/// Draws the trail.
pub(super) fn trail_fold(shared: ChartPageState) -> AnyView {
    plain(shared, FoldPart::Trail, texts::trail::ALL_CHANGES)
}

/// Draws the import of a file.
pub(super) fn import_fold(shared: ChartPageState) -> AnyView {
    plain(shared, FoldPart::Import, texts::imports::IMPORT_FILE)
}

fn plain(shared: ChartPageState, part: FoldPart, name: &'static str) -> AnyView {
    let summary = view! { <summary>{name}</summary> };
    fold(shared, part, "panel__import", summary.into_any())
}

fn fold(shared: ChartPageState, part: FoldPart, class: &'static str, summary: AnyView) -> AnyView {
    let details = NodeRef::<html::Details>::new();
    let is_open = RwSignal::new(false);
    // What somebody has begun to type stays when it is closed.
    let was_opened = Memo::new(move |was: Option<&bool>| was == Some(&true) || is_open.get());
    let look = move || {
        if let Some(details) = details.get() {
            is_open.set(details.open());
        }
    };
    // It may have been opened before the page was alive.
    effect(look);
    let content = live_view(move || {
        if was_opened.get() {
            FOLDS.draw(move || in_fold(part, shared, is_open))
        } else {
            ().into_any()
        }
    });
    view! {
        <details class=class node_ref=details on:toggle=on(move |_: ev::Event| untrack(look))>
            {summary}
            {content}
        </details>
    }
    .into_any()
}
