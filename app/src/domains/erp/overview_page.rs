//! `/erp`: what needs somebody.

use kit::{Failed, Loading, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{BOARD, overview::overview, own_approvals::ask_key, texts};
use crate::api;

#[component]
pub(super) fn OverviewPage() -> impl IntoView {
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    let key = ask_key();
    view! {
        <Title text=texts::ERP />
        <Suspense fallback=|| view! { <Loading text=texts::LOADING_ERP /> }>
            {move || Suspend::new(async move {
                let key = key.await;
                page.await.map_or_else(
                    |error| {
                        view! { <Failed heading=texts::ERP_CANNOT_BE_SHOWN error=error.0 retry=move || page.refetch() /> }.into_any()
                    },
                    |page| overview(page, key),
                )
            })}
        </Suspense>
    }
    .into_any()
}
