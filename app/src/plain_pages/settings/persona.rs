//! The pages of the persona: a person's own, and the installation's for admins.

use leptos::prelude::*;

use super::{SettingsHistory, SettingsPage, Tab};

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

const SAVED: &str = "Saved. Your next new conversation uses it.";

impl SettingsPage for AssistantPage {
    const TAB: Tab = Tab::Assistant;
    const SAVED: &'static str = SAVED;

    fn view(self) -> AnyView {
        let defaults = [
            "As the installation sets it",
            "Leave it empty for the installation’s.",
        ];
        self.0.view("/settings/assistant", defaults)
    }
}

impl SettingsPage for PersonaPage {
    const TAB: Tab = Tab::Persona;
    const SAVED: &'static str = SAVED;

    fn view(self) -> AnyView {
        let defaults = [
            "“sir” with the built-in persona, none with your own",
            "Leave it empty for the built-in one, a British butler. Each person can set their own.",
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
                <h2>"Persona"</h2>
                <p>
                    "How Jarvis speaks in new conversations; those that exist keep theirs. The rules \
                    of truth and safety stay as they are."
                </p>
                <form method="post" action=path class="plain-form plain-form--wide">
                    <input type="hidden" name="version" value=self.history.newest.to_string() />
                    <fieldset class="plain-choice">
                        <legend>"Form of address"</legend>
                        {choice("default", no_address, address.is_none())}
                        {choice("none", "None", address == Some(""))}
                        {choice("words", "These words:", !words.is_empty())}
                        <input
                            name="address"
                            aria-label="Words of address"
                            maxlength=longest_address
                            value=words
                            placeholder="captain"
                            autocomplete="off"
                        />
                    </fieldset>
                    <label>
                        "Manner"
                        <textarea
                            name="manner"
                            rows="6"
                            maxlength=longest_manner
                            placeholder="You are brief and plain, without jokes."
                        >
                            {manner}
                        </textarea>
                        <small>{no_manner}</small>
                    </label>
                    <button type="submit" class="button button--primary">
                        "Save"
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
            <button type="submit" class="button button--small">"Restore this version"</button>
        </form>
    }
    .into_any()
}
