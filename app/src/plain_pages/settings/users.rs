//! The page of users and their roles, for admins.

use leptos::prelude::*;
use protocol::{Role, Timestamp, UserId};

use super::{SettingsPage, Tab, name_field, roles};
use crate::plain_pages::moment;

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
    const SAVED: &'static str = "Saved; in effect now.";

    fn view(self) -> AnyView {
        let users = self.users.into_iter();
        let rows: Vec<_> = users.map(|user| row(user, self.has_proxy)).collect();
        view! {
            <section>
                <h2>"Users"</h2>
                <p>
                    "A viewer can read. An operator can also approve and deny RED calls and turn the \
                    kill switch on. An admin can also manage users and lift the kill switch."
                </p>
                <ul class="plain-list">{rows}</ul>
            </section>
            <section>
                <h2>"Add a user"</h2>
                <form method="post" action="/settings/users" class="plain-form">
                    <input type="hidden" name="do" value="add" />
                    {name_field()}
                    <label>"Role" {roles(Role::Viewer, Role::Admin)}</label>
                    <button type="submit" class="button button--primary">
                        "Add"
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
        (Some(since), _) => format!("disabled since {}", moment(since)),
        (None, Some(seen)) => format!("added {created} · last seen {}", moment(seen)),
        (None, None) => format!("added {created} · not signed in"),
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
        button("enable", "Enable", plain).into_any()
    } else {
        let (what, label) = if user.proxy {
            ("unlink_proxy", "Unlink from proxy")
        } else {
            ("link_proxy", "Link to proxy")
        };
        view! {
            <form method="post" action="/settings/users" class="plain-row">
                <input type="hidden" name="do" value="role" />
                <input type="hidden" name="user" value=id.clone() />
                {roles(user.role, Role::Admin)}
                <button type="submit" class=plain>
                    "Set role"
                </button>
            </form>
            {button("link", "New link", plain)}
            {has_proxy.then(|| button(what, label, plain))}
            {button("disable", "Disable", "button button--small button--danger")}
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
