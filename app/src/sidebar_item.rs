//! One line of the list of conversations, with its actions.

use kit::{Icon, browser, effect, format, icon, live, live_text, live_view, on, press, rove};
use leptos::{ev, html, prelude::*};
use protocol::{ConversationId, ConversationSummary, Shelf, Timestamp};

use crate::{
    api,
    channel::Channel,
    layout::Layout,
    route::{Page, Route},
    texts::frame as texts,
};

/// Id of the button to the archive: it takes the focus when a conversation is archived.
pub(crate) const ARCHIVE: &str = "archive";

/// The state of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemState {
    Shown,
    Renaming,
}

#[component]
pub(crate) fn SidebarItem(line: ConversationSummary, now: Memo<Timestamp>) -> impl IntoView {
    let id = line.id;
    let state = RwSignal::new(ItemState::Shown);
    let title = StoredValue::new(line.title.clone());
    let route = expect_context::<Route>();
    let here = Memo::new(move |_| route.page() == Page::Chat(id));
    let content = live_view(move || match state.get() {
        ItemState::Shown => view! { <Line line=line.clone() here now state /> }.into_any(),
        ItemState::Renaming => view! { <Rename id title state /> }.into_any(),
    });
    view! {
        <li
            class="sidebar-item"
            class:sidebar-item--here=live(move || here.get())
            on:keydown=on(|event: ev::KeyboardEvent| {
                if rove(&event, ".sidebar-item") {
                    event.prevent_default();
                }
            })
        >
            {content}
        </li>
    }
    .into_any()
}

#[component]
fn Line(
    line: ConversationSummary,
    here: Memo<bool>,
    now: Memo<Timestamp>,
    state: RwSignal<ItemState>,
) -> impl IntoView {
    let layout = expect_context::<Layout>();
    let channel = expect_context::<Channel>();
    let updated = line.updated;
    // Not with every second: a format of a date takes long, and the list has many lines.
    let alive = Memo::new(move |_| channel.clock.second().is_some());
    let exact = live(move || alive.get().then(|| browser::exact_time(updated)));
    let id = line.id;
    let title = if line.title.is_empty() {
        texts::UNTITLED.to_owned()
    } else {
        format::upright(line.title.clone())
    };
    let hover = match &line.folder {
        Some(folder) => texts::title_in_folder(&title, &format::upright(folder.clone())),
        None => title.clone(),
    };
    let (running, imported) = (line.running, line.imported.is_some());
    let actions = actions(line, title.clone(), here, state);
    view! {
        <a
            href=Page::Chat(id).path()
            id=line_id(id)
            class="sidebar-item__link"
            aria-current=live(move || here.get().then_some("page"))
            on:click=press(move || layout.drawer.set(false))
        >
            <span class="sidebar-item__title" title=hover>{title}</span>
            {line_marks(id)}
            {running
                .then(|| {
                    view! {
                        <span class="sidebar-item__running" title=texts::A_TURN_IS_RUNNING>
                            <span class="visually-hidden">{texts::RUNNING}</span>
                        </span>
                    }
                })}
            {imported
                .then(|| view! { <span class="sidebar-item__imported">{texts::IMPORTED}</span> })}
            <time class="sidebar-item__age" title=exact>
                {live_text(move || format::age(updated, now.get()))}
            </time>
        </a>
        <span class="sidebar-item__actions">{actions}</span>
    }
    .into_any()
}

/// Draws the marks of calls that wait in a conversation, and of unseen events. They change without
/// the line being redrawn, so that the focus stays.
pub(crate) fn line_marks(id: ConversationId) -> AnyView {
    let list = expect_context::<Channel>().list;
    let waiting = Memo::new(move |_| list.waiting_in(id));
    let unread = Memo::new(move |_| list.unread_in(id).is_some());
    live_view(move || match (waiting.get(), unread.get()) {
        (0, false) => ().into_any(),
        (0, true) => view! {
            <span class="line-mark line-mark--unread" title=texts::UNREAD>
                <span class="visually-hidden">{texts::UNREAD_MARK}</span>
            </span>
        }
        .into_any(),
        (waiting, _) => {
            let title = texts::requests_need_your_decision(waiting);
            view! {
                <span class="line-mark line-mark--waiting" title=title>
                    <span aria-hidden="true">{waiting.to_string()}</span>
                    <span class="visually-hidden">{texts::requests_waiting_for_you(waiting)}</span>
                </span>
            }
            .into_any()
        }
    })
}

/// Requests older conversations for the list; `asking` is true until they arrive.
pub(crate) fn load_older(channel: Channel, asking: RwSignal<bool>) {
    let list = channel.list;
    asking.set(true);
    leptos::task::spawn_local(async move {
        match api::conversations(list.oldest()).await {
            Ok(older) => list.extend(older),
            Err(error) => channel.toasts.error(error.0),
        }
        asking.try_set(false);
    });
}

/// Returns the id of the button that undoes a deletion.
pub(crate) fn undo_id(id: ConversationId) -> String {
    format!("undo-{id}")
}

/// Draws the buttons of a line: pin, rename, archive, delete.
fn actions(
    line: ConversationSummary,
    name: String,
    here: Memo<bool>,
    state: RwSignal<ItemState>,
) -> Vec<AnyView> {
    let channel = expect_context::<Channel>();
    let route = expect_context::<Route>();
    let id = line.id;
    let title = name.clone();
    let line = StoredValue::new(line);
    let to = move |shelf| move || put(channel, line.get_value(), shelf);
    let delete = move || {
        let line = line.get_value();
        let here = here.get_untracked();
        if here {
            route.go(Page::Home);
        }
        // At once; it comes back if the server refuses, or if it is restored.
        channel.list.remove(id);
        let title = title.clone();
        leptos::task::spawn_local(async move {
            match api::delete(id).await {
                Ok(()) => {
                    channel.opened.remove(id);
                    channel.toasts.deleted(id, title, here);
                    // After the page that replaced it has had the focus.
                    request_animation_frame(move || {
                        request_animation_frame(move || browser::show(undo_id(id)));
                    });
                }
                Err(error) => {
                    channel.list.put(line);
                    channel.toasts.error(error.0);
                }
            }
        });
    };
    // One line represents all branches; only the title is each branch's own.
    let (renames, deletes) = if line.with_value(|line| line.family.is_some()) {
        (texts::RENAME_THIS_BRANCH_OF, texts::DELETE_ALL_BRANCHES_OF)
    } else {
        (texts::RENAME, texts::DELETE)
    };
    let rename = button(Icon::EDIT, renames, &name, move || {
        state.set(ItemState::Renaming);
    });
    let delete = button(Icon::TRASH, deletes, &name, delete);
    let shelf = line.with_value(|line| line.shelf);
    match shelf {
        Shelf::Archived => vec![
            button(Icon::SEND, texts::RESTORE, &name, to(Shelf::Listed)),
            delete,
        ],
        shelf => {
            let pin = match shelf {
                Shelf::Pinned => button(Icon::PIN, texts::UNPIN, &name, to(Shelf::Listed)),
                _ => button(Icon::PIN, texts::PIN, &name, to(Shelf::Pinned)),
            };
            let archive = button(Icon::ARCHIVE, texts::ARCHIVE, &name, to(Shelf::Archived));
            // An imported conversation keeps its title.
            if line.with_value(|line| line.imported.is_some()) {
                vec![pin, archive, delete]
            } else {
                vec![pin, rename, archive, delete]
            }
        }
    }
}

fn button(shape: Icon, what: &'static str, name: &str, act: impl FnMut() + 'static) -> AnyView {
    view! {
        <button
            type="button"
            class="icon-button icon-button--small"
            title=what
            // The arrow keys lead to it: a line is one stop for the Tab key.
            tabindex="-1"
            on:click=press(act)
        >
            {icon(shape)}
            <span class="visually-hidden">{format!("{what} {name}")}</span>
        </button>
    }
    .into_any()
}

/// Moves a conversation to another place of the list, at once; it goes back if the server refuses.
/// The focus goes with it, or to where it can be found.
fn put(channel: Channel, line: ConversationSummary, shelf: Shelf) {
    let id = line.id;
    channel.list.put(ConversationSummary {
        shelf,
        ..line.clone()
    });
    let from = line.shelf;
    request_animation_frame(move || match (from, shelf) {
        (Shelf::Archived, _) => {
            browser::first(".finder__head button", |back| browser::report(back.focus()));
        }
        (_, Shelf::Archived) => browser::show(ARCHIVE.to_owned()),
        _ => browser::show(line_id(id)),
    });
    leptos::task::spawn_local(async move {
        if let Err(error) = api::shelve(id, shelf).await {
            channel.list.put(line);
            channel.toasts.error(error.0);
        }
    });
}

/// Returns the id of a line's link.
fn line_id(id: ConversationId) -> String {
    format!("line-{id}")
}

#[component]
fn Rename(
    id: ConversationId,
    title: StoredValue<String>,
    state: RwSignal<ItemState>,
) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let field = NodeRef::<html::Input>::new();
    effect(move || {
        if let Some(field) = field.get() {
            browser::report(field.focus());
            field.select();
        }
    });
    let save = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let new = field.value().trim().to_owned();
        let old = title.get_value();
        state.set(ItemState::Shown);
        if new.is_empty() || new == old {
            return;
        }
        channel.list.rename(id, &new);
        leptos::task::spawn_local(async move {
            if let Err(error) = api::rename(id, new).await {
                channel.list.rename(id, &old);
                channel.toasts.error(error.0);
            }
        });
    };
    view! {
        <form
            class="sidebar-item__form"
            on:submit=on(move |event: ev::SubmitEvent| {
                event.prevent_default();
                save();
            })
            on:keydown=on(move |event| leave(&event, state))
        >
            <input
                node_ref=field
                class="field"
                aria-label=texts::TITLE
                maxlength="120"
                autocomplete="off"
                value=title.get_value()
            />
            <button type="submit" class="icon-button icon-button--small" title=texts::SAVE>
                {icon(Icon::CHECK)}
                <span class="visually-hidden">{texts::SAVE_THE_TITLE}</span>
            </button>
            <button
                type="button"
                class="icon-button icon-button--small"
                title=texts::CANCEL
                on:click=press(move || state.set(ItemState::Shown))
            >
                {icon(Icon::CLOSE)}
                <span class="visually-hidden">{texts::KEEP_THE_OLD_TITLE}</span>
            </button>
        </form>
    }
    .into_any()
}

/// Cancels a question on Escape.
fn leave(event: &ev::KeyboardEvent, state: RwSignal<ItemState>) {
    if event.key() == "Escape" {
        event.prevent_default();
        event.stop_propagation();
        state.set(ItemState::Shown);
    }
}
