//! One line of the list of conversations, with its rename and delete.

use leptos::{ev, html, prelude::*};
use protocol::{ConversationSummary, Timestamp};

use super::Layout;
use crate::{
    api, browser,
    channel::Channel,
    format,
    route::{Page, Route},
    ui::{Icon, effect, icon, live, live_text, live_view, on, press},
};

/// What the line is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Shown,
    Renaming,
    /// Deleting is for good, so it is asked for twice.
    Deleting,
}

#[component]
pub(super) fn SidebarItem(line: ConversationSummary, now: Memo<Timestamp>) -> impl IntoView {
    let id = line.id;
    let state = RwSignal::new(State::Shown);
    let title = StoredValue::new(line.title.clone());
    let route = expect_context::<Route>();
    let here = Memo::new(move |_| route.page() == Page::Chat(id));
    let content = live_view(move || match state.get() {
        State::Shown => view! { <Line line=line.clone() here now state /> }.into_any(),
        State::Renaming => view! { <Rename id title state /> }.into_any(),
        State::Deleting => view! { <Delete id title here state /> }.into_any(),
    });
    view! {
        <li class="sidebar-item" class:sidebar-item--here=live(move || here.get())>
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
    state: RwSignal<State>,
) -> impl IntoView {
    let layout = expect_context::<Layout>();
    let channel = expect_context::<Channel>();
    let updated = line.updated;
    let exact = live(move || {
        channel
            .clock
            .second()
            .map(|_| browser::local_time(updated, true))
    });
    let title = if line.title.is_empty() {
        "Untitled".to_owned()
    } else {
        line.title
    };
    let name = title.clone();
    view! {
        <a
            href=Page::Chat(line.id).path()
            class="sidebar-item__link"
            aria-current=live(move || here.get().then_some("page"))
            on:click=press(move || layout.drawer.set(false))
        >
            <span class="sidebar-item__title">{title}</span>
            {line
                .running
                .then(|| {
                    view! {
                        <span class="sidebar-item__running" title="A turn is running">
                            <span class="visually-hidden">"running"</span>
                        </span>
                    }
                })}
            <time class="sidebar-item__age" title=exact>
                {live_text(move || format::age(updated, now.get()))}
            </time>
        </a>
        <span class="sidebar-item__actions">
            <button
                type="button"
                class="icon-button icon-button--small"
                title="Rename"
                on:click=press(move || state.set(State::Renaming))
            >
                {icon(Icon::EDIT)}
                <span class="visually-hidden">{format!("Rename {name}")}</span>
            </button>
            <button
                type="button"
                class="icon-button icon-button--small"
                title="Delete"
                on:click=press(move || state.set(State::Deleting))
            >
                {icon(Icon::TRASH)}
                <span class="visually-hidden">{format!("Delete {name}")}</span>
            </button>
        </span>
    }
    .into_any()
}

#[component]
fn Rename(
    id: protocol::ConversationId,
    title: StoredValue<String>,
    state: RwSignal<State>,
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
        state.set(State::Shown);
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
                aria-label="Title"
                maxlength="120"
                autocomplete="off"
                value=title.get_value()
            />
            <button type="submit" class="icon-button icon-button--small" title="Save">
                {icon(Icon::CHECK)}
                <span class="visually-hidden">"Save the title"</span>
            </button>
            <button
                type="button"
                class="icon-button icon-button--small"
                title="Cancel"
                on:click=press(move || state.set(State::Shown))
            >
                {icon(Icon::CLOSE)}
                <span class="visually-hidden">"Keep the old title"</span>
            </button>
        </form>
    }
    .into_any()
}

/// Escape leaves a question without an answer.
fn leave(event: &ev::KeyboardEvent, state: RwSignal<State>) {
    if event.key() == "Escape" {
        event.prevent_default();
        event.stop_propagation();
        state.set(State::Shown);
    }
}

#[component]
fn Delete(
    id: protocol::ConversationId,
    title: StoredValue<String>,
    here: Memo<bool>,
    state: RwSignal<State>,
) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let route = expect_context::<Route>();
    let keep = NodeRef::<html::Button>::new();
    effect(move || {
        if let Some(keep) = keep.get() {
            browser::report(keep.focus());
        }
    });
    let delete = move || {
        if here.get_untracked() {
            route.go(Page::Home);
        }
        leptos::task::spawn_local(async move {
            match api::delete(id).await {
                Ok(()) => {
                    channel.list.remove(id);
                    channel.opened.remove(id);
                    channel.toasts.done("The conversation was deleted.");
                }
                Err(error) => {
                    state.try_set(State::Shown);
                    channel.toasts.error(error.0);
                }
            }
        });
    };
    view! {
        <div
            class="sidebar-item__question"
            role="group"
            aria-label="Delete the conversation?"
            on:keydown=on(move |event| leave(&event, state))
        >
            <p>"Delete “" {title.get_value()} "” for good?"</p>
            <div class="sidebar-item__answers">
                <button
                    type="button"
                    node_ref=keep
                    class="button button--small"
                    on:click=press(move || state.set(State::Shown))
                >
                    "Keep"
                </button>
                <button type="button" class="button button--small button--danger" on:click=press(delete)>
                    "Delete"
                </button>
            </div>
        </div>
    }
    .into_any()
}
