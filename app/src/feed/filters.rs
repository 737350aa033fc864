//! The filters: search, kinds, tiers, target, person, days. All of them are in the address.

use std::time::Duration;

use kit::{browser, effect, live, live_text, live_view, on, press};
use leptos::{ev, leptos_dom::helpers::TimeoutHandle, prelude::*};
use protocol::{FeedFilter, FeedKind, Tier};

use super::{
    list::FeedList,
    row::kind_name,
    time::{local_date, midnight},
};
use crate::{texts::feed as texts, words::tier_name};

/// Debounce of typing.
const PAUSE: Duration = Duration::from_millis(250);

pub(super) fn filters(list: FeedList) -> AnyView {
    let kinds = FeedKind::ALL.map(|kind| {
        choice(
            kind_name(kind),
            move || list.filter.read().kinds.contains(&kind),
            move || change(list, |filter| toggle(&mut filter.kinds, kind)),
        )
    });
    let tiers = [Tier::Green, Tier::Yellow, Tier::Red, Tier::Black].map(|tier| {
        choice(
            tier_name(tier),
            move || list.filter.read().tiers.contains(&tier),
            move || change(list, |filter| toggle(&mut filter.tiers, tier)),
        )
    });
    let more = {
        let filter = list.filter;
        live_text(move || texts::more_filters(count(&filter.read())))
    };
    let clear = live_view(move || {
        if list.filter.read().is_empty() {
            ().into_any()
        } else {
            view! {
                <button
                    type="button"
                    class="button button--small"
                    on:click=press(move || list.filter_by(FeedFilter::default()))
                >
                    {texts::CLEAR_FILTERS}
                </button>
            }
            .into_any()
        }
    });
    view! {
        <div class="feed__filters" role="search" aria-label=texts::EVENTS>
            <div class="feed__search">
                {text(
                    list,
                    "search",
                    texts::SEARCH_THE_FEED,
                    texts::SEARCH,
                    |filter| filter.text.clone(),
                    |filter, value| filter.text = value,
                )}
                {clear}
                {export(list)}
            </div>
            <div class="filters__choices" role="group" aria-label=texts::KIND>
                {Vec::from(kinds)}
            </div>
            <details class="feed__more">
                <summary>{more}</summary>
                <div class="feed__fields">
                    <div class="filters__choices" role="group" aria-label=texts::TIER>
                        {Vec::from(tiers)}
                    </div>
                    {text(
                        list,
                        "text",
                        texts::TARGET,
                        texts::NAME_OF_TARGET,
                        |filter| filter.target.clone(),
                        |filter, value| filter.target = value,
                    )}
                    {text(
                        list,
                        "text",
                        texts::PERSON,
                        texts::PERSON,
                        |filter| filter.person.clone(),
                        |filter, value| filter.person = value,
                    )}
                    {day(list, texts::FROM, true)} {day(list, texts::TO, false)}
                </div>
            </details>
        </div>
    }
    .into_any()
}

fn change(list: FeedList, change: impl FnOnce(&mut FeedFilter)) {
    let mut filter = list.filter.get_untracked();
    change(&mut filter);
    list.filter_by(filter);
}

fn toggle<T: PartialEq>(chosen: &mut Vec<T>, one: T) {
    let before = chosen.len();
    chosen.retain(|it| *it != one);
    if chosen.len() == before {
        chosen.push(one);
    }
}

/// Counts the filters under "more".
fn count(filter: &FeedFilter) -> usize {
    [
        !filter.tiers.is_empty(),
        !filter.target.is_empty(),
        !filter.person.is_empty(),
        filter.from.is_some() || filter.to.is_some(),
    ]
    .into_iter()
    .filter(|set| *set)
    .count()
}

fn choice(
    name: &'static str,
    is_chosen: impl Fn() -> bool + Send + 'static,
    choose: impl FnMut() + 'static,
) -> AnyView {
    let pressed = live(move || if is_chosen() { "true" } else { "false" });
    view! {
        <button
            type="button"
            class="filters__choice"
            aria-pressed=pressed
            on:click=press(choose)
        >
            {name}
        </button>
    }
    .into_any()
}

fn text(
    list: FeedList,
    kind: &'static str,
    name: &'static str,
    placeholder: &'static str,
    get: fn(&FeedFilter) -> String,
    set: fn(&mut FeedFilter, String),
) -> AnyView {
    let due: StoredValue<Option<TimeoutHandle>> = StoredValue::new(None);
    let typed = on(move |event: ev::Event| {
        let value = event_target_value(&event);
        if let Some(Some(due)) = due.try_update_value(Option::take) {
            due.clear();
        }
        let act = move || change(list, |filter| set(filter, value));
        due.set_value(set_timeout_with_handle(act, PAUSE).ok());
    });
    // Filters set elsewhere show here, but not while the person types.
    let value = live(move || get(&list.filter.read()));
    let first = get(&list.filter.read_untracked());
    view! {
        <label class="filters__text">
            <span class="visually-hidden">{name}</span>
            <input
                type=kind
                placeholder=placeholder
                autocomplete="off"
                spellcheck="false"
                maxlength="200"
                value=first
                prop:value=value
                on:input=typed
            />
        </label>
    }
    .into_any()
}

fn day(list: FeedList, name: &'static str, is_from: bool) -> AnyView {
    // Days are in the reader's time zone, which only the browser knows.
    let alive = RwSignal::new(false);
    effect(move || alive.set(true));
    let value = live(move || {
        let filter = list.filter.read();
        let at = if is_from { filter.from } else { filter.to };
        match (alive.get(), at) {
            (true, Some(at)) if is_from => local_date(at),
            // The end is the midnight after the last day.
            (true, Some(at)) => local_date(protocol::Timestamp(at.0 - 1)),
            _ => String::new(),
        }
    });
    let changed = on(move |event: ev::Event| {
        let date = event_target_value(&event);
        change(list, |filter| {
            if is_from {
                filter.from = midnight(&date, 0)
            } else {
                filter.to = midnight(&date, 1)
            }
        });
    });
    view! {
        <label class="feed__day">
            <span>{name}</span>
            <input type="date" prop:value=value on:change=changed />
        </label>
    }
    .into_any()
}

fn export(list: FeedList) -> AnyView {
    let link = move |format: &'static str, name: &'static str| {
        let href = live(move || {
            let query = list.filter.read().to_query();
            if query.is_empty() {
                format!("/feed/export?format={format}")
            } else {
                format!("/feed/export?format={format}&{query}")
            }
        });
        view! {
            <a class="feed__export" href=href download="">
                {name}
            </a>
        }
        .into_any()
    };
    view! {
        <span class="feed__exports" role="group" aria-label=texts::EXPORT_THE_RESULTS>
            {link("csv", texts::CSV)} {link("jsonl", texts::JSON_LINES)}
        </span>
    }
    .into_any()
}

/// Writes the filters into the address.
pub(super) fn write_address(list: FeedList) {
    effect(move || {
        let query = list.filter.read().to_query();
        let named = list.named.try_get_value().flatten();
        let path = match (named, query.is_empty()) {
            (Some(_), true) => return,
            (_, true) => "/feed".to_owned(),
            (_, false) => format!("/feed?{query}"),
        };
        let history = window().history();
        browser::report(history.and_then(|history| {
            history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&path))
        }));
    });
}
