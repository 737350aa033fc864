//! The import of a conversation from a file.

use leptos::prelude::*;

use super::{SettingsPage, Tab};

pub struct ImportPage;

impl SettingsPage for ImportPage {
    const TAB: Tab = Tab::Import;

    fn view(self) -> AnyView {
        view! {
            <section>
                <h2>"Import a conversation"</h2>
                <p>
                    "From a JSON file that Jarvis exported, up to 16 MiB. It becomes one of your \
                    conversations, marked as imported and read-only: you can read, search and export \
                    it. Nothing in it runs here: its turns, open requests and grants have no effect."
                </p>
                <form
                    method="post"
                    action="/chat/import"
                    enctype="multipart/form-data"
                    class="plain-form"
                >
                    <label>
                        "File"
                        <input name="file" type="file" accept=".json,application/json" required />
                    </label>
                    <button type="submit" class="button button--primary">
                        "Import"
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}
