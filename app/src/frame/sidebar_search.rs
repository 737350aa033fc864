//! The field above the list that searches all conversations.

use std::time::Duration;

use kit::{ErrorCard, Icon, browser, effect, icon, live, live_view, on};
use leptos::{ev, html, leptos_dom::helpers::TimeoutHandle, prelude::*};

use crate::{
    dock::Dock,
    finder::{Finder, Looking, finder_view},
    keys::{KeyAct, Keys},
    layout::Layout,
    texts::{common, frame as texts},
};

/// Debounce of typing.
const PAUSE: Duration = Duration::from_millis(150);
/// The first hit, once the results are for the current search.
const FIRST_HIT: &str = ".finder:not([aria-busy]) li a";
/// The first line below the field.
const FIRST_LINE: &str = ".finder li a, .sidebar__list:not([hidden]) li a";

#[component]
pub(super) fn SidebarSearch(finder: Finder) -> impl IntoView {
    let layout = expect_context::<Layout>();
    let dock = expect_context::<Dock>();
    let keys = expect_context::<Keys>();
    let field = NodeRef::<html::Input>::new();
    let due: StoredValue<Option<TimeoutHandle>> = StoredValue::new(None);
    let wait = move || {
        if let Some(Some(due)) = due.try_update_value(Option::take) {
            due.clear();
        }
    };
    let focus = move || {
        if let Some(field) = field.get_untracked() {
            browser::report(field.focus());
            field.select();
        }
    };
    let focus_late = move || {
        let field = field.get_untracked();
        if field.is_some_and(|field| !browser::has_focus(&field)) {
            focus();
        }
    };
    effect(move || {
        let listener = window_event_listener(ev::keydown, move |event| {
            if keys.hit(KeyAct::Search, &event) {
                event.prevent_default();
                layout.open(dock);
                // The next key typed belongs there. If the field was hidden: after the style has
                // made it visible and the list has taken the focus.
                focus();
                request_animation_frame(move || request_animation_frame(focus_late));
            }
        });
        on_cleanup(move || listener.remove());
    });
    // Opening the archive clears the words.
    effect(move || {
        let emptied = !matches!(*finder.looking.read(), Looking::For(_));
        if emptied
            && !finder.typing.get_untracked()
            && let Some(field) = field.get_untracked()
        {
            field.set_value("");
        }
    });
    let typed = on(move |event: ev::Event| {
        wait();
        let words = event_target_value(&event).trim().to_owned();
        if words.is_empty() {
            finder.leave();
            return;
        }
        finder.typing.set(true);
        let look = move || {
            finder.look(Looking::For(words));
            finder.typing.set(false);
        };
        due.set_value(set_timeout_with_handle(look, PAUSE).ok());
    });
    let pressed = on(move |event: ev::KeyboardEvent| {
        let done = match &*event.key() {
            "Escape" => {
                let empty = field
                    .get_untracked()
                    .is_none_or(|field| field.value().is_empty());
                if !empty {
                    wait();
                    finder.typing.set(false);
                    // The field follows.
                    finder.looking.set(Looking::List);
                }
                !empty
            }
            "Enter" => browser::first(FIRST_HIT, web_sys::HtmlElement::click),
            "ArrowDown" => browser::first(FIRST_LINE, |line| browser::report(line.focus())),
            _ => false,
        };
        if done {
            event.prevent_default();
            event.stop_propagation();
        }
    });
    view! {
        <div class="sidebar__search" role="search">
            {icon(Icon::SEARCH)}
            <input
                node_ref=field
                id="search"
                type="search"
                class="field"
                aria-label=texts::SEARCH_CONVERSATIONS
                title=live(move || keys.title(texts::SEARCH_CONVERSATIONS, KeyAct::Search))
                placeholder=texts::SEARCH
                autocomplete="off"
                spellcheck="false"
                maxlength="200"
                on:focus=on(|_: ev::FocusEvent| load())
                on:input=typed
                on:keydown=pressed
            />
        </div>
    }
    .into_any()
}

/// Loads the code before the first letter is typed. If that fails, the next search tries again.
fn load() {
    #[cfg(feature = "hydrate")]
    leptos::task::spawn_local(async {
        if crate::finder::preload_finder().await.is_err() {
            leptos::logging::warn!("the code of the search could not be loaded yet");
        }
    });
}

/// Draws the replacement of the list, if there is one.
pub(super) fn in_place_of_list(finder: Finder) -> AnyView {
    let away = Memo::new(move |_| *finder.looking.read() != Looking::List);
    live_view(move || {
        if !away.get() {
            return ().into_any();
        }
        view! {
            <Suspense fallback=|| view! { <p class="sidebar__empty">{common::LOADING}</p> }>
                {move || Suspend::new(async move {
                    finder_view(finder)
                        .await
                        .unwrap_or_else(|error| view! { <ErrorCard error=error.0 /> }.into_any())
                })}
            </Suspense>
        }
        .into_any()
    })
}
