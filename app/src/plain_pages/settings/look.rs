//! The page of the appearance: the theme and the density, kept in this browser.

use kit::{density::Density, theme::Theme};
use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts;

pub struct LookPage {
    /// The name of the theme that this browser has.
    pub theme: &'static str,
    pub density: Density,
}

impl SettingsPage for LookPage {
    const TAB: Tab = Tab::Look;
    const SAVED: &'static str = texts::settings::look::SAVED;

    fn view(self) -> AnyView {
        let themes: Vec<_> = Theme::ALL
            .into_iter()
            .map(|theme| {
                let name = theme.name();
                choice("theme", name, theme.label(), name == self.theme)
            })
            .collect();
        let densities: Vec<_> = Density::ALL
            .into_iter()
            .map(|density| {
                let (name, label) = (density.name(), density.label());
                choice("density", name, label, density == self.density)
            })
            .collect();
        view! {
            <section class="plain-rows">
                <form method="post" action="/settings/look">
                    {row(texts::settings::THEME, texts::settings::look::SYSTEM_FOLLOWS_DEVICE, themes)}
                    {row(texts::settings::look::DENSITY, texts::settings::look::ROWS_OF, densities)}
                    <button type="submit" class="button button--primary">{texts::SAVE}</button>
                </form>
            </section>
            <p class="plain-quiet">
                {texts::settings::look::FORM_OF_ADDRESS}
                <a href="/settings/assistant">{texts::settings::ASSISTANT}</a>
            </p>
        }
        .into_any()
    }
}

/// Draws a setting with its choices beside it.
fn row(name: &'static str, meaning: &'static str, choices: Vec<AnyView>) -> AnyView {
    view! {
        <fieldset class="plain-setting">
            <legend>{name}</legend>
            <p>{meaning}</p>
            <div class="plain-segments">{choices}</div>
        </fieldset>
    }
    .into_any()
}

fn choice(field: &'static str, value: &'static str, label: &'static str, chosen: bool) -> AnyView {
    view! {
        <label class="plain-segment">
            <input type="radio" name=field value=value checked=chosen />
            {label}
        </label>
    }
    .into_any()
}

/// The page of the appearance for a form that failed in the frame: only a way back.
pub struct BackToLook;

impl SettingsPage for BackToLook {
    const TAB: Tab = Tab::Look;

    fn view(self) -> AnyView {
        view! { <p><a href="/settings/look">{texts::settings::look::BACK}</a></p> }.into_any()
    }
}
