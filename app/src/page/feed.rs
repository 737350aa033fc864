//! `/feed`, `/feed/:id`: the activity log.

use kit::{Failed, Loading, page_part, wire::Wire};
use leptos::{prelude::*, wasm_split::wasm_split};
use leptos_meta::Title;
use protocol::{FeedFilter, FeedId, FeedPlace};

use crate::{
    api::{self, ApiError},
    feed::feed_view,
    route::query,
    texts::page as texts,
};

/// Draws the page.
pub(crate) fn feed_page(named: Option<FeedId>) -> AnyView {
    page_part!(
        preload_feed,
        texts::LOADING_THE_FEED,
        texts::THE_FEED_CANNOT_BE_SHOWN
    )
    .draw(move || feed_part(named))
}

/// Draws the page. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(feed, wasm_split_path = ::leptos::wasm_split, preload(preload_feed), fallible)]
pub(super) fn feed_part(named: Option<FeedId>) -> Result<AnyView, ApiError> {
    Ok(view! { <FeedPage named /> }.into_any())
}

#[component]
fn FeedPage(named: Option<FeedId>) -> impl IntoView {
    let query = query();
    let filter = FeedFilter::from_query(&query);
    let place = named.map_or(FeedPlace::Newest, |id| FeedPlace::Around { id });
    let page: Resource<_, Wire> = {
        let query = filter.to_query();
        Resource::new_with_options(|| (), move |()| api::feed(query.clone(), place), true)
    };
    view! {
        <Title text=texts::FEED />
        <Suspense fallback=|| view! { <Loading text=texts::LOADING_THE_FEED /> }>
            {move || {
                let filter = filter.clone();
                Suspend::new(async move {
                    match page.await {
                        Ok(page) => feed_view(page, filter, named),
                        Err(error) => {
                            view! { <Failed heading=texts::THE_FEED_CANNOT_BE_SHOWN error=error.0 retry=move || page.refetch() /> }.into_any()
                        }
                    }
                })
            }}
        </Suspense>
    }
    .into_any()
}
