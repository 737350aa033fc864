//! The part of a document's page with the calls of Jarvis on it, from the feed.

use kit::{Failed, format::upright, loading, wire::Wire};
use leptos::prelude::*;
use protocol::{FeedEntry, FeedFilter, FeedKind, FeedPage, FeedPlace, Tier};

use super::{around::pane, texts::document as say};
use crate::{
    api::{self, ApiError},
    panel_pieces::ago,
    words::{tier_name, tool_name},
};

/// The first page of the feed's calls on a document.
pub(super) type CallsAsked = Resource<Result<FeedPage, ApiError>, Wire>;

/// Calls that act and name the document in their target or outcome.
fn filter(name: &str) -> FeedFilter {
    FeedFilter {
        kinds: vec![FeedKind::Call],
        tiers: vec![Tier::Yellow, Tier::Red, Tier::Black],
        text: name.to_owned(),
        ..FeedFilter::default()
    }
}

pub(super) fn ask_calls(name: &str) -> CallsAsked {
    let query = filter(name).to_query();
    Resource::new_with_options(
        || (),
        move |()| api::feed(query.clone(), FeedPlace::Newest),
        true,
    )
}

pub(super) fn calls(asked: CallsAsked, name: &str) -> AnyView {
    let feed = format!("/feed?{}", filter(name).to_query());
    let feed = StoredValue::new(feed);
    let content = view! {
        <Transition fallback=|| loading(say::LOADING)>
            {move || Suspend::new(async move {
                match asked.await {
                    Ok(page) => list(&page.entries, &feed.get_value()),
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

fn list(entries: &[FeedEntry], feed: &str) -> AnyView {
    if entries.is_empty() {
        return view! { <p class="erp-none">{say::NO_CALLS}</p> }.into_any();
    }
    let lines: Vec<_> = entries.iter().map(line).collect();
    view! {
        <ol class="erp-list">{lines}</ol>
        <p class="erp-facts">
            <a class="erp-link" href=feed.to_owned()>{say::CALLS_IN_FEED}</a>
        </p>
    }
    .into_any()
}

fn line(entry: &FeedEntry) -> AnyView {
    let title = tool_name(&upright(entry.line.clone()));
    // The call's card is in its conversation, which only its person may open.
    let title = match entry.conversation {
        Some(id) => view! { <a class="erp-link" href=format!("/chat/{id}")>{title}</a> }.into_any(),
        None => title.into_any(),
    };
    let person = entry.person.clone().map(upright);
    let outcome = entry.outcome.clone().map(upright);
    view! {
        <li class="erp-history">
            <p class="erp-facts">
                {title}
                <span>{entry.tier.map(tier_name)}</span>
                <span>{outcome}</span>
                <strong>{person}</strong>
                {ago(Some(entry.at))}
            </p>
        </li>
    }
    .into_any()
}
