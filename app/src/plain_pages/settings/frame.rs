//! The frame around the settings: the pages of Jarvis, the kill switch, and the list of settings.

use kit::{Icon, icon};
use leptos::prelude::*;
use protocol::{ConversationSummary, KillSwitch, NoticeCount, Role, Status};

use super::{Note, SettingsPage, Tab};
use crate::{
    dock::LAST,
    frame::{NOTICES, card_page},
    palette::OPEN,
    plain_pages::{PageScript, PlainPage, texts},
    route::Page,
};

/// The data around a page of the settings.
pub struct SettingsFrame {
    /// The user's name.
    pub user: String,
    pub role: Role,
    /// The status of the server; none if it cannot be read.
    pub status: Option<Status>,
    /// Conversations with calls that wait for the user.
    pub waiting: Vec<ConversationSummary>,
}

impl SettingsFrame {
    /// Draws a page: its heading, the note, its sections.
    pub fn document<P: SettingsPage>(&self, note: Note, page: P) -> PlainPage {
        let title = P::TITLE.unwrap_or(P::TAB.name().1);
        let script = match (P::TAB, &note) {
            (Tab::Passkeys, _) => PageScript::Passkeys,
            (Tab::Notifications, _) => PageScript::Notifications,
            (_, Note::Secret { .. }) => PageScript::Copy,
            _ => PageScript::None,
        };
        let content = view! {
            <main>
                <h1>{title}</h1>
                {note.view(P::SAVED)}
                {page.view()}
            </main>
        };
        PlainPage {
            class: "plain",
            title: title.to_owned(),
            body: self.around(P::TAB, content.into_any()),
            script,
        }
    }

    fn around(&self, tab: Tab, content: AnyView) -> AnyView {
        let who = format!("{}, {}", self.user, self.role.word());
        let (title, status) = (who.clone(), self.status.as_ref());
        view! {
            <header class="header">
                // Where the other pages have the list of conversations.
                <a class="icon-button" href=format!("/#{LAST}") title=texts::settings::BACK>
                    {icon(Icon::BACK)}
                    <span class="visually-hidden">{texts::settings::BACK}</span>
                </a>
                <a href="/" class="header__name">
                    <span class="reactor" aria-hidden="true"></span>
                    <span class="header__title">{texts::JARVIS}</span>
                </a>
                <nav class="tabs" aria-label=texts::settings::DASHBOARD>{tabs(status)}</nav>
                <div class="header__end plain-end">
                    <a class="icon-button" href=format!("/#{OPEN}") title=texts::settings::SEARCH>
                        {icon(Icon::SEARCH)}
                        <span class="visually-hidden">{texts::settings::SEARCH}</span>
                    </a>
                    {status.and_then(notices)}
                    {self.hand()}
                    <a class="icon-button" href="/settings/look" title=texts::settings::APPEARANCE>
                        {icon(Icon::SUN)}
                        <span class="visually-hidden">{texts::settings::THEME}</span>
                    </a>
                    {status.map(|status| kill_switch(&status.kill_switch, self.role))}
                    <a class="icon-button" href="/settings" title=title>
                        {icon(Icon::USER)}
                        <span class="visually-hidden">{who}</span>
                    </a>
                </div>
            </header>
            <div class="plain-frame">
                <nav class="plain-nav" aria-label=texts::settings::SETTINGS>
                    <p class="plain-nav__title">{texts::settings::SETTINGS}</p>
                    {here(tab)}
                    <div class="plain-nav__all" id=ALL>
                        {group(texts::settings::YOU, &Tab::YOURS, tab)}
                        {(self.role >= Role::Admin)
                            .then(|| group(texts::settings::INSTALLATION, &Tab::OF_ADMINS, tab))}
                    </div>
                </nav>
                {content}
            </div>
        }
        .into_any()
    }
}

/// The part of the address that opens the list where it is folded.
const ALL: &str = "all-settings";

/// Draws what a narrow window has in place of the list: the name of this page, and links that open
/// the list and close it again.
fn here(tab: Tab) -> AnyView {
    let (path, name) = tab.name();
    view! {
        <p class="plain-nav__here">
            {icon(tab.icon())} <strong>{name}</strong>
            <a class="plain-nav__open" href=format!("#{ALL}")>
                {texts::settings::ALL_SETTINGS} {icon(Icon::CHEVRON)}
            </a>
            <a class="plain-nav__close" href=path>{texts::settings::CLOSE_LIST}</a>
        </p>
    }
    .into_any()
}

impl SettingsFrame {
    /// Draws the link to the first call that waits for the user, with the number of them.
    fn hand(&self) -> Option<AnyView> {
        let first = self.waiting.first()?;
        let count: usize = self.waiting.iter().map(|line| line.waiting.len()).sum();
        let page = card_page(first.id, first.action.as_deref());
        let call = first.waiting.first()?.call;
        let name = crate::texts::frame::requests_waiting_for_you(count);
        let title = name.clone();
        let link = view! {
            <a
                class="tray-button tray-button--waiting"
                href=format!("{}#{call}", page.path())
                title=title
            >
                {icon(Icon::HAND)}
                <span class="tray-button__count" aria-hidden="true">{count.to_string()}</span>
                <span class="visually-hidden">{name}</span>
            </a>
        };
        Some(link.into_any())
    }
}

/// Draws the number of unacknowledged notices, as a link to them.
fn notices(status: &Status) -> Option<AnyView> {
    let NoticeCount { open, grave } = status.notices;
    if open == 0 {
        return None;
    }
    let class = match grave {
        0 => "tray-button notice-mark",
        _ => "tray-button notice-mark notice-mark--grave",
    };
    let name = crate::texts::frame::notices(open, grave);
    let title = name.clone();
    let link = view! {
        <a class=class href=format!("{}#{NOTICES}", Page::overview().path()) title=title>
            {icon(Icon::WARNING)}
            <span class="tray-button__count" aria-hidden="true">{open.to_string()}</span>
            <span class="visually-hidden">{name}</span>
        </a>
    };
    Some(link.into_any())
}

/// Draws the links to the pages of the systems that there are.
fn tabs(status: Option<&Status>) -> Vec<AnyView> {
    let systems = status.iter().flat_map(|status| &status.systems);
    let panels = systems.filter_map(|system| crate::tab(&system.toolset));
    let panels = panels.map(|(name, path)| (name, path.to_owned()));
    let all = [(texts::settings::CHAT, format!("/#{LAST}"))]
        .into_iter()
        .chain(panels);
    let all = all.chain([(texts::settings::FEED, "/feed".to_owned())]);
    all.map(|(name, path)| view! { <a href=path class="tabs__tab">{name}</a> }.into_any())
        .collect()
}

fn group(name: &'static str, tabs: &[Tab], here: Tab) -> AnyView {
    let links: Vec<_> = tabs
        .iter()
        .map(|tab| {
            let (path, name) = tab.name();
            let current = (*tab == here).then_some("page");
            view! { <li><a href=path aria-current=current>{icon(tab.icon())} {name}</a></li> }
                .into_any()
        })
        .collect();
    view! {
        <h2>{name}</h2>
        <ul>{links}</ul>
    }
    .into_any()
}

/// Draws the kill switch as a form: these pages have no script.
fn kill_switch(state: &KillSwitch, role: Role) -> AnyView {
    let (name, text, to, action) = if state.on {
        (
            texts::settings::STOPPED,
            texts::settings::KILL_SWITCH_IS_ON,
            "off",
            texts::settings::LIFT_KILL_SWITCH,
        )
    } else {
        (
            texts::settings::KILL_SWITCH,
            texts::settings::ONLY_READING_WILL_RUN,
            "on",
            texts::settings::TURN_KILL_SWITCH_ON,
        )
    };
    let least = if state.on {
        Role::Admin
    } else {
        Role::Operator
    };
    let form = if role >= least {
        view! {
            <form method="post" action="/settings/kill-switch">
                <input type="hidden" name="to" value=to />
                <button type="submit" class="button button--danger">{action}</button>
            </form>
        }
        .into_any()
    } else {
        view! { <p>{texts::settings::ROLE_CANNOT_SWITCH}</p> }.into_any()
    };
    view! {
        <details class="plain-stop" class:plain-stop--on=state.on>
            // A narrow window shows the sign alone.
            <summary aria-label=name title=name>
                {icon(Icon::OCTAGON)} <span class="kill-switch__name">{name}</span>
            </summary>
            <div>
                <p>{text}</p>
                {form}
            </div>
        </details>
    }
    .into_any()
}
