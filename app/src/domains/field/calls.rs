//! The part of a page with the calls of Jarvis on its thing, from the feed.

use kit::{ErrorCard, effect, format::upright, live_view};
use leptos::prelude::*;
use protocol::{ErrorBody, FeedEntry, FeedFilter, FeedKind, FeedPage, FeedPlace, Tier};

use super::{
    figures::{ago, none, pane},
    texts,
    texts::pages as say,
};
use crate::{
    api,
    words::{tier_name, tool_name},
};

/// Calls that act and name the thing in their target or outcome.
fn filter(words: &str) -> FeedFilter {
    FeedFilter {
        kinds: vec![FeedKind::Call],
        tiers: vec![Tier::Yellow, Tier::Red, Tier::Black],
        text: words.to_owned(),
        ..FeedFilter::default()
    }
}

/// Draws the calls that have these words; they are read again with each change of `again`.
pub(super) fn calls(again: RwSignal<u32>, words: String) -> AnyView {
    let query = filter(&words).to_query();
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
    let feed = format!("/feed?{query}");
    let content = live_view(move || match &*answer.read() {
        None => none(texts::LOADING),
        Some(Ok(page)) => list(&page.entries, &feed),
        Some(Err(error)) => {
            let error = error.clone();
            view! { <ErrorCard error /> }.into_any()
        }
    });
    pane("field-calls", say::CALLS, "", content)
}

fn list(entries: &[FeedEntry], feed: &str) -> AnyView {
    if entries.is_empty() {
        return none(say::NO_CALLS);
    }
    let lines: Vec<_> = entries.iter().map(line).collect();
    view! {
        <ol class="field-list">{lines}</ol>
        <p class="field-facts">
            <a class="field-link" href=feed.to_owned()>{say::CALLS_IN_FEED}</a>
        </p>
    }
    .into_any()
}

fn line(entry: &FeedEntry) -> AnyView {
    let title = tool_name(&upright(entry.line.clone()));
    // The call's card is in its conversation, which only its person may open.
    let title = match entry.conversation {
        Some(id) => {
            view! { <a class="field-link" href=format!("/chat/{id}")>{title}</a> }.into_any()
        }
        None => title.into_any(),
    };
    let person = entry.person.clone().map(upright);
    let outcome = entry.outcome.clone().map(upright);
    view! {
        <li class="field-row">
            <p class="field-facts">
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
