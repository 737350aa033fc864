//! Routes: the page of an address, and navigation without loading.

use kit::browser;
use leptos::{ev, prelude::*};
use protocol::{ConversationId, FeedId};
use wasm_bindgen::JsCast;

use crate::panel;

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Page {
    /// A new conversation.
    Home,
    Chat(ConversationId),
    /// A conversation of another person, by the token of its link.
    Shared(String),
    /// The feed; at one event, or at the newest.
    Feed(Option<FeedId>),
    /// A page of a domain, by its address.
    Panel(String),
    /// A conversation that cannot exist: its identifier is invalid.
    NoChat,
    /// An unknown address.
    Nowhere,
}

impl Page {
    /// Returns the page of a path, as the server or the browser has it.
    pub(crate) fn of(path: &str) -> Self {
        if let Some(id) = path.strip_prefix("/chat/") {
            return id.parse().map_or(Self::NoChat, Self::Chat);
        }
        if let Some(token) = path.strip_prefix("/shared/") {
            return Self::Shared(token.to_owned());
        }
        if let Some(id) = path.strip_prefix("/feed/") {
            return id.parse().map_or(Self::Nowhere, |id| Self::Feed(Some(id)));
        }
        match path {
            "/" => Self::Home,
            "/feed" => Self::Feed(None),
            _ => panel::at(path).map_or(Self::Nowhere, |(_, path)| Self::Panel(path)),
        }
    }

    /// Returns the page as which this one is drawn: another chart is drawn in the same page.
    pub(crate) fn drawn_as(self) -> Self {
        match &self {
            Self::Panel(path) => match panel::at(path) {
                Some((panel, path)) => Self::Panel((panel.drawn_as)(&path)),
                None => self,
            },
            _ => self,
        }
    }

    /// Returns the overview of the systems; without any system, the feed.
    pub(crate) fn overview() -> Self {
        let first = panel::present().next();
        first.map_or(Self::Feed(None), |panel| Self::of(panel.tab.path))
    }

    pub(crate) fn path(&self) -> String {
        match self {
            Self::Chat(id) => format!("/chat/{id}"),
            Self::Shared(token) => format!("/shared/{token}"),
            Self::Feed(None) => "/feed".to_owned(),
            Self::Feed(Some(id)) => format!("/feed/{id}"),
            Self::Panel(path) => path.clone(),
            Self::Home | Self::NoChat | Self::Nowhere => "/".to_owned(),
        }
    }
}

/// Returns the path of a conversation's page, for addresses that leave the page: a person's own call has one too.
#[cfg(feature = "ssr")]
pub fn conversation_path(id: ConversationId) -> String {
    Page::Chat(id).path()
}

/// The page on view. Links need no special handling: a click on one is caught here.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    page: RwSignal<Page>,
    alive: StoredValue<bool>,
}

impl Route {
    /// Starts with the page of the request on the server, of the address bar in the browser.
    pub(crate) fn new() -> Self {
        Self {
            page: RwSignal::new(here()),
            alive: StoredValue::new(false),
        }
    }

    pub(crate) fn page(self) -> Page {
        self.page.get()
    }

    /// Returns whether pages are drawn in the browser, rather than in HTML from the server.
    pub(crate) fn is_alive(self) -> bool {
        self.alive.get_value()
    }

    /// Follows links and the browser's history from now on.
    pub(crate) fn start(self) {
        self.alive.set_value(true);
        window_event_listener(ev::popstate, move |_| self.show(here()));
        window_event_listener(ev::click, move |event| {
            if let Some(page) = inner_link(&event) {
                event.prevent_default();
                self.go(page);
            }
        });
    }

    /// Goes to a page, as a new entry of the browser's history.
    pub(crate) fn go(self, page: Page) {
        if page != self.page.get_untracked() {
            let history = window().history();
            browser::report(history.and_then(|history| {
                history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&page.path()))
            }));
            self.show(page);
        }
    }

    /// Goes to a page, replacing this one in the browser's history.
    pub(crate) fn become_page(self, page: Page) {
        let history = window().history();
        browser::report(history.and_then(|history| {
            history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&page.path()))
        }));
        self.show(page);
    }

    fn show(self, page: Page) {
        if page != self.page.get_untracked() {
            self.page.set(page);
        }
    }
}

#[cfg(feature = "ssr")]
fn here() -> Page {
    use leptos::server_fn::axum_export::http::request::Parts;

    use_context::<Parts>().map_or(Page::Nowhere, |parts| Page::of(parts.uri.path()))
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn here() -> Page {
    let path = window().location().pathname();
    path.map_or(Page::Nowhere, |path| Page::of(&path))
}

/// Returns the query of the address, without its question mark.
#[cfg(feature = "ssr")]
pub(crate) fn query() -> String {
    use leptos::server_fn::axum_export::http::request::Parts;

    let parts = use_context::<Parts>();
    parts
        .and_then(|parts| parts.uri.query().map(str::to_owned))
        .unwrap_or_default()
}

/// Returns the query of the address, without its question mark.
#[cfg(not(feature = "ssr"))]
pub(crate) fn query() -> String {
    let search = window().location().search().unwrap_or_default();
    search.trim_start_matches('?').to_owned()
}

/// Returns the page that a click leads to, if it is a plain click on a link within the site.
fn inner_link(event: &ev::MouseEvent) -> Option<Page> {
    let (_, href) = clicked_link(event)?;
    match Page::of(&href) {
        Page::NoChat | Page::Nowhere => None,
        page => Some(page),
    }
}

/// Returns the link that a plain click is on, and its address as written.
pub(crate) fn clicked_link(event: &ev::MouseEvent) -> Option<(web_sys::Element, String)> {
    let modified = event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key();
    if event.default_prevented() || event.button() != 0 || modified {
        return None;
    }
    let target: web_sys::Element = event.target()?.dyn_into().ok()?;
    let link = target.closest("a[href]").ok()??;
    // The attribute as written: `#main` is an anchor on this page, `https://…` is another site.
    let href = link.get_attribute("href")?;
    (!link.has_attribute("target")).then_some((link, href))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_pages_belong_together() {
        panel::install(crate::domains::PANELS);
        let id = "cnv_01HF7YAT00000000000000000A";
        let chat = id.parse().map(Page::Chat).unwrap();
        for (path, page) in [
            ("/", Page::Home),
            ("/hud", Page::Panel("/hud".to_owned())),
            ("/hud/", Page::Nowhere),
            ("/feed", Page::Feed(None)),
            ("/feed/x", Page::Nowhere),
            ("/feed?q=x", Page::Nowhere),
            (&*format!("/chat/{id}"), chat.clone()),
            ("/guest/0100", Page::Panel("/guest/100".to_owned())),
            ("/chart", Page::Panel("/chart/EURUSD/H1".to_owned())),
            ("/chart/x", Page::Nowhere),
            ("/charts", Page::Nowhere),
            ("/guest/x", Page::Nowhere),
            ("/shared/x-_", Page::Shared("x-_".to_owned())),
            ("/shared", Page::Nowhere),
            ("/chat/", Page::NoChat),
            ("/chat/cnv_x", Page::NoChat),
            ("/other", Page::Nowhere),
            ("#main", Page::Nowhere),
            ("//elsewhere", Page::Nowhere),
            ("https://elsewhere/", Page::Nowhere),
        ] {
            assert_eq!(Page::of(path), page, "{path}");
        }
        assert_eq!(Page::of(&chat.path()), chat);
        assert_eq!(Page::of(&Page::Home.path()), Page::Home);
        let other = Page::Panel("/chart/USDJPY/D1".to_owned()).drawn_as();
        assert_eq!(other, Page::of("/chart").drawn_as());
        let event = Page::Feed("evt_0000000000000".parse().ok());
        assert_eq!(Page::of(&event.path()), event);
        assert_ne!(event, Page::Feed(None));
    }
}
