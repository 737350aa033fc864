//! The panel with the size of the next request, and the usage of the conversation and the day.

use kit::{
    ErrorCard,
    format::{self, count},
};
use leptos::prelude::*;
use protocol::{BudgetLimit, Spending, Spent, Usage};

use crate::{
    api,
    conversation::Conversation,
    texts::{common, details as texts},
};

/// Requests the usage and shows it.
pub(super) fn spending(conversation: Conversation) -> AnyView {
    let id = conversation.id();
    let last = conversation.totals().get_untracked().last;
    view! {
        <Suspense fallback=|| view! { <p>{common::LOADING}</p> }>
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
        <h3>{texts::CONTEXT_OF_THE_NEXT_REQUEST}</h3>
        {context(last, spending.window)}
        {spending
            .may_be_estimated
            .then(|| view! { <p class="models__note">{texts::TOKENS_MAY_BE_ESTIMATES}</p> })}
        {spending
            .history_limit
            .map(|most| view! { <p class="models__note">{texts::model_sees_at_most(most)}</p> })}
        <h3>{texts::THIS_CONVERSATION}</h3>
        {used(&spending.conversation, &spending.conversation_limit)}
        {versions(spending)}
        <h3>{texts::TODAY_ALL_YOUR_CONVERSATIONS}</h3>
        {used(&spending.day, &spending.day_limit)}
        <p class="models__note">{texts::DAYS_START_AT_MIDNIGHT_UTC}</p>
    }
    .into_any()
}

/// Draws the usage of all versions, if this one is not the only one: an edited message begins another,
/// and what the ones before cost stays spent.
fn versions(spending: &Spending) -> Option<AnyView> {
    let all = spending.versions.as_ref()?;
    (all.usage != spending.conversation.usage).then(|| {
        facts(vec![
            (texts::ALL_VERSIONS, tokens(all.usage.total())),
            (texts::THEIR_COST, cost(all)),
        ])
    })
}

fn context(last: Usage, window: Option<u64>) -> AnyView {
    if last.total() == 0 {
        return view! { <p class="models__note">{texts::NO_TOKENS_USED_YET}</p> }.into_any();
    }
    let window = match window {
        Some(window) => texts::about_of_the_window(
            &count(last.total()),
            &count(window),
            last.total() * 100 / window.max(1),
        ),
        None => texts::about_tokens_window_size_unknown(&count(last.total())),
    };
    facts(vec![
        (texts::SIZE, window),
        (texts::CACHED, tokens(last.cache_read)),
        (texts::NOT_CACHED, tokens(last.input + last.cache_write)),
        (texts::LAST_ANSWER, tokens(last.output)),
        (
            texts::SYSTEM_PROMPT_AND_TOOLS,
            texts::UNKNOWN_ONLY_WHOLE_REQUESTS.to_owned(),
        ),
    ])
}

fn used(spent: &Spent, limit: &BudgetLimit) -> AnyView {
    let total = spent.usage.total();
    let budget = match (limit.cost, limit.tokens) {
        (None, None) => texts::NOT_SET.to_owned(),
        (Some(cost), None) => format::cost(cost),
        (None, Some(most)) => tokens(most),
        (Some(cost), Some(most)) => texts::either_limit(&format::cost(cost), &tokens(most)),
    };
    let mut rows = vec![
        (texts::TOKENS, count(total)),
        (texts::COST, cost(spent)),
        (texts::BUDGET, budget),
    ];
    if limit.cost.is_some() && spent.unpriced > 0 {
        let note = texts::UNPRICED_COUNT_TOKENS_ONLY;
        rows.push((texts::UNPRICED_CALLS, note.to_owned()));
    }
    facts(rows)
}

fn cost(spent: &Spent) -> String {
    let total = spent.usage.total();
    match spent.unpriced {
        unpriced if unpriced > 0 && unpriced >= total => texts::UNKNOWN_NO_KNOWN_PRICE.to_owned(),
        0 => format::cost(spent.cost),
        unpriced => texts::and_without_a_known_price(&format::cost(spent.cost), &tokens(unpriced)),
    }
}

fn tokens(number: u64) -> String {
    texts::tokens(&count(number))
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
