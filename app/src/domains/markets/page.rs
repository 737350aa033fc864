//! `/chart/SYMBOL/TIMEFRAME`: prices, and the drawings on them.

use kit::{Failed, Loading, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{
    place::{BOARD, ChartAt},
    texts,
    view::chart_view,
};
use crate::{api, route::Route};

#[component]
pub(super) fn ChartPage() -> impl IntoView {
    let route = expect_context::<Route>();
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    let title = move || match ChartAt::shown_on(&route.page()) {
        Some(at) => at.name().replace('/', " "),
        None => texts::CHART.to_owned(),
    };
    // The server writes it after the signals of the page are gone.
    #[cfg(feature = "ssr")]
    let title = untrack(title);
    view! {
        <Title text=title />
        <Suspense fallback=|| view! { <Loading text=texts::OPENING_CHART /> }>
            {move || Suspend::new(async move {
                page.await.map_or_else(
                    |error| {
                        view! { <Failed heading=texts::CHART_CANNOT_BE_SHOWN error=error.0 retry=move || page.refetch() /> }.into_any()
                    },
                    chart_view,
                )
            })}
        </Suspense>
    }
    .into_any()
}
