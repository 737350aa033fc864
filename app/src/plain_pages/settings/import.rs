//! The import of a conversation from a file.

use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts;

pub struct ImportPage;

impl SettingsPage for ImportPage {
    const TAB: Tab = Tab::Import;

    fn view(self) -> AnyView {
        view! {
            <section>
                <h2>{texts::settings::import::HEADING}</h2>
                <p>{texts::settings::import::LEAD}</p>
                <form
                    method="post"
                    action="/chat/import"
                    enctype="multipart/form-data"
                    class="plain-form"
                >
                    <label>
                        {texts::settings::import::FILE}
                        <input name="file" type="file" accept=".json,application/json" required />
                    </label>
                    <button type="submit" class="button button--primary">
                        {texts::settings::import::IMPORT}
                    </button>
                </form>
            </section>
        }
        .into_any()
    }
}
