//! The root component: contexts, the route, the frame around every page.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};

use crate::{
    api::{self, FrameResource},
    channel::Channel,
    conversations::{ConversationList, Opened},
    dock::Dock,
    frame::{Frame, Layout},
    page::{ChatPage, FeedPage, HomePage, HudPage, NotFoundPage, ThingPage, missing_conversation},
    route::{Page, Route},
    toast::Toasts,
    ui::{Key, each, effect},
};

/// The whole user interface.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let channel = Channel::new(ConversationList::new(), Opened::new(), Toasts::new());
    provide_context(channel);
    provide_context(Layout::new());
    // One request for the frame of the page, however many parts of it show it.
    let frame = FrameResource::new_with_options(|| (), |()| api::frame(), true);
    provide_context(frame);
    let route = Route::new();
    provide_context(route);
    let dock = Dock::new(route, channel.list);
    provide_context(dock);
    effect(move || {
        route.start();
        dock.start();
        channel.clock.start();
        channel.open();
    });
    view! {
        // Ahead of the name, where a narrow tab still shows it.
        <Title formatter=move |title: String| {
            let waiting = match channel.list.waiting_calls() {
                0 => String::new(),
                waiting => format!("({waiting}) "),
            };
            let notices = match channel.noticed.read().open {
                0 => String::new(),
                open => format!("⚠{open} "),
            };
            format!("{waiting}{notices}{}", page_title(title))
        } />
        <Frame>
            // As a list of one: another page gets other elements, with nothing left in their fields.
            {each(move || vec![route.page()], |page| Key::Page(page.clone()), page_view)}
        </Frame>
    }
}

fn page_view(page: Page) -> AnyView {
    match page {
        Page::Home => view! { <HomePage /> }.into_any(),
        Page::Chat(id) => view! { <ChatPage id /> }.into_any(),
        Page::Hud => view! { <HudPage /> }.into_any(),
        Page::Feed(named) => view! { <FeedPage named /> }.into_any(),
        Page::Thing(thing) => view! { <ThingPage thing /> }.into_any(),
        Page::NoChat => missing_conversation(),
        Page::Nowhere => view! { <NotFoundPage /> }.into_any(),
    }
}

fn page_title(title: String) -> String {
    let title = if title.is_empty() {
        "Jarvis".to_owned()
    } else {
        format!("{title} · Jarvis")
    };
    // leptos_meta puts it into the HTML as it is, and a conversation is called what a person wrote.
    if cfg!(feature = "ssr") {
        title.replace('&', "&amp;").replace('<', "&lt;")
    } else {
        title
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_leave_its_element() {
        assert_eq!(page_title(String::new()), "Jarvis");
        assert_eq!(
            page_title("a&b</title><script>".to_owned()),
            "a&amp;b&lt;/title>&lt;script> · Jarvis"
        );
    }
}
