//! A user's own keys of systems: one section for each system that takes them.

use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts;

pub struct OwnKeysPage {
    pub systems: Vec<OwnKeySection>,
    /// True if the sign-in is too old to save a key, which is said before one is typed.
    pub is_stale: bool,
}

/// A system that takes a key of each person. The words are the domain's.
pub struct OwnKeySection {
    /// Its name in forms.
    pub toolset: String,
    /// Its name for people.
    pub system: String,
    /// The effect of a key, and what happens without one.
    pub lead: String,
    /// The way to make a key.
    pub help: String,
    pub fields: Vec<OwnKeyField>,
    pub state: OwnKeyState,
}

/// A field of a key.
pub struct OwnKeyField {
    pub name: &'static str,
    pub label: &'static str,
    /// True if it is not shown while it is typed.
    pub is_secret: bool,
}

/// A user's key of a system. The key itself is never shown.
pub enum OwnKeyState {
    None,
    Set {
        /// The account that it opens.
        account: String,
    },
    /// It is there and cannot be read, for this reason.
    Unreadable(String),
}

impl SettingsPage for OwnKeysPage {
    const TAB: Tab = Tab::OwnKeys;
    const SAVED: &'static str = texts::access::own_keys::SAVED;

    fn view(self) -> AnyView {
        if self.systems.is_empty() {
            return view! { <p>{texts::access::own_keys::NO_SYSTEMS}</p> }.into_any();
        }
        let sections: Vec<_> = self.systems.into_iter().map(section).collect();
        let first = self.is_stale.then(|| {
            view! {
                <p class="plain-note">
                    {texts::access::own_keys::FIRST}
                    <a href="/sign-in">{texts::access::own_keys::SIGN_IN_FIRST}</a>
                    {texts::access::own_keys::FIRST_END}
                </p>
            }
        });
        view! {
            <p class="plain-lead">{texts::access::own_keys::LEAD}</p>
            {first}
            {sections}
        }
        .into_any()
    }
}

fn section(of: OwnKeySection) -> AnyView {
    let (is_set, told) = match of.state {
        OwnKeyState::None => (false, texts::access::own_keys::NO_KEY.to_owned()),
        OwnKeyState::Set { account } => (true, texts::access::own_keys::opens(&account)),
        OwnKeyState::Unreadable(why) => (true, why),
    };
    let buttons = is_set.then(|| {
        let test = button(&of.toolset, "test", texts::access::own_keys::TEST, "");
        let remove = button(&of.toolset, "remove", texts::REMOVE, " button--danger");
        view! { <div class="plain-row">{test} {remove}</div> }
    });
    let fields: Vec<_> = of.fields.into_iter().map(field).collect();
    let submit = if is_set {
        texts::access::own_keys::REPLACE
    } else {
        texts::access::own_keys::SAVE
    };
    view! {
        <section>
            <h2>{of.system}</h2>
            <p>{of.lead}</p>
            <ul class="plain-list">
                <li><div>{told}</div> {buttons}</li>
            </ul>
            <form method="post" action="/settings/keys" class="plain-form" autocomplete="off">
                <input type="hidden" name="do" value="set" />
                <input type="hidden" name="system" value=of.toolset />
                {fields}
                <p><small>{of.help}</small></p>
                <button type="submit" class="button button--primary">{submit}</button>
            </form>
        </section>
    }
    .into_any()
}

fn field(field: OwnKeyField) -> AnyView {
    let kind = if field.is_secret { "password" } else { "text" };
    view! {
        <label>
            {field.label}
            <input type=kind name=field.name maxlength="512" autocomplete="off" required />
        </label>
    }
    .into_any()
}

fn button(toolset: &str, action: &'static str, text: &'static str, more: &str) -> AnyView {
    view! {
        <form method="post" action="/settings/keys">
            <input type="hidden" name="do" value=action />
            <input type="hidden" name="system" value=toolset.to_owned() />
            <button type="submit" class=format!("button button--small{more}")>{text}</button>
        </form>
    }
    .into_any()
}
