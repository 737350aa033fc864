//! The list of conversations.

use kit::{ErrorCard, Icon, Key, browser, each, effect, icon, live, press};
use leptos::{html, prelude::*};
use protocol::{ConversationSummary, Timestamp};

use super::{
    data::frame_part,
    days::{DayItem, items},
    sidebar_search::{SidebarSearch, in_place_of_list},
};
use crate::{
    channel::Channel,
    finder::{Finder, Looking},
    layout::Layout,
    sidebar_item::{ARCHIVE, SidebarItem, load_older},
    texts::frame as texts,
};

#[component]
pub(super) fn Sidebar() -> impl IntoView {
    let layout = expect_context::<Layout>();
    let place = NodeRef::<html::Nav>::new();
    let finder = Finder::new();
    let elsewhere = Memo::new(move |_| *finder.looking.read() != Looking::List);
    effect(move || {
        if layout.drawer.get()
            && let Some(place) = place.get_untracked()
        {
            // After the style has made it visible: a hidden element takes no focus.
            request_animation_frame(move || browser::report(place.focus()));
        }
    });
    view! {
        <nav
            class="sidebar"
            id="conversations"
            aria-label=texts::CONVERSATIONS
            tabindex="-1"
            node_ref=place
        >
            <div class="sidebar__top">
                <a
                    href="/"
                    class="button button--primary sidebar__new"
                    on:click=press(move || layout.drawer.set(false))
                >
                    {icon(Icon::NEW)}
                    {texts::NEW_CONVERSATION}
                </a>
                <button
                    type="button"
                    class="icon-button sidebar__close"
                    title=texts::CLOSE_THE_LIST
                    on:click=press(move || layout.drawer.set(false))
                >
                    {icon(Icon::CLOSE)}
                    <span class="visually-hidden">{texts::CLOSE_THE_LIST}</span>
                </button>
            </div>
            <SidebarSearch finder />
            <div class="sidebar__list" hidden=live(move || elsewhere.get())>
                {frame_part(|data| match data {
                    Ok(data) => view! { <Lines loaded=data.now /> }.into_any(),
                    Err(error) => view! { <ErrorCard error=error.0.clone() /> }.into_any(),
                })}
            </div>
            {in_place_of_list(finder)}
            <div class="sidebar__foot" hidden=live(move || elsewhere.get())>
                <button
                    type="button"
                    class="button button--quiet"
                    id=ARCHIVE
                    on:click=press(move || finder.look(Looking::Archive))
                >
                    {icon(Icon::ARCHIVE)}
                    {texts::ARCHIVED}
                </button>
                <button
                    type="button"
                    class="button button--quiet"
                    on:click=press(move || finder.look(Looking::Folders))
                >
                    {texts::FOLDERS}
                </button>
                <button
                    type="button"
                    class="button button--quiet"
                    title=texts::CHOOSE_SEVERAL
                    on:click=press(move || finder.look(Looking::Choose))
                >
                    {texts::CHOOSE}
                </button>
            </div>
        </nav>
    }
    .into_any()
}

#[component]
fn Lines(loaded: Timestamp) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let list = channel.list;
    // Ages are relative to the same moment on the server and in the first tree here.
    let now = Memo::new(move |_| {
        let now = channel.clock.second().unwrap_or(loaded);
        Timestamp(now.0 / 30_000 * 30_000)
    });
    let today = Memo::new(move |_| channel.clock.second().map(browser::day));
    let asking = RwSignal::new(false);
    let older = move || load_older(channel, asking);
    view! {
        <p class="sidebar__empty" hidden=live(move || !list.lines.read().is_empty())>
            {texts::NO_CONVERSATIONS_YET}
        </p>
        <ul class="sidebar__lines">
            {each(
                move || by_days(list.lines.get(), today.get(), loaded),
                key,
                move |item| match item {
                    DayItem::Head(name) => {
                        view! { <li class="sidebar__head"><h2>{name}</h2></li> }.into_any()
                    }
                    DayItem::Line(line) => view! { <SidebarItem line=*line now /> }.into_any(),
                },
            )}
        </ul>
        <button
            type="button"
            class="button button--quiet sidebar__more"
            hidden=live(move || !list.more.get())
            disabled=live(move || asking.get())
            on:click=press(older)
        >
            {texts::SHOW_OLDER}
        </button>
    }
    .into_any()
}

/// Returns the conversations under their days: in the reader's time zone once the page is alive, in
/// UTC in the first tree here and on the server.
fn by_days(lines: Vec<ConversationSummary>, today: Option<i64>, loaded: Timestamp) -> Vec<DayItem> {
    match today {
        Some(today) => items(lines, today, |line| browser::day(line.updated)),
        None => items(lines, world_day(loaded), |line| world_day(line.updated)),
    }
}

fn world_day(at: Timestamp) -> i64 {
    at.0.div_euclid(24 * 60 * 60 * 1000)
}

/// Returns the key of an item, which changes with everything that it shows.
fn key(item: &DayItem) -> Key {
    match item {
        DayItem::Head(name) => Key::of(name.clone()),
        DayItem::Line(line) => Key::of((
            line.id,
            line.title.clone(),
            line.running,
            line.updated.0,
            (line.shelf, line.folder.clone()),
        )),
    }
}
