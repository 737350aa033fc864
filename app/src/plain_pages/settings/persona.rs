//! The pages of the persona: a person's own, and the installation's for admins.

use leptos::prelude::*;

use super::{SettingsHistory, SettingsPage, Tab};
use crate::plain_pages::texts;

/// The page of a person's own persona.
pub struct AssistantPage(pub PersonaForm);

/// The page of the installation's.
pub struct PersonaPage(pub PersonaForm);

/// A persona, as its form shows it.
pub struct PersonaForm {
    /// None for the wider one's.
    pub manner: Option<String>,
    /// None for the wider one's; empty for none.
    pub address: Option<String>,
    /// The longest manner and the longest form of address, in characters.
    pub longest: (usize, usize),
    pub history: SettingsHistory,
}

impl SettingsPage for AssistantPage {
    const TAB: Tab = Tab::Assistant;
    const SAVED: &'static str = texts::settings::persona::SAVED;

    fn view(self) -> AnyView {
        let defaults = [
            texts::settings::persona::ADDRESS_OF_INSTALLATION,
            texts::settings::persona::MANNER_OF_INSTALLATION,
        ];
        self.0.view("/settings/assistant", defaults)
    }
}

impl SettingsPage for PersonaPage {
    const TAB: Tab = Tab::Persona;
    const SAVED: &'static str = texts::settings::persona::SAVED;

    fn view(self) -> AnyView {
        let defaults = [
            texts::settings::persona::ADDRESS_BUILT_IN,
            texts::settings::persona::MANNER_BUILT_IN,
        ];
        self.0.view("/settings/persona", defaults)
    }
}

impl PersonaForm {
    /// `defaults`: what applies where no address, and where no manner is set.
    fn view(self, path: &'static str, defaults: [&'static str; 2]) -> AnyView {
        let [no_address, no_manner] = defaults;
        let address = self.address.as_deref();
        let words = address.unwrap_or_default().to_owned();
        let choice = |value: &'static str, label: &'static str, checked: bool| {
            view! {
                <label class="choice">
                    <input type="radio" name="addressed" value=value checked=checked />
                    <span>{label}</span>
                </label>
            }
            .into_any()
        };
        let (longest_manner, longest_address) = self.longest;
        // HTML drops a line end at the beginning of the field.
        let manner = format!("\n{}", self.manner.unwrap_or_default());
        let back = |to: u64| back(path, self.history.newest, to);
        let changed = !self.history.versions.is_empty();
        let changes = changed.then(|| self.history.section(back, false));
        view! {
            <section>
                <h2>{texts::settings::persona::HEADING}</h2>
                <p>{texts::settings::persona::LEAD}</p>
                <form method="post" action=path class="plain-form plain-form--wide">
                    <input type="hidden" name="version" value=self.history.newest.to_string() />
                    <fieldset class="plain-choice">
                        <legend>{texts::settings::persona::FORM_OF_ADDRESS}</legend>
                        {choice("default", no_address, address.is_none())}
                        {choice("none", texts::settings::persona::NO_ADDRESS, address == Some(""))}
                        {choice("words", texts::settings::persona::CUSTOM_ADDRESS, !words.is_empty())}
                        <input
                            name="address"
                            aria-label=texts::settings::persona::CUSTOM_ADDRESS_FIELD
                            maxlength=longest_address
                            value=words
                            placeholder=texts::settings::persona::EXAMPLE_OF_ADDRESS
                            autocomplete="off"
                        />
                    </fieldset>
                    <label>
                        {texts::settings::persona::MANNER}
                        <textarea
                            name="manner"
                            rows="6"
                            maxlength=longest_manner
                            placeholder=texts::settings::persona::EXAMPLE_OF_MANNER
                        >
                            {manner}
                        </textarea>
                        <small>{no_manner}</small>
                    </label>
                    <button type="submit" class="button button--primary">
                        {texts::SAVE}
                    </button>
                </form>
            </section>
            {changes}
        }
        .into_any()
    }
}

fn back(path: &'static str, newest: u64, to: u64) -> AnyView {
    view! {
        <form method="post" action=path>
            <input type="hidden" name="version" value=newest.to_string() />
            <input type="hidden" name="to" value=to.to_string() />
            <button type="submit" class="button button--small">{texts::RESTORE_VERSION}</button>
        </form>
    }
    .into_any()
}
