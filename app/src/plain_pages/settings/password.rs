//! A user's own password.

use leptos::prelude::*;

use super::{SettingsPage, Tab};

pub struct PasswordPage {
    /// The user's name, for the browser's store of passwords.
    pub user: String,
    /// True if the current password has to be given.
    pub asks_current: bool,
}

impl SettingsPage for PasswordPage {
    const TAB: Tab = Tab::Profile;
    const SAVED: &'static str = "The password was changed. All other sessions have ended.";

    fn view(self) -> AnyView {
        let current = self.asks_current.then(|| {
            view! {
                <label>
                    "Current password"
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
                <h2>"Password"</h2>
                <p>
                    "At least 12 characters; a few words work well. Changing it ends all your other \
                    sessions."
                </p>
                <form method="post" action="/settings" class="plain-form">
                    <input name="name" autocomplete="username" value=self.user readonly hidden />
                    {current}
                    {new("New password", "new")}
                    {new("Repeat new password", "again")}
                    <label class="plain-check">
                        <input name="tokens" type="checkbox" value="true" checked />
                        "Revoke my API tokens too"
                    </label>
                    <button type="submit" class="button button--primary">
                        "Set password"
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}
