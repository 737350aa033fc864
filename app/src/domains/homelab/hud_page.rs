//! `/hud`: the systems at a glance.

use kit::{Failed, Loading, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{
    BOARD,
    board::last_board,
    texts,
    view::{board_view, hud_view},
};
use crate::api;

#[component]
pub(super) fn HudPage() -> impl IntoView {
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    view! {
        <Title text=texts::HUD />
        <Suspense fallback=|| view! { <Loading text=texts::LOADING_SYSTEMS /> }>
            {move || Suspend::new(async move {
                page.await.map_or_else(
                    |error| {
                        // The last figures say more than an error.
                        if let Some(board) = last_board() {
                            return board_view(&board);
                        }
                        view! { <Failed heading=texts::SYSTEMS_CANNOT_BE_SHOWN error=error.0 retry=move || page.refetch() /> }.into_any()
                    },
                    hud_view,
                )
            })}
        </Suspense>
    }
    .into_any()
}
