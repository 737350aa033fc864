//! The root component: contexts, the route, the frame around every page.

use kit::{Highlighter, Key, Toasts, each, effect};
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use protocol::{ConversationId, ConversationSummary, NoticeCount, SecondCall, Seq};

use crate::{
    api,
    channel::Channel,
    conversations::{ConversationList, Opened, waiting_calls},
    dock::Dock,
    domains::PANELS,
    frame::{Arrived, Frame},
    keys::Keys,
    layout::Layout,
    not_found::NotFoundPage,
    page::{ChatPage, HomePage, feed_page, missing_conversation, shared_page},
    palette::Palette,
    panel,
    route::{Page, Route},
    texts::page as texts,
};

/// Loads the code of the page in the address bar, before the page comes to life.
#[cfg(feature = "hydrate")]
pub async fn load_code() {
    panel::install(PANELS);
    crate::page::load_code().await;
}

/// Returns every question that the chat beside a page suggests before the first message.
pub fn questions() -> impl Iterator<Item = &'static str> {
    PANELS.iter().flat_map(|panel| panel.beside).copied()
}

/// Returns the title and the path of a toolset's pages.
pub fn tab(toolset: &str) -> Option<(&'static str, &'static str)> {
    let panel = PANELS.iter().find(|panel| panel.toolset == toolset)?;
    Some((panel.tab.name, panel.tab.path))
}

/// The whole user interface.
#[component]
pub fn App() -> impl IntoView {
    panel::install(PANELS);
    provide_meta_context();
    let channel = Channel::new(ConversationList::new(), Opened::new(), Toasts::default());
    channel.provide();
    provide_context(Highlighter(|blocks| {
        Box::pin(async { api::code(blocks).await.map_err(|error| error.0) })
    }));
    let keys = Keys::new();
    provide_context(keys);
    Arrived::provide(channel);
    let route = Route::new();
    provide_context(route);
    let layout = Layout::new(route);
    provide_context(layout);
    let dock = Dock::new(route, channel.list);
    provide_context(dock);
    let palette = Palette {
        channel,
        route,
        dock: Callback::new(move |()| {
            dock.toggle_here();
        }),
        search: Callback::new(move |()| layout.open(dock)),
        shortcuts: Callback::new(move |()| keys.show()),
    };
    provide_context(palette);
    effect(move || {
        route.start();
        dock.start();
        keys.start(palette, dock, layout);
        palette.start();
        channel.clock.start();
        channel.open();
    });
    let marks = Marks::new(channel);
    view! {
        // Before the name, where a narrow tab still shows it.
        <Title formatter=move |title: String| marks.ahead_of(&page_title(title)) />
        <Frame>
            // As a list of one: another page gets new elements, with nothing left in their fields.
            {each(move || vec![route.page().drawn_as()], |page| Key::of(page.clone()), page_view)}
        </Frame>
    }
}

/// The marks before the title. The server assembles the title after it drew the page, outside the
/// page's arena: signals of an arena would be gone by then, or belong to another page.
struct Marks {
    waiting: ArcRwSignal<Vec<ConversationSummary>>,
    seconds: ArcRwSignal<Vec<SecondCall>>,
    unread: ArcRwSignal<Vec<(ConversationId, Seq)>>,
    noticed: ArcRwSignal<NoticeCount>,
}

impl Marks {
    fn new(channel: Channel) -> Self {
        Self {
            waiting: channel.list.waiting.into(),
            seconds: channel.list.seconds.into(),
            unread: channel.list.unread.into(),
            noticed: channel.noticed.into(),
        }
    }

    fn ahead_of(&self, title: &str) -> String {
        let waiting = match waiting_calls(&self.waiting.read(), &self.seconds.read()) {
            0 => String::new(),
            waiting => format!("({waiting}) "),
        };
        let notices = match self.noticed.read().open {
            0 => String::new(),
            open => format!("⚠{open} "),
        };
        let unread = match self.unread.read().len() {
            0 => String::new(),
            unread => format!("•{unread} "),
        };
        format!("{waiting}{notices}{unread}{title}")
    }
}

fn page_view(page: Page) -> AnyView {
    match page {
        Page::Home => view! { <HomePage /> }.into_any(),
        Page::Chat(id) => view! { <ChatPage id /> }.into_any(),
        Page::Shared(token) => shared_page(token),
        Page::Feed(named) => feed_page(named),
        Page::Panel(path) => match panel::shown(&path) {
            Some((panel, path)) => (panel.view)(&path),
            None => view! { <NotFoundPage /> }.into_any(),
        },
        Page::NoChat => missing_conversation(),
        Page::Nowhere => view! { <NotFoundPage /> }.into_any(),
    }
}

fn page_title(title: String) -> String {
    let title = if title.is_empty() {
        "Jarvis".to_owned()
    } else {
        texts::page_title(&title)
    };
    // leptos_meta does not escape it, and a title is text that a person wrote.
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

    fn channel() -> Channel {
        Channel::new(ConversationList::new(), Opened::new(), Toasts::default())
    }

    #[test]
    fn a_title_counts_for_its_own_page_while_another_is_drawn() {
        let page = Owner::new_root(None);
        let marks = page.with(|| {
            let channel = channel();
            channel.noticed.update(|notices| notices.open = 2);
            Marks::new(channel)
        });
        let other = Owner::new_root(None);
        other.with(|| {
            channel().noticed.update(|notices| notices.open = 1);
            assert_eq!(marks.ahead_of("Jarvis"), "⚠2 Jarvis");
        });
    }
}
