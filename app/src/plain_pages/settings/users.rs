//! The page of users and their roles, for admins.

use leptos::prelude::*;
use protocol::{Role, Timestamp, UserId};

use super::{SettingsPage, Tab, name_field, roles};
use crate::plain_pages::{moment, texts};

pub struct UsersPage {
    pub users: Vec<UserRow>,
    /// True if a reverse proxy signs users in.
    pub has_proxy: bool,
}

/// An account.
pub struct UserRow {
    pub id: UserId,
    pub name: String,
    pub role: Role,
    pub created: Timestamp,
    pub disabled: Option<Timestamp>,
    pub seen: Option<Timestamp>,
    /// True if the reverse proxy may sign the user in.
    pub proxy: bool,
}

impl SettingsPage for UsersPage {
    const TAB: Tab = Tab::Users;
    const SAVED: &'static str = texts::access::users::SAVED;

    fn view(self) -> AnyView {
        let users = self.users.into_iter();
        let rows: Vec<_> = users.map(|user| row(user, self.has_proxy)).collect();
        view! {
            <section>
                <h2>{texts::access::users::HEADING}</h2>
                <p>{texts::access::users::LEAD}</p>
                <ul class="plain-list">{rows}</ul>
            </section>
            <section>
                <h2>{texts::access::users::ADD}</h2>
                <form method="post" action="/settings/users" class="plain-form">
                    <input type="hidden" name="do" value="add" />
                    {name_field()}
                    <label>{texts::ROLE} {roles(Role::Viewer, Role::Admin)}</label>
                    <button type="submit" class="button button--primary">
                        {texts::access::users::ADD_BUTTON}
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}

fn row(user: UserRow, has_proxy: bool) -> AnyView {
    let id = user.id.to_string();
    let created = moment(user.created);
    let about = match (user.disabled, user.seen) {
        (Some(since), _) => texts::access::users::disabled_since(&moment(since)),
        (None, Some(seen)) => texts::access::users::last_seen(&created, &moment(seen)),
        (None, None) => texts::access::users::not_signed_in(&created),
    };
    let button = |what: &'static str, label: &'static str, class: &'static str| {
        let id = id.clone();
        view! {
            <form method="post" action="/settings/users">
                <input type="hidden" name="do" value=what />
                <input type="hidden" name="user" value=id />
                <button type="submit" class=class>
                    {label}
                </button>
            </form>
        }
    };
    let plain = "button button--small";
    let buttons = if user.disabled.is_some() {
        button("enable", texts::access::users::ENABLE, plain).into_any()
    } else {
        let (what, label) = if user.proxy {
            ("unlink_proxy", texts::access::users::UNLINK_FROM_PROXY)
        } else {
            ("link_proxy", texts::access::users::LINK_TO_PROXY)
        };
        view! {
            <form method="post" action="/settings/users" class="plain-row">
                <input type="hidden" name="do" value="role" />
                <input type="hidden" name="user" value=id.clone() />
                {roles(user.role, Role::Admin)}
                <button type="submit" class=plain>
                    {texts::access::users::SET_ROLE}
                </button>
            </form>
            {button("link", texts::access::users::NEW_LINK, plain)}
            {has_proxy.then(|| button(what, label, plain))}
            {button("disable", texts::access::users::DISABLE, "button button--small button--danger")}
        }
        .into_any()
    };
    view! {
        <li>
            <div>{user.name} <small>{about}</small></div>
            <div class="plain-row">{buttons}</div>
        </li>
    }
    .into_any()
}
