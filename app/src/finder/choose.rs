//! Choosing several conversations, to archive them at once or put them into a folder.

use kit::{Key, browser, each, format, live, live_text, live_view, on, press};
use leptos::{ev, prelude::*};
use protocol::{ConversationId, ConversationSummary, Folder, MAX_FOLDER_CHARS, Shelf, Timestamp};

use super::{Finder, folders::load_folders, head};
use crate::{
    api,
    channel::Channel,
    sidebar_item::load_older,
    texts::{frame::UNTITLED, palette as texts},
};

/// Id of the list of folders that the field offers.
const FOLDERS: &str = "folders";
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
    /// The folder as it is typed.
    folder: RwSignal<String>,
    folders: RwSignal<Vec<Folder>>,
}

/// A change of one conversation's place.
#[derive(Clone)]
enum Place {
    Archive,
    /// Into a folder, or with none out of its folder.
    Folder(Option<String>),
}

pub(super) fn choose(finder: Finder, channel: Channel) -> AnyView {
    let choosing = Choosing {
        channel,
        chosen: RwSignal::new(Vec::new()),
        busy: RwSignal::new(false),
        said: RwSignal::new(String::new()),
        folder: RwSignal::new(String::new()),
        folders: RwSignal::new(Vec::new()),
    };
    load_folders(channel, move |folders| {
        choosing.folders.try_set(folders);
    });
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
                on:click=press(move || choosing.put(Place::Archive))
            >
                {live_text(move || texts::archive_conversations(count()))}
            </button>
            {choosing.field()}
            <p class="finder__said" role="status" tabindex="-1">
                {live_text(move || choosing.said.get())}
            </p>
            <ul class="sidebar__lines">
                {each(
                    move || list.lines.get(),
                    |line| {
                        let place = (line.folder.clone(), is_quiet(line));
                        Key::of((line.id, line.title.clone(), line.updated.0, place))
                    },
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

    /// Draws the field for the folder: a name moves them there, none takes them out.
    fn field(self) -> AnyView {
        let none = move || self.chosen.read().is_empty() || self.busy.get();
        let options = move || {
            let folders = self.folders.get().into_iter();
            folders.map(|folder| view! { <option value=folder.name></option> }.into_any())
        };
        view! {
            <form
                class="finder__file"
                on:submit=on(move |event: ev::SubmitEvent| {
                    event.prevent_default();
                    // As the server keeps it.
                    let name = self.folder.get_untracked();
                    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                    self.put(Place::Folder(Some(name).filter(|name| !name.is_empty())));
                })
            >
                <input
                    class="field"
                    list=FOLDERS
                    aria-label=texts::FOLDER
                    placeholder=texts::FOLDER
                    maxlength=MAX_FOLDER_CHARS.to_string()
                    autocomplete="off"
                    prop:value=live(move || self.folder.get())
                    on:input=on(move |event: ev::Event| self.folder.set(event_target_value(&event)))
                />
                <datalist id=FOLDERS>
                    {live_view(move || options().collect::<Vec<_>>().into_any())}
                </datalist>
                <button type="submit" class="button" disabled=live(none)>
                    {live_text(move || {
                        let out = self.folder.read().trim().is_empty();
                        (if out { texts::TAKE_OUT } else { texts::MOVE }).to_owned()
                    })}
                </button>
            </form>
        }
        .into_any()
    }

    /// Moves them one after the other; the first refusal ends it, and the rest stay chosen.
    fn put(self, place: Place) {
        let list = self.channel.list;
        self.busy.set(true);
        leptos::task::spawn_local(async move {
            let mut done = 0;
            for id in self.chosen.get_untracked() {
                let line = {
                    let lines = list.lines.read_untracked();
                    lines.iter().find(|line| line.id == id).cloned()
                };
                let put = match &place {
                    Place::Archive => api::shelve(id, Shelf::Archived).await,
                    Place::Folder(folder) => api::put_in_folder(id, folder.clone()).await,
                };
                if let Err(error) = put {
                    self.channel.toasts.error(error.0);
                    break;
                }
                done += 1;
                self.chosen
                    .try_update(|chosen| chosen.retain(|other| *other != id));
                if let Some(line) = line {
                    list.put(match place.clone() {
                        Place::Archive => ConversationSummary {
                            shelf: Shelf::Archived,
                            ..line
                        },
                        Place::Folder(folder) => ConversationSummary { folder, ..line },
                    });
                }
            }
            self.said.try_set(match &place {
                Place::Archive => texts::archived(done),
                Place::Folder(Some(name)) => texts::moved(done, name),
                Place::Folder(None) => texts::taken_out(done),
            });
            self.busy.try_set(false);
            // A button that was disabled meanwhile has lost the focus.
            request_animation_frame(|| {
                if browser::nothing_has_focus() {
                    browser::focus_on(".finder__said");
                }
            });
        });
    }

    fn line(self, line: ConversationSummary) -> AnyView {
        let id = line.id;
        let title = if line.title.is_empty() {
            UNTITLED.to_owned()
        } else {
            format::upright(line.title.clone())
        };
        let shown = line
            .folder
            .as_ref()
            .map(|name| texts::in_folder(&format::upright(name.clone())));
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
                    <span class="finder__title" title=title>
                        {title.clone()} {shown.map(|words| view! { <small>{words}</small> })}
                    </span>
                    <time class="finder__age">{live_text(age)}</time>
                </label>
            </li>
        }
        .into_any()
    }
}
