//! The page of the data: what leaves Jarvis as a file, and a conversation that comes in as one.

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
            <section>
                <h2>{texts::settings::import::EXPORT}</h2>
                <p>{texts::settings::import::WHERE_EXPORTS_ARE}</p>
                <p class="plain-row">
                    <a class="button" href="/feed/export?format=csv" download="">
                        {texts::settings::import::FEED_AS_CSV}
                    </a>
                    <a class="button" href="/feed/export?format=jsonl" download="">
                        {texts::settings::import::FEED_AS_JSON_LINES}
                    </a>
                </p>
            </section>
        }
        .into_any()
    }
}
