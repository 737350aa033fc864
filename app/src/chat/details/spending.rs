//! The panel with the size of the next request, and the usage of the conversation and the day.

use kit::{
    ErrorCard,
    format::{self, count},
};
use leptos::prelude::*;
use protocol::{BudgetLimit, Spending, Spent, Usage};

use crate::{api, conversation::Conversation};

/// Requests the usage and shows it.
pub(super) fn spending(conversation: Conversation) -> AnyView {
    let id = conversation.id();
    let last = conversation.totals().get_untracked().last;
    view! {
        <Suspense fallback=|| view! { <p>"Loading…"</p> }>
            {move || Suspend::new(async move {
                match api::spending(id).await {
                    Ok(spending) => shown(&spending, last),
                    Err(error) => view! { <ErrorCard error=error.0 /> }.into_any(),
                }
            })}
        </Suspense>
    }
    .into_any()
}

fn shown(spending: &Spending, last: Usage) -> AnyView {
    view! {
        <h3>"Context of the next request"</h3>
        {context(last, spending.window)}
        <h3>"This conversation"</h3>
        {used(&spending.conversation, &spending.conversation_limit)}
        <h3>"Today, all your conversations"</h3>
        {used(&spending.day, &spending.day_limit)}
        <p class="models__note">"Days start at midnight UTC."</p>
    }
    .into_any()
}

fn context(last: Usage, window: Option<u64>) -> AnyView {
    if last.total() == 0 {
        return view! { <p class="models__note">"No tokens used yet."</p> }.into_any();
    }
    let window = match window {
        Some(window) => format!(
            "about {} of {} tokens, {} %",
            count(last.total()),
            count(window),
            last.total() * 100 / window.max(1)
        ),
        None => format!("about {} tokens; window size unknown", count(last.total())),
    };
    facts(vec![
        ("Size", window),
        ("Cached", tokens(last.cache_read)),
        ("Not cached", tokens(last.input + last.cache_write)),
        ("Last answer", tokens(last.output)),
        (
            "System prompt and tools",
            "unknown: the model’s server reports whole requests only".to_owned(),
        ),
    ])
}

fn used(spent: &Spent, limit: &BudgetLimit) -> AnyView {
    let total = spent.usage.total();
    let mut cost = match (total, spent.unpriced) {
        (0, _) => format::cost(spent.cost),
        (total, unpriced) if unpriced >= total => "unknown: no known price".to_owned(),
        _ => format::cost(spent.cost),
    };
    if spent.unpriced > 0 && spent.unpriced < total {
        cost = format!(
            "{cost}, and {} without a known price",
            tokens(spent.unpriced)
        );
    }
    let budget = match (limit.cost, limit.tokens) {
        (None, None) => "not set".to_owned(),
        (Some(cost), None) => format::cost(cost),
        (None, Some(most)) => tokens(most),
        (Some(cost), Some(most)) => format!("{} or {}", format::cost(cost), tokens(most)),
    };
    let mut rows = vec![("Tokens", count(total)), ("Cost", cost), ("Budget", budget)];
    if limit.cost.is_some() && spent.unpriced > 0 {
        let note = "calls without a known price count only their tokens";
        rows.push(("Unpriced calls", note.to_owned()));
    }
    facts(rows)
}

fn tokens(number: u64) -> String {
    format!("{} tokens", count(number))
}

fn facts(rows: Vec<(&'static str, String)>) -> AnyView {
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(name, value)| {
            view! {
                <div class="facts__entry">
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! { <dl class="facts">{rows}</dl> }.into_any()
}
