//! The page of the notifications of this browser. Only a script knows what the browser allows.

use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts::{self, settings::notifications};

pub struct NotificationsPage;

impl SettingsPage for NotificationsPage {
    const TAB: Tab = Tab::Notifications;

    fn view(self) -> AnyView {
        view! {
            <section
                data-notify
                data-on=notifications::ARE_ON
                data-off=notifications::ARE_OFF
                data-blocked=notifications::ARE_BLOCKED
                data-impossible=notifications::ARE_IMPOSSIBLE
                data-turn-on=notifications::TURN_ON
                data-turn-off=notifications::TURN_OFF
            >
                <h2>{notifications::HEADING}</h2>
                <p>{notifications::LEAD}</p>
                <p role="status">{notifications::NEED_JAVASCRIPT}</p>
                <button type="button" class="button button--primary" hidden>
                    {notifications::TURN_ON}
                </button>
            </section>
            <p class="plain-quiet">{texts::settings::notifications::ONLY_HERE}</p>
        }
        .into_any()
    }
}
