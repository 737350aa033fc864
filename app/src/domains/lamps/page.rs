//! `/lamps`: the lamps of the house.

use kit::{Failed, Loading, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{BOARD, lamps_view, texts};
use crate::api;

#[component]
pub(super) fn LampsPage() -> impl IntoView {
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    view! {
        <Title text=texts::LAMPS />
        <Suspense fallback=|| view! { <Loading text=texts::LOADING_LAMPS /> }>
            {move || Suspend::new(async move {
                let view = match page.await {
                    Ok(page) => lamps_view(page).await,
                    Err(error) => Err(error),
                };
                view.unwrap_or_else(|error| {
                    view! { <Failed heading=texts::LAMPS_CANNOT_BE_SHOWN error=error.0 retry=move || page.refetch() /> }.into_any()
                })
            })}
        </Suspense>
    }
    .into_any()
}
