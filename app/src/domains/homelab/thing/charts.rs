//! The charts of a thing over an hour, a day, a week or a month.

use homelab_wire::ChartsPage;
use kit::{
    ErrorCard,
    format::{span, upright},
    live, live_view, press,
};
use leptos::prelude::*;
use protocol::ErrorBody;

use super::{chart::chart, read};
use crate::{
    api,
    domains::homelab::ClusterObject,
    domains::homelab::{BOARD, figure::age, pieces::heading, texts},
};

const SPANS: [(&str, &str); 4] = [
    ("hour", texts::things::HOUR),
    ("day", texts::things::DAY),
    ("week", texts::things::WEEK),
    ("month", texts::things::MONTH),
];

/// The charts on view, and the latest request.
#[derive(Clone, Copy)]
struct ShownCharts {
    page: RwSignal<Result<ChartsPage, ErrorBody>>,
    wanted: RwSignal<&'static str>,
    busy: RwSignal<bool>,
}

pub(super) fn charts(thing: &ClusterObject, first: Result<ChartsPage, ErrorBody>) -> AnyView {
    let shown = ShownCharts {
        page: RwSignal::new(first),
        wanted: RwSignal::new("hour"),
        busy: RwSignal::new(false),
    };
    let choices = SPANS.map(|(word, name)| {
        let thing = thing.clone();
        let pressed = live(move || {
            if shown.wanted.get() == word {
                "true"
            } else {
                "false"
            }
        });
        view! {
            <button
                type="button"
                class="filters__choice"
                aria-pressed=pressed
                on:click=press(move || load(shown, &thing, word))
            >
                {name}
            </button>
        }
        .into_any()
    });
    let drawn = live_view(move || match &*shown.page.read() {
        Ok(page) => all(page),
        Err(error) => {
            let error = error.clone();
            view! { <ErrorCard error /> }.into_any()
        }
    });
    view! {
        <section class="hud__section" aria-labelledby="thing-charts">
            <div class="thing__bar">
                {heading("thing-charts", texts::things::HISTORY)}
                <div class="filters__choices" role="group" aria-label=texts::things::TIME>
                    {Vec::from(choices)}
                </div>
            </div>
            <div class="charts" class:charts--busy=live(move || shown.busy.get())>
                {drawn}
            </div>
        </section>
    }
    .into_any()
}

/// Requests another span. The charts on view stay until the answer arrives.
fn load(shown: ShownCharts, thing: &ClusterObject, word: &'static str) {
    shown.wanted.set(word);
    shown.busy.set(true);
    let asked = api::page(
        BOARD.to_owned(),
        thing.kind().to_owned(),
        thing.name(),
        format!("charts/{word}"),
    );
    leptos::task::spawn_local(async move {
        let answer = asked.await.map_err(|error| error.0).and_then(read);
        // Only the latest request counts; the page may be gone meanwhile.
        if shown.wanted.try_get_untracked() == Some(word) {
            shown.page.try_set(answer);
            shown.busy.try_set(false);
        }
    });
}

fn all(page: &ChartsPage) -> AnyView {
    let charts = page.charts.iter().map(|it| chart(page, it));
    let charts: Vec<_> = charts.collect();
    let each = match page.step {
        Some(step) => texts::things::each_point(&span(step)),
        None => String::new(),
    };
    view! {
        <div class="charts__all">{charts}</div>
        <p class="node-card__source">
            {each} {age(Some(page.at))} " · "
            <code>{upright(page.source.clone())}</code>
        </p>
    }
    .into_any()
}
