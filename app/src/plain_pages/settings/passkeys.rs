//! A user's passkeys: add, name, remove, and whether a password alone is enough.

use leptos::prelude::*;
use protocol::Timestamp;

use super::{SettingsPage, Tab, list_or_none};
use crate::plain_pages::moment;

pub struct PasskeysPage {
    pub passkeys: Vec<PasskeyRow>,
    /// True if a password works only together with a passkey.
    pub second_factor: bool,
    /// The reason why nothing can be changed now; none if it can.
    pub fixed: Option<&'static str>,
    /// The address for which passkeys work; none where there are none.
    pub origin: Option<String>,
}

/// A passkey of the user.
pub struct PasskeyRow {
    pub id: String,
    pub name: String,
    pub created: Timestamp,
    pub seen: Option<Timestamp>,
}

impl SettingsPage for PasskeysPage {
    const TAB: Tab = Tab::Passkeys;
    const SAVED: &'static str = "Saved.";

    fn view(self) -> AnyView {
        let may = self.fixed.is_none();
        let any = !self.passkeys.is_empty();
        let rows = self.passkeys.into_iter().map(|key| row(key, may));
        let list = list_or_none(rows.collect());
        let demand = (any && may).then(|| demand(self.second_factor));
        let state = if self.second_factor {
            "On: a password works only together with one of your passkeys."
        } else {
            "Off: a password or a passkey alone signs you in."
        };
        view! {
            {self.fixed.map(|why| view! { <p class="plain-note">{why}</p> })}
            <section>
                <h2>"Passkeys"</h2>
                <p>
                    "A passkey signs you in without a password. It stays on your device, in your \
                    browser or on a security key, and works only at this address."
                </p>
                {list}
            </section>
            <section>
                <h2>"Second factor"</h2>
                <p>{state}</p>
                {demand}
                <p>
                    "If you lose your passkeys, an admin can make you a sign-in link; on the server, "
                    <code>"jarvis sign-in-link"</code> " makes one."
                </p>
            </section>
            <section>
                <h2>"Add a passkey"</h2>
                {add(self.origin, may)}
            </section>
        }
        .into_any()
    }
}

fn add(origin: Option<String>, may: bool) -> AnyView {
    match origin {
        Some(origin) if may => view! {
            <div class="plain-form" data-passkey="add" data-origin=origin>
                <label>
                    "Name"
                    <input maxlength="64" autocomplete="off" placeholder="This laptop" required />
                </label>
                <p role="status">"Passkeys need JavaScript."</p>
                <button type="button" class="button button--primary" hidden>
                    "Add a passkey"
                </button>
            </div>
        }
        .into_any(),
        Some(_) => ().into_any(),
        None => view! {
            <p>
                "Browsers support passkeys only at addresses with a host name and TLS. Set "
                <code>"server.public_url"</code>
                " to the address people use to reach Jarvis."
            </p>
        }
        .into_any(),
    }
}

/// Draws the form that demands the second factor, or no longer does.
fn demand(second_factor: bool) -> AnyView {
    let label = if second_factor {
        "Allow sign-in with the password alone"
    } else {
        "Require a passkey after the password"
    };
    let on = (!second_factor).to_string();
    view! {
        <form method="post" action="/settings/passkeys">
            <input type="hidden" name="do" value="second_factor" />
            <input type="hidden" name="on" value=on />
            <button type="submit" class="button">{label}</button>
        </form>
    }
    .into_any()
}

fn row(passkey: PasskeyRow, may: bool) -> AnyView {
    let PasskeyRow {
        id,
        name,
        created,
        seen,
    } = passkey;
    let used = seen.map_or("never used".to_owned(), |seen| {
        format!("last used {}", moment(seen))
    });
    let about = format!("added {} · {used}", moment(created));
    let forms = may.then(|| {
        let field = format!("Name of {name}");
        view! {
            <form method="post" action="/settings/passkeys" class="plain-row">
                <input type="hidden" name="do" value="rename" />
                <input type="hidden" name="passkey" value=id.clone() />
                <input name="name" maxlength="64" value=name.clone() aria-label=field required />
                <button type="submit" class="button button--small">"Rename"</button>
            </form>
            <form method="post" action="/settings/passkeys">
                <input type="hidden" name="do" value="remove" />
                <input type="hidden" name="passkey" value=id.clone() />
                <button type="submit" class="button button--small button--danger">"Remove"</button>
            </form>
        }
    });
    view! {
        <li>
            <div>{name} <small>{about}</small></div>
            <div class="plain-row">{forms}</div>
        </li>
    }
    .into_any()
}
