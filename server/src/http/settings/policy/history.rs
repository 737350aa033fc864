//! The history of the policy: who changed what, and the way back.

use agent::Policy;
use leptos::prelude::*;
use serde_json::Value;
use store::StoredSettings;

use super::{PATH, moment};

pub(super) fn view(history: &[StoredSettings], newest: u64) -> AnyView {
    if history.is_empty() {
        return view! {
            <section>
                <h2>"Changes"</h2>
                <p>"The policy hasn't been changed here."</p>
            </section>
        }
        .into_any();
    }
    let rows: Vec<_> = history
        .iter()
        .enumerate()
        .map(|(at, version)| row(version, history.get(at + 1), newest))
        .collect();
    // The first version changed the state without any version.
    let origin = history
        .last()
        .is_some_and(|oldest| oldest.version == 1)
        .then(|| {
            view! {
                <li>
                    <div>"Configuration only" <small>"before the first change"</small></div>
                    {back(0)}
                </li>
            }
        });
    view! {
        <section>
            <h2>"Changes"</h2>
            <ul class="plain-list">{rows} {origin}</ul>
        </section>
    }
    .into_any()
}

fn row(version: &StoredSettings, before: Option<&StoredSettings>, newest: u64) -> AnyView {
    let number = version.version;
    let about = format!("{} · by {}", moment(version.at), version.by);
    // Before the first version the policy added nothing.
    let nothing = serde_json::to_value(Policy::default()).unwrap_or_default();
    let before = before.map_or(&nothing, |before| &before.body);
    let changes = changes(Some(before), &version.body);
    let button = if number == newest {
        view! { <span>"in effect"</span> }.into_any()
    } else {
        back(number)
    };
    view! {
        <li>
            <div>"Version " {number.to_string()} <small>{about}</small> <small>{changes}</small></div>
            {button}
        </li>
    }
    .into_any()
}

fn back(version: u64) -> AnyView {
    view! {
        <form method="post" action=PATH>
            <input type="hidden" name="do" value="back" />
            <input type="hidden" name="version" value=version.to_string() />
            <button type="submit" class="button button--small">
                "Preview restoring this version"
            </button>
        </form>
    }
    .into_any()
}

/// Describes the differences, as `name: before → after`.
pub(crate) fn changes(before: Option<&Value>, after: &Value) -> String {
    let mut found = Vec::new();
    compare("", before.unwrap_or(&Value::Null), after, &mut found);
    if found.is_empty() {
        "same as the previous version".to_owned()
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
        Value::Null => "built in".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(list) if list.is_empty() => "none".to_owned(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
