//! A user's own password.

use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts;

pub struct PasswordPage {
    /// The user's name, for the browser's store of passwords.
    pub user: String,
    /// True if the current password has to be given.
    pub asks_current: bool,
}

impl SettingsPage for PasswordPage {
    const TAB: Tab = Tab::Profile;
    const SAVED: &'static str = texts::access::password::SAVED;

    fn view(self) -> AnyView {
        let current = self.asks_current.then(|| {
            view! {
                <label>
                    {texts::access::password::CURRENT}
                    <input
                        name="current"
                        type="password"
                        autocomplete="current-password"
                        maxlength="256"
                        required
                    />
                </label>
            }
        });
        let new = |label: &'static str, name: &'static str| {
            view! {
                <label>
                    {label}
                    <input
                        name=name
                        type="password"
                        autocomplete="new-password"
                        minlength="12"
                        maxlength="256"
                        required
                    />
                </label>
            }
        };
        view! {
            <section>
                <h2>{texts::access::password::HEADING}</h2>
                <p>{texts::access::password::LEAD}</p>
                <form method="post" action="/settings" class="plain-form">
                    <input name="name" autocomplete="username" value=self.user readonly hidden />
                    {current}
                    {new(texts::access::password::NEW, "new")}
                    {new(texts::access::password::REPEAT, "again")}
                    <label class="plain-check">
                        <input name="tokens" type="checkbox" value="true" checked />
                        {texts::access::password::REVOKE_TOKENS}
                    </label>
                    <button type="submit" class="button button--primary">
                        {texts::access::password::SET}
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}
