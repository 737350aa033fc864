//! Folders: their names, and the conversations of one.

use kit::{Key, each, format, live_text, live_view, press};
use leptos::prelude::*;
use protocol::{Folder, Shelf};

use super::{
    Finder, Looking, head,
    pages::{DrawnPages, FinderPages},
};
use crate::{
    api,
    channel::Channel,
    texts::{common, palette as texts},
};

/// Draws the names of all folders.
pub(super) fn folders(finder: Finder, channel: Channel) -> AnyView {
    let known = RwSignal::new(None::<Vec<Folder>>);
    load_folders(channel, move |folders| {
        known.try_set(Some(folders));
    });
    let words = live_text(move || {
        match &*known.read() {
            None => common::LOADING,
            Some(folders) if folders.is_empty() => texts::NO_FOLDERS,
            Some(_) => texts::FOLDERS,
        }
        .to_owned()
    });
    view! {
        <div class="finder">
            {head(finder, view! { <p role="status">{words}</p> }.into_any())}
            <ul class="sidebar__lines">
                {each(
                    move || known.get().unwrap_or_default(),
                    |folder| Key::of((folder.name.clone(), folder.conversations)),
                    move |folder| entry(finder, folder),
                )}
            </ul>
        </div>
    }
    .into_any()
}

fn entry(finder: Finder, folder: Folder) -> AnyView {
    let Folder {
        name,
        conversations,
    } = folder;
    let count = texts::conversations(conversations);
    let shown = format::upright(name.clone());
    view! {
        <li>
            <button
                type="button"
                class="finder__folder"
                on:click=press(move || finder.look(Looking::Folder(name.clone())))
            >
                <span class="finder__title">{shown}</span>
                <span class="finder__age">{count}</span>
            </button>
        </li>
    }
    .into_any()
}

/// Draws the conversations of a folder. Those that this tab knows are there at once.
pub(super) fn folder(finder: Finder, channel: Channel, name: String) -> AnyView {
    let list = channel.list;
    let here = StoredValue::new(name.clone());
    let pages = FinderPages::new(finder, channel);
    let ask = Callback::new(move |()| {
        let name = here.try_get_value().unwrap_or_default();
        pages.take(Box::pin(api::in_folder(name, pages.oldest())));
    });
    ask.run(());
    let lines = Signal::derive(move || {
        let name = here.get_value();
        let mut lines = list.lines.get();
        lines.retain(|line| line.folder.as_ref() == Some(&name) && line.shelf != Shelf::Archived);
        lines
    });
    let empty = Memo::new(move |_| lines.read().is_empty());
    let words = live_view(move || match (empty.get(), pages.asking.get()) {
        (true, true) => common::LOADING.to_owned().into_any(),
        (true, false) => texts::NOTHING_IN_THIS_FOLDER.to_owned().into_any(),
        (false, _) => format::upright(here.get_value()).into_any(),
    });
    pages.draw(DrawnPages {
        words: words.into_any(),
        label: texts::folder(&format::upright(name)),
        lines,
        ask,
    })
}

/// Asks for the names of all folders.
pub(super) fn load_folders(channel: Channel, then: impl FnOnce(Vec<Folder>) + 'static) {
    leptos::task::spawn_local(async move {
        match api::folders().await {
            Ok(folders) => then(folders),
            Err(error) => channel.toasts.error(error.0),
        }
    });
}
