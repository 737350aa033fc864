//! `/hud`: what the systems look like now.

use leptos::prelude::*;
use leptos_meta::Title;
use protocol::ErrorBody;

use crate::{
    api,
    hud::{BOARD, hud_view},
    ui::{ErrorCard, press},
    wire::Wire,
};

#[component]
pub(crate) fn HudPage() -> impl IntoView {
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    view! {
        <Title text="HUD" />
        <Suspense fallback=|| {
            view! {
                <div class="loading" role="status">
                    <span class="reactor reactor--busy" aria-hidden="true"></span>
                    "Looking at the systems…"
                </div>
            }
        }>
            {move || Suspend::new(async move {
                let view = match page.await {
                    Ok(page) => hud_view(page).await,
                    Err(error) => Err(error),
                };
                view.unwrap_or_else(|error| {
                    view! { <Failed error=error.0 retry=move || page.refetch() /> }.into_any()
                })
            })}
        </Suspense>
    }
    .into_any()
}

#[component]
pub(super) fn Failed(error: ErrorBody, retry: impl Fn() + Send + 'static) -> impl IntoView {
    view! {
        <section class="empty-page">
            <h1>"The systems cannot be shown"</h1>
            <ErrorCard error>
                <button type="button" class="button" on:click=press(retry)>
                    "Try again"
                </button>
            </ErrorCard>
        </section>
    }
    .into_any()
}
