//! `/feed`, `/feed/:id`: what happened.

use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{ErrorBody, FeedFilter, FeedId, FeedPlace};

use crate::{
    api,
    feed::feed_view,
    route::query,
    ui::{ErrorCard, press},
    wire::Wire,
};

#[component]
pub(crate) fn FeedPage(named: Option<FeedId>) -> impl IntoView {
    let query = query();
    let filter = FeedFilter::from_query(&query);
    let place = named.map_or(FeedPlace::Newest, |id| FeedPlace::Around { id });
    let page: Resource<_, Wire> = {
        let query = filter.to_query();
        Resource::new_with_options(|| (), move |()| api::feed(query.clone(), place), true)
    };
    view! {
        <Title text="Feed" />
        <Suspense fallback=|| {
            view! {
                <div class="loading" role="status">
                    <span class="reactor reactor--busy" aria-hidden="true"></span>
                    "Looking up what happened…"
                </div>
            }
        }>
            {move || {
                let filter = filter.clone();
                Suspend::new(async move {
                    let view = match page.await {
                        Ok(page) => feed_view(page, filter, named).await,
                        Err(error) => Err(error),
                    };
                    view.unwrap_or_else(|error| {
                        view! { <Failed error=error.0 retry=move || page.refetch() /> }.into_any()
                    })
                })
            }}
        </Suspense>
    }
    .into_any()
}

#[component]
fn Failed(error: ErrorBody, retry: impl Fn() + Send + 'static) -> impl IntoView {
    view! {
        <section class="empty-page">
            <h1>"The feed cannot be shown"</h1>
            <ErrorCard error>
                <button type="button" class="button" on:click=press(retry)>
                    "Try again"
                </button>
            </ErrorCard>
        </section>
    }
    .into_any()
}
