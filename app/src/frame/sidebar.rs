//! The list of conversations.

use leptos::{html, prelude::*};
use protocol::{ConversationSummary, Timestamp};

use super::{Layout, data::frame_part, sidebar_item::SidebarItem};
use crate::{
    api, browser,
    channel::Channel,
    ui::{ErrorCard, Icon, Key, each, effect, icon, live, press},
};

#[component]
pub(super) fn Sidebar() -> impl IntoView {
    let layout = expect_context::<Layout>();
    let place = NodeRef::<html::Nav>::new();
    effect(move || {
        if layout.drawer.get()
            && let Some(place) = place.get_untracked()
        {
            // When the style has made it visible: what is hidden takes no focus.
            request_animation_frame(move || browser::report(place.focus()));
        }
    });
    view! {
        <nav
            class="sidebar"
            id="conversations"
            aria-label="Conversations"
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
                    "New conversation"
                </a>
                <button
                    type="button"
                    class="icon-button sidebar__close"
                    title="Close the list"
                    on:click=press(move || layout.drawer.set(false))
                >
                    {icon(Icon::CLOSE)}
                    <span class="visually-hidden">"Close the list"</span>
                </button>
            </div>
            <div class="sidebar__list">
                {frame_part(|data| match data {
                    Ok(data) => view! { <Lines loaded=data.now /> }.into_any(),
                    Err(error) => view! { <ErrorCard error=error.0.clone() /> }.into_any(),
                })}
            </div>
        </nav>
    }
    .into_any()
}

#[component]
fn Lines(loaded: Timestamp) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let list = channel.list;
    // Ages are counted from the same moment on the server and in the first tree here.
    let now = Memo::new(move |_| {
        let now = channel.clock.second().unwrap_or(loaded);
        Timestamp(now.0 / 30_000 * 30_000)
    });
    let asking = RwSignal::new(false);
    let older = move || {
        asking.set(true);
        leptos::task::spawn_local(async move {
            let last = list.lines.read_untracked().last().map(|line| line.updated);
            match api::conversations(last).await {
                Ok(older) => list.extend(older),
                Err(error) => channel.toasts.error(error.0),
            }
            asking.try_set(false);
        });
    };
    view! {
        <p class="sidebar__empty" hidden=live(move || !list.lines.read().is_empty())>
            "Nothing here yet. Your conversations are kept in this list."
        </p>
        <ul class="sidebar__lines">
            {each(
                move || list.lines.get(),
                key,
                move |line| view! { <SidebarItem line now /> }.into_any(),
            )}
        </ul>
        <button
            type="button"
            class="button button--quiet sidebar__more"
            hidden=live(move || !list.more.get())
            disabled=live(move || asking.get())
            on:click=press(older)
        >
            "Show older ones"
        </button>
    }
    .into_any()
}

/// A line is drawn again when what it shows has changed.
fn key(line: &ConversationSummary) -> Key {
    Key::Conversation(line.id, line.title.clone(), line.running, line.updated.0)
}
