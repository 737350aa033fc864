//! A user's API tokens.

use leptos::prelude::*;
use protocol::{Role, Timestamp};

use super::{SettingsPage, Tab, list_or_none, name_field, roles};
use crate::plain_pages::{moment, texts};

pub struct TokensPage {
    pub tokens: Vec<TokenRow>,
    pub toolsets: Vec<TokenScope>,
    /// The user's role, the highest that a token may have.
    pub role: Role,
    pub now: Timestamp,
}

/// A toolset that a token may be limited to.
pub struct TokenScope {
    /// Its name for programs, such as `attic`.
    pub toolset: String,
    /// Its name for people, such as `Home · Attic`.
    pub label: String,
}

/// A token of the user.
pub struct TokenRow {
    pub id: String,
    pub name: String,
    pub role: Role,
    /// None means all.
    pub toolsets: Option<Vec<String>>,
    /// True if it may approve and deny.
    pub decides: bool,
    pub expires: Timestamp,
    /// True for an older kind that no longer works.
    pub retired: bool,
    pub seen: Option<Timestamp>,
}

impl SettingsPage for TokensPage {
    const TAB: Tab = Tab::Tokens;
    const SAVED: &'static str = texts::access::tokens::SAVED;

    fn view(self) -> AnyView {
        let now = self.now;
        let rows = self.tokens.into_iter().map(|token| row(token, now));
        let list = list_or_none(rows.collect());
        let choices: Vec<_> = self
            .toolsets
            .into_iter()
            .map(|TokenScope { toolset, label }| {
                view! {
                    <label class="plain-choice__one">
                        <input type="checkbox" name="toolset" value=toolset.clone() />
                        {label} " " <code>{toolset}</code>
                    </label>
                }
            })
            .collect();
        let by_role = if self.role >= Role::Operator {
            texts::access::tokens::ROLES
        } else {
            texts::access::tokens::ROLE_OF_VIEWERS
        };
        // A user who may not decide cannot grant that right to a program.
        let deciding = (self.role >= Role::Operator).then(|| {
            view! {
                <fieldset class="plain-choice">
                    <legend>{texts::access::tokens::DECISIONS}</legend>
                    <label>
                        <input type="checkbox" name="decides" />
                        {texts::access::tokens::MAY_DECIDE}
                    </label>
                </fieldset>
            }
        });
        view! {
            <section>
                <h2>{texts::access::tokens::HEADING}</h2>
                <p>{texts::access::tokens::LEAD} {by_role}</p>
                <p>
                    <a href="/settings/api">{texts::api::READ_ABOUT_API}</a>
                </p>
                {list}
            </section>
            <section>
                <h2>{texts::access::tokens::CREATE}</h2>
                <form method="post" action="/settings/tokens" class="plain-form">
                    <input type="hidden" name="do" value="add" />
                    {name_field()}
                    <fieldset class="plain-choice">
                        <legend>{texts::access::tokens::TOOLSETS}</legend>
                        <label>
                            <input type="radio" name="scope" value="all" checked />
                            {texts::access::tokens::ALL_WITH_FUTURE}
                        </label>
                        <label>
                            <input type="radio" name="scope" value="some" />
                            {texts::access::tokens::ONLY_THESE}
                        </label>
                        {choices}
                    </fieldset>
                    <label>{texts::ROLE} {roles(Role::Viewer, self.role)}</label>
                    {deciding}
                    <label>
                        {texts::access::tokens::DAYS}
                        <input name="days" type="number" min="1" max="365" value="90" required />
                    </label>
                    <button type="submit" class="button button--primary">
                        {texts::access::tokens::CREATE_BUTTON}
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}

fn row(token: TokenRow, now: Timestamp) -> AnyView {
    let toolsets = match &token.toolsets {
        None => texts::access::tokens::ALL_TOOLSETS.to_owned(),
        Some(toolsets) => toolsets.join(", "),
    };
    let decides = if token.decides {
        texts::access::tokens::DECIDES
    } else {
        ""
    };
    let about = format!(
        "{}{decides} · {toolsets} · {} · {}",
        token.role.word(),
        ends(&token, now),
        token.seen.map_or_else(
            || texts::access::NEVER_USED.to_owned(),
            |seen| texts::access::last_used(&moment(seen)),
        ),
    );
    view! {
        <li>
            <div>{token.name} <small>{about}</small></div>
            <form method="post" action="/settings/tokens">
                <input type="hidden" name="do" value="revoke" />
                <input type="hidden" name="token" value=token.id />
                <button type="submit" class="button button--small button--danger">
                    {texts::access::tokens::REVOKE}
                </button>
            </form>
        </li>
    }
    .into_any()
}

fn ends(token: &TokenRow, now: Timestamp) -> String {
    if token.retired {
        return texts::access::tokens::RETIRED.to_owned();
    }
    if token.expires <= now {
        return texts::access::tokens::EXPIRED.to_owned();
    }
    texts::access::tokens::valid_until(&moment(token.expires))
}
