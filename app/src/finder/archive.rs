//! The archive: conversations that are out of the list.

use kit::{Key, browser, each, live, live_text, press};
use leptos::prelude::*;
use protocol::Timestamp;

use super::{Finder, head};
use crate::{
    api::{self, LIST_PAGE},
    channel::Channel,
    frame::SidebarItem,
    texts::{common, palette as texts},
};

pub(super) fn archive(finder: Finder, channel: Channel) -> AnyView {
    let list = channel.list;
    let more = RwSignal::new(false);
    let asking = RwSignal::new(false);
    let oldest = StoredValue::new(None::<Timestamp>);
    let ask = move || {
        asking.set(true);
        leptos::task::spawn_local(async move {
            match api::archived(oldest.try_get_value().flatten()).await {
                Ok(lines) => {
                    more.try_set(lines.len() >= LIST_PAGE);
                    if let Some(last) = lines.last() {
                        oldest.try_set_value(Some(last.updated));
                    }
                    for line in lines {
                        list.put(line);
                    }
                }
                Err(error) => channel.toasts.error(error.0),
            }
            asking.try_set(false);
        });
    };
    ask();
    let now = Memo::new(move |_| {
        let now = channel.clock.second().unwrap_or_else(browser::now);
        Timestamp(now.0 / 30_000 * 30_000)
    });
    let words = live_text(move || {
        match (list.archived.read().is_empty(), asking.get()) {
            (true, true) => common::LOADING,
            (true, false) => texts::NO_ARCHIVED_CONVERSATIONS,
            (false, _) => texts::ARCHIVED,
        }
        .to_owned()
    });
    view! {
        <div class="finder">
            {head(finder, view! { <p role="status">{words}</p> }.into_any())}
            <ul class="sidebar__lines" aria-label=texts::ARCHIVED_CONVERSATIONS>
                {each(
                    move || list.archived.get(),
                    |line| {
                        Key::of((
                            line.id,
                            line.title.clone(),
                            line.running,
                            line.updated.0,
                            line.shelf,
                        ))
                    },
                    move |line| view! { <SidebarItem line now /> }.into_any(),
                )}
            </ul>
            <button
                type="button"
                class="button button--quiet sidebar__more"
                hidden=live(move || !more.get())
                disabled=live(move || asking.get())
                on:click=press(ask)
            >
                {texts::SHOW_OLDER}
            </button>
        </div>
    }
    .into_any()
}
