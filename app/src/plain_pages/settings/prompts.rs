//! The page of a user's prompts. They are created in the composer, and changed here or there.

use leptos::prelude::*;
use protocol::{MAX_PROMPT_BYTES, Prompt};

use super::{SettingsPage, Tab, list_or_none};
use crate::plain_pages::texts;

pub struct PromptsPage {
    pub prompts: Vec<Prompt>,
}

impl SettingsPage for PromptsPage {
    const TAB: Tab = Tab::Prompts;
    const SAVED: &'static str = texts::settings::prompts::SAVED;

    fn view(self) -> AnyView {
        let rows = self.prompts.into_iter().map(row).collect();
        view! {
            <section>
                <h2>{texts::settings::prompts::HEADING}</h2>
                <p>{texts::settings::prompts::LEAD}</p>
                {list_or_none(rows)}
            </section>
        }
        .into_any()
    }
}

fn row(Prompt { name, text }: Prompt) -> AnyView {
    let delete = texts::settings::prompts::delete(&name);
    let label = texts::settings::prompts::text_of(&name);
    // HTML drops a line end at the beginning of the field.
    let text = format!("\n{text}");
    view! {
        <li>
            <details class="plain-prompt">
                <summary>"/" {name.clone()}</summary>
                <form method="post" action="/settings/prompts" class="plain-form">
                    <input type="hidden" name="name" value=name.clone() />
                    <textarea name="text" aria-label=label rows="6" maxlength=MAX_PROMPT_BYTES required>
                        {text}
                    </textarea>
                    <button type="submit" class="button button--small">{texts::SAVE}</button>
                </form>
            </details>
            <form method="post" action="/settings/prompts">
                <input type="hidden" name="forget" value=name />
                <button type="submit" class="button button--small button--danger" aria-label=delete>
                    {texts::DELETE}
                </button>
            </form>
        </li>
    }
    .into_any()
}
