//! The page of a user's prompts. They are created in the composer, and changed here or there.

use leptos::prelude::*;
use protocol::{MAX_PROMPT_BYTES, Prompt};

use super::{SettingsPage, Tab, list_or_none};

pub struct PromptsPage {
    pub prompts: Vec<Prompt>,
}

impl SettingsPage for PromptsPage {
    const TAB: Tab = Tab::Prompts;
    const SAVED: &'static str = "Your prompts were changed.";

    fn view(self) -> AnyView {
        let rows = self.prompts.into_iter().map(row).collect();
        view! {
            <section>
                <h2>"Prompts"</h2>
                <p>
                    "Saved messages. In the message field, type a slash and a name to insert one. \
                    “Save as prompt” below the field saves the text there and replaces a prompt of \
                    the same name."
                </p>
                {list_or_none(rows)}
            </section>
        }
        .into_any()
    }
}

fn row(Prompt { name, text }: Prompt) -> AnyView {
    let delete = format!("Delete /{name}");
    let label = format!("Text of /{name}");
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
                    <button type="submit" class="button button--small">"Save"</button>
                </form>
            </details>
            <form method="post" action="/settings/prompts">
                <input type="hidden" name="forget" value=name />
                <button type="submit" class="button button--small button--danger" aria-label=delete>
                    "Delete"
                </button>
            </form>
        </li>
    }
    .into_any()
}
