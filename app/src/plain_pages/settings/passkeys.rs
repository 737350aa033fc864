//! A user's passkeys: add, name, remove, and whether a password alone is enough.

use leptos::prelude::*;
use protocol::Timestamp;

use super::{SettingsPage, Tab, list_or_none};
use crate::plain_pages::{moment, texts};

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
    const SAVED: &'static str = texts::SAVED;

    fn view(self) -> AnyView {
        let may = self.fixed.is_none();
        let any = !self.passkeys.is_empty();
        let rows = self.passkeys.into_iter().map(|key| row(key, may));
        let list = list_or_none(rows.collect());
        let demand = (any && may).then(|| demand(self.second_factor));
        let state = if self.second_factor {
            texts::access::passkeys::SECOND_FACTOR_ON
        } else {
            texts::access::passkeys::SECOND_FACTOR_OFF
        };
        view! {
            {self.fixed.map(|why| view! { <p class="plain-note">{why}</p> })}
            <section>
                <h2>{texts::access::passkeys::HEADING}</h2>
                <p>{texts::access::passkeys::LEAD}</p>
                {list}
            </section>
            <section>
                <h2>{texts::access::passkeys::SECOND_FACTOR}</h2>
                <p>{state}</p>
                {demand}
                <p>
                    {texts::access::passkeys::IF_YOU_LOSE_THEM}
                    <code>{texts::SIGN_IN_LINK_COMMAND}</code>
                    {texts::access::passkeys::MAKES_ONE}
                </p>
            </section>
            <section>
                <h2>{texts::access::passkeys::ADD}</h2>
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
                    {texts::NAME}
                    <input
                        maxlength="64"
                        autocomplete="off"
                        placeholder=texts::access::passkeys::EXAMPLE_OF_NAME
                        required
                    />
                </label>
                <p role="status">{texts::PASSKEYS_NEED_JAVASCRIPT}</p>
                <button type="button" class="button button--primary" hidden>
                    {texts::access::passkeys::ADD}
                </button>
            </div>
        }
        .into_any(),
        Some(_) => ().into_any(),
        None => view! {
            <p>
                {texts::access::passkeys::NEED_ADDRESS}
                <code>"server.public_url"</code>
                {texts::access::passkeys::TO_ADDRESS}
            </p>
        }
        .into_any(),
    }
}

/// Draws the form that demands the second factor, or no longer does.
fn demand(second_factor: bool) -> AnyView {
    let label = if second_factor {
        texts::access::passkeys::ALLOW_PASSWORD_ALONE
    } else {
        texts::access::passkeys::REQUIRE_PASSKEY
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
    let used = seen.map_or_else(
        || texts::access::NEVER_USED.to_owned(),
        |seen| texts::access::last_used(&moment(seen)),
    );
    let about = texts::access::passkeys::added(&moment(created), &used);
    let forms = may.then(|| {
        let field = texts::access::passkeys::name_of(&name);
        view! {
            <form method="post" action="/settings/passkeys" class="plain-row">
                <input type="hidden" name="do" value="rename" />
                <input type="hidden" name="passkey" value=id.clone() />
                <input name="name" maxlength="64" value=name.clone() aria-label=field required />
                <button type="submit" class="button button--small">
                    {texts::access::passkeys::RENAME}
                </button>
            </form>
            <form method="post" action="/settings/passkeys">
                <input type="hidden" name="do" value="remove" />
                <input type="hidden" name="passkey" value=id.clone() />
                <button type="submit" class="button button--small button--danger">
                    {texts::REMOVE}
                </button>
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
