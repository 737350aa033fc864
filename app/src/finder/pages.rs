//! A list of conversations that is read page by page, from the newest on.

use std::pin::Pin;

use kit::{Key, browser, each, live, press};
use leptos::prelude::*;
use protocol::{ConversationSummary, Timestamp};

use super::{Finder, head};
use crate::{
    api::{ApiError, LIST_PAGE},
    channel::Channel,
    sidebar_item::SidebarItem,
    texts::palette as texts,
};

/// A page on its way.
type PageAsked = Pin<Box<dyn Future<Output = Result<Vec<ConversationSummary>, ApiError>>>>;

/// State of the list.
#[derive(Clone, Copy)]
pub(super) struct FinderPages {
    finder: Finder,
    channel: Channel,
    more: RwSignal<bool>,
    pub(super) asking: RwSignal<bool>,
    oldest: StoredValue<Option<Timestamp>>,
}

/// A list as it is drawn.
pub(super) struct DrawnPages {
    /// The head of the list.
    pub(super) words: AnyView,
    pub(super) label: String,
    pub(super) lines: Signal<Vec<ConversationSummary>>,
    /// Asks for the next page.
    pub(super) ask: Callback<()>,
}

impl FinderPages {
    pub(super) fn new(finder: Finder, channel: Channel) -> Self {
        Self {
            finder,
            channel,
            more: RwSignal::new(false),
            asking: RwSignal::new(false),
            oldest: StoredValue::new(None),
        }
    }

    /// Returns the time before which the next page begins.
    pub(super) fn oldest(self) -> Option<Timestamp> {
        self.oldest.try_get_value().flatten()
    }

    /// Puts the conversations of a page in the list of this tab, once it is there.
    pub(super) fn take(self, page: PageAsked) {
        self.asking.set(true);
        leptos::task::spawn_local(async move {
            match page.await {
                Ok(lines) => {
                    self.more.try_set(lines.len() >= LIST_PAGE);
                    if let Some(last) = lines.last() {
                        self.oldest.try_set_value(Some(last.updated));
                    }
                    for line in lines {
                        self.channel.list.put(line);
                    }
                }
                Err(error) => self.channel.toasts.error(error.0),
            }
            self.asking.try_set(false);
        });
    }

    pub(super) fn draw(self, drawn: DrawnPages) -> AnyView {
        let DrawnPages {
            words,
            label,
            lines,
            ask,
        } = drawn;
        let clock = self.channel.clock;
        let now = Memo::new(move |_| {
            let now = clock.second().unwrap_or_else(browser::now);
            Timestamp(now.0 / 30_000 * 30_000)
        });
        view! {
            <div class="finder">
                {head(self.finder, view! { <p role="status">{words}</p> }.into_any())}
                <ul class="sidebar__lines" aria-label=label>
                    {each(
                        move || lines.get(),
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
                    hidden=live(move || !self.more.get())
                    disabled=live(move || self.asking.get())
                    on:click=press(move || ask.run(()))
                >
                    {texts::SHOW_OLDER}
                </button>
            </div>
        }
        .into_any()
    }
}
