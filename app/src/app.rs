//! The root component: contexts, the router, the frame around every page.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    api::{self, FrameResource},
    channel::Channel,
    conversations::{ConversationList, Opened},
    frame::{Frame, Layout},
    notice::Notices,
    page::{ChatPage, HomePage, NotFoundPage},
    ui::effect,
};

/// The whole user interface.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let channel = Channel::new(ConversationList::new(), Opened::new(), Notices::new());
    provide_context(channel);
    provide_context(Layout::new());
    // One request for the frame of the page, however many parts of it show it.
    let frame = FrameResource::new_with_options(|| (), |()| api::frame(), true);
    provide_context(frame);
    effect(move || {
        channel.clock.start();
        channel.open();
    });
    view! {
        <Title formatter=page_title />
        <Router>
            <Frame>
                <FlatRoutes fallback=|| view! { <NotFoundPage /> }>
                    <Route path=path!("/") view=HomePage ssr=SsrMode::Async />
                    <Route path=path!("/chat/:id") view=ChatPage ssr=SsrMode::Async />
                </FlatRoutes>
            </Frame>
        </Router>
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
