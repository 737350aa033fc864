//! The page of the systems, for admins: how each is configured, and by what. Nothing changes here.

use leptos::prelude::*;

use super::{
    SettingsPage, Tab,
    model::{ConfiguredValue, told},
};
use crate::plain_pages::texts;

pub struct SystemsPage {
    pub systems: Vec<SystemSettings>,
}

/// The configuration of a system.
pub struct SystemSettings {
    pub name: String,
    pub is_simulated: bool,
    /// All keys, set or not.
    pub keys: Vec<SystemKey>,
}

/// A key of a system's configuration.
pub struct SystemKey {
    /// With its section.
    pub name: &'static str,
    pub help: String,
    /// True if its value is not shown.
    pub is_secret: bool,
    /// None if it is not set and has no default.
    pub configured: Option<ConfiguredValue>,
}

impl SettingsPage for SystemsPage {
    const TAB: Tab = Tab::Systems;

    fn view(self) -> AnyView {
        if self.systems.is_empty() {
            return view! { <p>{texts::settings::systems::NO_SYSTEMS}</p> }.into_any();
        }
        let systems: Vec<_> = self.systems.into_iter().map(system).collect();
        view! {
            <p class="plain-lead">{texts::settings::systems::LEAD}</p>
            {systems}
        }
        .into_any()
    }
}

fn system(system: SystemSettings) -> AnyView {
    let simulated = system
        .is_simulated
        .then(|| view! { <p>{texts::settings::systems::SIMULATED}</p> });
    let keys: Vec<_> = system.keys.into_iter().map(row).collect();
    view! {
        <section>
            <h2>{system.name}</h2>
            {simulated}
            <ul class="plain-list plain-list--dense">{keys}</ul>
        </section>
    }
    .into_any()
}

fn row(key: SystemKey) -> AnyView {
    let configured = key.configured.map(|configured| ConfiguredValue {
        value: if key.is_secret {
            texts::settings::systems::SET.to_owned()
        } else {
            configured.value
        },
        ..configured
    });
    // Values that were set stand out from the defaults.
    let given = configured
        .as_ref()
        .is_some_and(|configured| configured.source.is_some());
    view! {
        <li>
            <div><code>{key.name}</code> <small>{key.help}</small></div>
            <span class=(!given).then_some("plain-quiet")>{told(configured.as_ref())}</span>
        </li>
    }
    .into_any()
}
