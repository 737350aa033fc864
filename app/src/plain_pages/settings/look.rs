//! The page of the appearance: the theme, kept in this browser.

use kit::theme::Theme;
use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts;

pub struct LookPage {
    /// The name of the theme that this browser has.
    pub theme: &'static str,
}

impl SettingsPage for LookPage {
    const TAB: Tab = Tab::Look;
    const SAVED: &'static str = texts::settings::look::SAVED;

    fn view(self) -> AnyView {
        let choices: Vec<_> = Theme::ALL
            .into_iter()
            .map(|theme| {
                let meaning = match theme {
                    Theme::System => texts::settings::look::FOLLOWS_DEVICE,
                    Theme::Dark | Theme::Light => "",
                };
                let name = theme.name();
                view! {
                    <label class="choice">
                        <input type="radio" name="theme" value=name checked=name == self.theme />
                        <span><strong>{theme.label()}</strong> {meaning}</span>
                    </label>
                }
                .into_any()
            })
            .collect();
        view! {
            <section>
                <h2>{texts::settings::look::THEME}</h2>
                <form method="post" action="/settings/look" class="plain-form">
                    {choices}
                    <button type="submit" class="button button--primary">{texts::SAVE}</button>
                </form>
            </section>
        }
        .into_any()
    }
}

/// The page of the appearance for a form that failed in the frame: only a way back.
pub struct BackToLook;

impl SettingsPage for BackToLook {
    const TAB: Tab = Tab::Look;

    fn view(self) -> AnyView {
        view! { <p><a href="/settings/look">{texts::settings::look::BACK}</a></p> }.into_any()
    }
}
