//! The calls of Jarvis on a thing, from the feed.

use kit::format::upright;
use leptos::prelude::*;
use protocol::{FeedEntry, FeedFilter, FeedKind, Tier};

use super::moments::ago;
use crate::{
    texts::panel_pieces as texts,
    words::{tier_name, tool_name},
};

/// Returns the feed's query for calls that act and have these words in their target or outcome.
pub(crate) fn query_of_calls(words: &str) -> String {
    let filter = FeedFilter {
        text: words.to_owned(),
        ..of_calls()
    };
    filter.to_query()
}

/// Returns the feed's query for calls that act on this target and no other.
pub(crate) fn query_of_calls_on(target: &str) -> String {
    let filter = FeedFilter {
        target: FeedFilter::whole_target(target),
        ..of_calls()
    };
    filter.to_query()
}

fn of_calls() -> FeedFilter {
    FeedFilter {
        kinds: vec![FeedKind::Call],
        tiers: vec![Tier::Yellow, Tier::Red, Tier::Black],
        ..FeedFilter::default()
    }
}

/// Draws calls, and the way to the feed. `query`: the one that found them.
pub(crate) fn call_list(entries: &[FeedEntry], query: &str) -> AnyView {
    let lines: Vec<_> = entries.iter().map(line).collect();
    view! {
        <ol class="panel-calls">{lines}</ol>
        <p class="panel-calls__facts">
            <a href=format!("/feed?{query}")>{texts::CALLS_IN_FEED}</a>
        </p>
    }
    .into_any()
}

fn line(entry: &FeedEntry) -> AnyView {
    let title = tool_name(&upright(entry.line.clone()));
    // The call's card is in its conversation, which only its person may open.
    let title = match entry.conversation {
        Some(id) => view! { <a href=format!("/chat/{id}")>{title}</a> }.into_any(),
        None => title.into_any(),
    };
    let person = entry.person.clone().map(upright);
    let outcome = entry.outcome.clone().map(upright);
    view! {
        <li class="panel-calls__facts">
            {title}
            <span>{entry.tier.map(tier_name)}</span>
            <span>{outcome}</span>
            <strong>{person}</strong>
            {ago(Some(entry.at))}
        </li>
    }
    .into_any()
}
