//! The page of the feed: filters, a note of new entries, and the list by days.

use kit::{ErrorCard, Icon, Key, each, effect, icon, live, live_text, live_view, on, press};
use leptos::{ev, prelude::*};
use protocol::{FeedFilter, FeedId, FeedPage, Timestamp};

use super::{
    filters::{filters, write_address},
    list::{Asking, FeedLine, FeedList},
    row::row,
    time::Now,
};
use crate::{
    channel::Channel,
    texts::{common, feed as texts},
};

/// An item of the list: a day, or a line of it.
enum FeedItem {
    Day(i64, Timestamp),
    Line(FeedLine),
}

/// Draws the feed from a page's data; live from then on. `named` is the entry of the address.
pub(crate) fn feed_view(page: FeedPage, filter: FeedFilter, named: Option<FeedId>) -> AnyView {
    let channel = expect_context::<Channel>();
    let (rev, days) = (page.rev, page.days);
    let now = Now::new(page.now, channel.clock);
    let gone = named.is_some_and(|id| !page.entries.iter().any(|entry| entry.id == id));
    let list = FeedList::new(page, filter, named);
    effect(move || channel.follow_feed(rev, move |news| list.take(news)));
    on_cleanup(move || channel.leave_feed());
    write_address(list);
    if let Some(id) = named.filter(|_| !gone) {
        effect(move || list.scroll.show(id));
    }
    let scrolled = on(move |_: ev::Event| {
        let (top, end) = list.scroll.near();
        if end {
            list.more(Asking::Older);
        }
        if top {
            list.more(Asking::Newer);
        }
        if list.scroll.at_top() && !list.waiting.read_untracked().is_empty() {
            list.to_top();
        }
    });
    let items = move || {
        let lines = list.lines.read();
        let mut items = Vec::with_capacity(lines.len() + 8);
        let mut day = None;
        for line in lines.iter() {
            let at = line.entry.read_untracked().at;
            let of = now.day(at);
            if day != Some(of) {
                day = Some(of);
                items.push(FeedItem::Day(of, at));
            }
            items.push(FeedItem::Line(line.clone()));
        }
        items
    };
    let key = |item: &FeedItem| match item {
        FeedItem::Day(day, _) => Key::of(format!("day {day}")),
        FeedItem::Line(line) => Key::of(line.id.to_string()),
    };
    let item = move |item: FeedItem| match item {
        FeedItem::Day(day, first) => {
            let name = live_text(move || now.day_name(day, first));
            view! {
                <li class="feed__day-name">
                    <h2>{name}</h2>
                </li>
            }
            .into_any()
        }
        FeedItem::Line(line) => row(list, &line, now),
    };
    let busy = live(move || (list.asking.get() == Asking::All).then_some("true"));
    let class = live(move || match list.asking.get() {
        Asking::All => "feed__list feed__list--old",
        _ => "feed__list",
    });
    view! {
        <div
            class="feed"
            data-scroller=""
            tabindex="-1"
            node_ref=list.scroll.node
            on:scroll=scrolled
        >
            <header class="feed__head">
                <h1>{texts::FEED}</h1>
                <p class="feed__kept">{texts::kept_for_days(days)}</p>
                {filters(list)}
            </header>
            {gone.then(|| view! {
                <p class="concern" role="status">
                    {texts::EVENT_NOT_FOUND}
                </p>
            })}
            {fresh(list)}
            <ol class=class aria-label=texts::EVENTS_NEWEST_FIRST aria-busy=busy>
                {each(items, key, item)}
            </ol>
            {end(list)}
        </div>
    }
    .into_any()
}

/// Draws the note of new entries since the reader left the top. It lies over the list and moves
/// nothing.
fn fresh(list: FeedList) -> AnyView {
    let button = live_view(move || {
        let waiting = list.waiting.read().len();
        let words = match (waiting, list.newer.get()) {
            (0, false) => return ().into_any(),
            (0, true) => texts::GO_TO_THE_NEWEST.to_owned(),
            (count, _) => texts::new_events(count),
        };
        view! {
            <button
                type="button"
                class="button button--small feed__new"
                on:click=press(move || list.to_top())
            >
                {words}
            </button>
        }
        .into_any()
    });
    view! {
        <div class="feed__fresh" role="status">
            {button}
        </div>
    }
    .into_any()
}

/// Draws the end of the list.
fn end(list: FeedList) -> AnyView {
    live_view(move || {
        if let Some(error) = list.trouble.get() {
            return view! {
                <ErrorCard error>
                    <button
                        type="button"
                        class="button"
                        on:click=press(move || list.ask(Asking::All))
                    >
                        {common::TRY_AGAIN}
                    </button>
                </ErrorCard>
            }
            .into_any();
        }
        let words = match (list.lines.read().is_empty(), list.older.get()) {
            (true, _) if list.asking.get() == Asking::All => common::LOADING,
            (true, _) if list.filter.read().is_empty() => texts::NO_EVENTS_YET,
            (true, _) => texts::NO_MATCHING_EVENTS,
            (false, false) => texts::NO_OLDER_EVENTS,
            (false, true) => {
                let older = press(move || list.more(Asking::Older));
                return view! {
                    <button type="button" class="button button--small feed__older" on:click=older>
                        {icon(Icon::ARROW_DOWN)}
                        {texts::SHOW_OLDER}
                    </button>
                }
                .into_any();
            }
        };
        view! { <p class="feed__end">{words}</p> }.into_any()
    })
}
