//! The part of a document's page with the calls of Jarvis on it, from the feed.

use kit::{Failed, loading, wire::Wire};
use leptos::prelude::*;
use protocol::{FeedEntry, FeedPage, FeedPlace};

use super::{around::pane, texts::document as say};
use crate::{
    api::{self, ApiError},
    panel_pieces::{call_list, query_of_calls},
};

/// The first page of the feed's calls on a document.
pub(super) type CallsAsked = Resource<Result<FeedPage, ApiError>, Wire>;

pub(super) fn ask_calls(name: &str) -> CallsAsked {
    let query = query_of_calls(name);
    Resource::new_with_options(
        || (),
        move |()| api::feed(query.clone(), FeedPlace::Newest),
        true,
    )
}

pub(super) fn calls(asked: CallsAsked, name: &str) -> AnyView {
    let query = StoredValue::new(query_of_calls(name));
    let content = view! {
        <Transition fallback=|| loading(say::LOADING)>
            {move || Suspend::new(async move {
                match asked.await {
                    Ok(page) => list(&page.entries, &query.get_value()),
                    Err(error) => {
                        view! {
                            <Failed heading=say::CALLS_CANNOT_BE_SHOWN error=error.0 retry=move || asked.refetch() />
                        }
                            .into_any()
                    }
                }
            })}
        </Transition>
    }
    .into_any();
    pane("erp-calls", say::CALLS, content)
}

fn list(entries: &[FeedEntry], query: &str) -> AnyView {
    if entries.is_empty() {
        return view! { <p class="erp-none">{say::NO_CALLS}</p> }.into_any();
    }
    call_list(entries, query)
}
