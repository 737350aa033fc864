//! A user's API tokens.

use leptos::prelude::*;
use protocol::{Role, Timestamp};

use super::{SettingsPage, Tab, list_or_none, name_field, roles};
use crate::plain_pages::moment;

pub struct TokensPage {
    pub tokens: Vec<TokenRow>,
    /// The names of all toolsets.
    pub toolsets: Vec<String>,
    /// The user's role, the highest that a token may have.
    pub role: Role,
    pub now: Timestamp,
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
    const SAVED: &'static str = "The token no longer works.";

    fn view(self) -> AnyView {
        let now = self.now;
        let rows = self.tokens.into_iter().map(|token| row(token, now));
        let list = list_or_none(rows.collect());
        let choices: Vec<_> = self
            .toolsets
            .into_iter()
            .map(|toolset| {
                view! {
                    <label class="plain-choice__one">
                        <input type="checkbox" name="toolset" value=toolset.clone() />
                        {toolset}
                    </label>
                }
            })
            .collect();
        // A user who may not decide cannot grant that right to a program.
        let deciding = (self.role >= Role::Operator).then(|| {
            view! {
                <fieldset class="plain-choice">
                    <legend>"Decisions"</legend>
                    <label>
                        <input type="checkbox" name="decides" />
                        "It may approve and deny requests that need one press; those that need a held \
                        press, a typed word or a second person are decided only on the page."
                    </label>
                </fieldset>
            }
        });
        view! {
            <section>
                <h2>"Tokens"</h2>
                <p>
                    "With a token, a program acts in your name, limited by your role and the token's. \
                    Conversations it starts have the token's toolsets and no others. A viewer's token \
                    can only ask and read."
                </p>
                {list}
            </section>
            <section>
                <h2>"Create a token"</h2>
                <form method="post" action="/settings/tokens" class="plain-form">
                    <input type="hidden" name="do" value="add" />
                    {name_field()}
                    <fieldset class="plain-choice">
                        <legend>"Toolsets"</legend>
                        <label>
                            <input type="radio" name="scope" value="all" checked />
                            "All, including future ones"
                        </label>
                        <label>
                            <input type="radio" name="scope" value="some" />
                            "Only these:"
                        </label>
                        {choices}
                    </fieldset>
                    <label>"Role" {roles(Role::Viewer, self.role)}</label>
                    {deciding}
                    <label>
                        "Valid for, in days"
                        <input name="days" type="number" min="1" max="365" value="90" required />
                    </label>
                    <button type="submit" class="button button--primary">
                        "Create token"
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}

fn row(token: TokenRow, now: Timestamp) -> AnyView {
    let toolsets = match &token.toolsets {
        None => "all toolsets".to_owned(),
        Some(toolsets) => toolsets.join(", "),
    };
    let decides = if token.decides { " · decides" } else { "" };
    let about = format!(
        "{}{decides} · {toolsets} · {} · {}",
        token.role.word(),
        ends(&token, now),
        token.seen.map_or("never used".to_owned(), |seen| {
            format!("last used {}", moment(seen))
        }),
    );
    view! {
        <li>
            <div>{token.name} <small>{about}</small></div>
            <form method="post" action="/settings/tokens">
                <input type="hidden" name="do" value="revoke" />
                <input type="hidden" name="token" value=token.id />
                <button type="submit" class="button button--small button--danger">
                    "Revoke"
                </button>
            </form>
        </li>
    }
    .into_any()
}

fn ends(token: &TokenRow, now: Timestamp) -> String {
    if token.retired {
        return "of an older kind that no longer works: create a new one".to_owned();
    }
    if token.expires <= now {
        return "expired".to_owned();
    }
    format!("valid until {}", moment(token.expires))
}
