//! `/feed`, `/feed/:id`: the activity log.

use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{FeedFilter, FeedId, FeedPlace};

use super::states::{Failed, Loading};
use crate::{api, feed::feed_view, route::query, wire::Wire};

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
        <Suspense fallback=|| view! { <Loading text="Loading the feed…" /> }>
            {move || {
                let filter = filter.clone();
                Suspend::new(async move {
                    let view = match page.await {
                        Ok(page) => feed_view(page, filter, named).await,
                        Err(error) => Err(error),
                    };
                    view.unwrap_or_else(|error| {
                        view! { <Failed heading="The feed cannot be shown" error=error.0 retry=move || page.refetch() /> }.into_any()
                    })
                })
            }}
        </Suspense>
    }
    .into_any()
}
