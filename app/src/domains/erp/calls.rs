//! The part of a document's page with the calls of Jarvis on it, from the feed.

use kit::{Failed, loading, wire::Wire};
use leptos::prelude::*;
use protocol::{FeedEntry, FeedPage, FeedPlace};

use super::{address::DocumentAt, around::pane, texts::document as say};
use crate::{
    api::{self, ApiError},
    panel_pieces::{call_list, query_of_calls_on},
};

/// The first page of the feed's calls on a document.
pub(super) type CallsAsked = Resource<Result<FeedPage, ApiError>, Wire>;

pub(super) fn ask_calls(at: &DocumentAt) -> CallsAsked {
    let query = query(at);
    Resource::new_with_options(
        || (),
        move |()| api::feed(query.clone(), FeedPlace::Newest),
        true,
    )
}

pub(super) fn calls(asked: CallsAsked, at: &DocumentAt) -> AnyView {
    let query = StoredValue::new(query(at));
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

/// Calls that acted on a document have it as their target, and the call that made it says so in its details.
fn query(at: &DocumentAt) -> String {
    query_of_calls_on(&format!("{} {}", at.doctype, at.name))
}

fn list(entries: &[FeedEntry], query: &str) -> AnyView {
    if entries.is_empty() {
        return view! { <p class="erp-none">{say::NO_CALLS}</p> }.into_any();
    }
    call_list(entries, query)
}
