//! Choosing several conversations, to archive them at once.

use kit::{Key, browser, each, format, live, live_text, on, press};
use leptos::{ev, prelude::*};
use protocol::{ConversationId, ConversationSummary, Shelf, Timestamp};

use super::{Finder, head};
use crate::{
    api,
    channel::Channel,
    frame::load_older,
    texts::{frame::UNTITLED, palette as texts},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Ages that can be chosen together, in days.
const AGES: [i64; 3] = [7, 30, 90];

/// The state of the view.
#[derive(Clone, Copy)]
struct Choosing {
    channel: Channel,
    chosen: RwSignal<Vec<ConversationId>>,
    /// True while the server archives them, or is asked for older ones.
    busy: RwSignal<bool>,
    said: RwSignal<String>,
}

pub(super) fn choose(finder: Finder, channel: Channel) -> AnyView {
    let choosing = Choosing {
        channel,
        chosen: RwSignal::new(Vec::new()),
        busy: RwSignal::new(false),
        said: RwSignal::new(String::new()),
    };
    let list = channel.list;
    let count = move || choosing.chosen.read().len();
    let ages: Vec<_> = AGES
        .into_iter()
        .map(|days| {
            view! {
                <button
                    type="button"
                    class="button button--small"
                    aria-label=texts::older_than_days(days)
                    on:click=press(move || choosing.older_than(days))
                >
                    {texts::days(days)}
                </button>
            }
        })
        .collect();
    view! {
        <div class="finder">
            {head(finder, view! { <p>{texts::CHOOSE}</p> }.into_any())}
            <div class="finder__ages" role="group" aria-label=texts::CHOOSE_BY_AGE>
                <span>{texts::OLDER_THAN}</span>
                {ages}
            </div>
            <button
                type="button"
                class="button button--primary finder__act"
                disabled=live(move || count() == 0 || choosing.busy.get())
                on:click=press(move || choosing.archive())
            >
                {live_text(move || texts::archive_conversations(count()))}
            </button>
            <p class="finder__said" role="status">
                {live_text(move || choosing.said.get())}
            </p>
            <ul class="sidebar__lines">
                {each(
                    move || list.lines.get(),
                    |line| Key::of((line.id, line.title.clone(), line.updated.0, is_quiet(line))),
                    move |line| choosing.line(line),
                )}
            </ul>
            <button
                type="button"
                class="button button--quiet sidebar__more"
                hidden=live(move || !list.more.get())
                disabled=live(move || choosing.busy.get())
                on:click=press(move || load_older(channel, choosing.busy))
            >
                {texts::SHOW_OLDER}
            </button>
        </div>
    }
    .into_any()
}

/// Returns whether a conversation may be archived with others: nothing runs or waits in it.
fn is_quiet(line: &ConversationSummary) -> bool {
    !line.running && line.waiting.is_empty()
}

impl Choosing {
    /// Chooses the loaded conversations that did not change for so many days. Pinned ones stay.
    fn older_than(self, days: i64) {
        let least = browser::now().0 - days * DAY_MS;
        let lines = self.channel.list.lines.read_untracked();
        let old = lines.iter().filter(|line| {
            line.updated < Timestamp(least) && is_quiet(line) && line.shelf == Shelf::Listed
        });
        let old: Vec<_> = old.map(|line| line.id).collect();
        self.said.set(texts::chosen(old.len()));
        self.chosen.set(old);
    }

    fn turn(self, id: ConversationId) {
        self.chosen.update(|chosen| {
            let before = chosen.len();
            chosen.retain(|other| *other != id);
            if chosen.len() == before {
                chosen.push(id);
            }
        });
    }

    /// Archives them one after the other; the first refusal ends it, and the rest stay chosen.
    fn archive(self) {
        let list = self.channel.list;
        self.busy.set(true);
        leptos::task::spawn_local(async move {
            let mut done = 0;
            for id in self.chosen.get_untracked() {
                let line = {
                    let lines = list.lines.read_untracked();
                    lines.iter().find(|line| line.id == id).cloned()
                };
                if let Err(error) = api::shelve(id, Shelf::Archived).await {
                    self.channel.toasts.error(error.0);
                    break;
                }
                done += 1;
                self.chosen
                    .try_update(|chosen| chosen.retain(|other| *other != id));
                if let Some(line) = line {
                    list.put(ConversationSummary {
                        shelf: Shelf::Archived,
                        ..line
                    });
                }
            }
            self.said.try_set(texts::archived(done));
            self.busy.try_set(false);
        });
    }

    fn line(self, line: ConversationSummary) -> AnyView {
        let id = line.id;
        let title = if line.title.is_empty() {
            UNTITLED.to_owned()
        } else {
            format::upright(line.title.clone())
        };
        let updated = line.updated;
        let clock = self.channel.clock;
        let age = move || {
            clock
                .second()
                .map_or(String::new(), |now| format::age(updated, now))
        };
        view! {
            <li>
                <label class="finder__choice">
                    <input
                        type="checkbox"
                        prop:checked=live(move || self.chosen.read().contains(&id))
                        disabled=!is_quiet(&line)
                        on:change=on(move |_: ev::Event| self.turn(id))
                    />
                    <span class="finder__title" title=title>{title.clone()}</span>
                    <time class="finder__age">{live_text(age)}</time>
                </label>
            </li>
        }
        .into_any()
    }
}
