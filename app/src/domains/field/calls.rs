//! The part of a page with the calls of Jarvis on its thing, from the feed.

use kit::{ErrorCard, effect, live_view};
use leptos::prelude::*;
use protocol::{ErrorBody, FeedPage, FeedPlace};

use super::{
    figures::{none, pane},
    texts,
    texts::pages as say,
};
use crate::{
    api,
    panel_pieces::{call_list, query_of_calls},
};

/// Draws the calls that have these words; they are read again with each change of `again`.
pub(super) fn calls(again: RwSignal<u32>, words: String) -> AnyView {
    let query = query_of_calls(&words);
    let answer = RwSignal::new(None::<Result<FeedPage, ErrorBody>>);
    let asked = query.clone();
    effect(move || {
        again.track();
        let query = asked.clone();
        leptos::task::spawn_local(async move {
            let page = api::feed(query, FeedPlace::Newest).await;
            answer.try_set(Some(page.map_err(|error| error.0)));
        });
    });
    let content = live_view(move || match &*answer.read() {
        None => none(texts::LOADING),
        Some(Ok(page)) if page.entries.is_empty() => none(say::NO_CALLS),
        Some(Ok(page)) => call_list(&page.entries, &query),
        Some(Err(error)) => {
            let error = error.clone();
            view! { <ErrorCard error /> }.into_any()
        }
    });
    pane("field-calls", say::CALLS, "", content)
}
