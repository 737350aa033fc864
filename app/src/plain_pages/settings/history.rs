//! The history of settings: who changed them and how, and the way back.

use leptos::prelude::*;
use protocol::Timestamp;
use serde_json::Value;

use crate::plain_pages::{moment, texts};

/// The newest versions of settings, newest first.
pub struct SettingsHistory {
    pub versions: Vec<SettingsVersion>,
    /// The version in effect; 0 is none.
    pub newest: u64,
    /// The settings before the oldest of these versions.
    pub before: Value,
}

/// A stored version of settings.
pub struct SettingsVersion {
    /// From 1.
    pub number: u64,
    pub at: Timestamp,
    /// The name of the admin.
    pub by: String,
    pub body: Value,
}

impl SettingsHistory {
    /// Draws the section; `back` draws the form that goes back to a version. `first`: with the state
    /// before the first version, which is version 0.
    pub(super) fn section(&self, back: impl Fn(u64) -> AnyView, first: bool) -> AnyView {
        let first = first.then(|| before_first(back(0)));
        view! {
            <section>
                <h2>{texts::settings::history::CHANGES}</h2>
                <ul class="plain-list">{self.rows(back)} {first}</ul>
            </section>
        }
        .into_any()
    }

    fn rows(&self, back: impl Fn(u64) -> AnyView) -> Vec<AnyView> {
        let versions = self.versions.iter().enumerate();
        let rows = versions.map(|(at, version)| {
            let before = self.versions.get(at + 1);
            let before = before.map_or(&self.before, |before| &before.body);
            let about = texts::settings::history::changed_by(&moment(version.at), &version.by);
            let changes = changes(before, &version.body);
            let button = if version.number == self.newest {
                view! { <span>{texts::settings::history::IN_EFFECT}</span> }.into_any()
            } else {
                back(version.number)
            };
            view! {
                <li>
                    <div>
                        {texts::settings::history::version(version.number)} <small>{about}</small>
                        <small>{changes}</small>
                    </div>
                    {button}
                </li>
            }
            .into_any()
        });
        rows.collect()
    }
}

/// Draws the state before the first version, with the form that goes back to it.
fn before_first(back: AnyView) -> AnyView {
    view! {
        <li>
            <div>
                {texts::settings::history::CONFIGURATION_ONLY}
                <small>{texts::settings::history::BEFORE_FIRST}</small>
            </div>
            {back}
        </li>
    }
    .into_any()
}

/// Describes the differences, as `name: before → after`.
fn changes(before: &Value, after: &Value) -> String {
    let mut found = Vec::new();
    compare("", before, after, &mut found);
    if found.is_empty() {
        texts::settings::history::SAME_AS_PREVIOUS.to_owned()
    } else {
        found.join("; ")
    }
}

fn compare(name: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
    if let Value::Object(fields) = after {
        let empty = serde_json::Map::new();
        let old = before.as_object().unwrap_or(&empty);
        let names = fields
            .keys()
            .chain(old.keys().filter(|key| !fields.contains_key(*key)));
        for key in names {
            let inner = if name.is_empty() {
                key.clone()
            } else {
                format!("{name} {key}")
            };
            let nothing = &Value::Null;
            let (old, new) = (old.get(key), fields.get(key));
            compare(
                &inner,
                old.unwrap_or(nothing),
                new.unwrap_or(nothing),
                found,
            );
        }
        return;
    }
    if before != after {
        found.push(format!("{name}: {} → {}", text(before), text(after)));
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => texts::settings::history::DEFAULT.to_owned(),
        Value::String(text) if text.is_empty() => texts::settings::history::NONE.to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => texts::settings::history::YES.to_owned(),
        Value::Bool(false) => texts::settings::history::NO.to_owned(),
        Value::Array(list) if list.is_empty() => texts::settings::history::NONE.to_owned(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
