//! The form for the fields of an input that a person may change. The server then asks again.

use kit::{Icon, icon, live, live_text, live_view, on, press};
use leptos::{ev, prelude::*};
use serde_json::Value;

use super::{ConfirmCard, parts::leaves};

use crate::texts::confirm as texts;

/// The field that gets the focus when an edit begins, and when it is discarded.
const FIELD: &str = ".edit-form__field";
const BUTTON: &str = ".confirm__edit";

#[component]
pub(super) fn Edit(card: ConfirmCard) -> impl IntoView {
    let fields: Vec<(String, Value)> = card.asked.with_value(|asked| {
        let value = |name: &String| {
            let value = asked.input.pointer(&pointer(name))?;
            Some((name.clone(), value.clone()))
        };
        asked.editable.iter().filter_map(value).collect()
    });
    if fields.is_empty() {
        return ().into_any();
    }
    let fields = StoredValue::new(fields);
    live_view(move || {
        if card.editing.get() {
            form(card, fields.get_value())
        } else {
            view! {
                <button
                    type="button"
                    class="button button--small confirm__edit"
                    disabled=live(move || card.is_idle())
                    on:click=press(move || card.edit(true, FIELD))
                >
                    {icon(Icon::EDIT)}
                    {texts::EDIT_THE_INPUT}
                </button>
            }
            .into_any()
        }
    })
}

fn form(card: ConfirmCard, fields: Vec<(String, Value)>) -> AnyView {
    let problem = RwSignal::new(String::new());
    let written = StoredValue::new(
        fields
            .iter()
            .map(|(_, value)| text(value))
            .collect::<Vec<_>>(),
    );
    let before = fields.clone();
    let send = move || {
        let input = card.asked.with_value(|asked| asked.input.clone());
        let (mut input, Some(texts)) = (input, written.try_get_value()) else {
            return;
        };
        match change(&mut input, &before, &texts) {
            Ok(true) => {
                problem.set(String::new());
                card.edit(false, kit::browser::HEADS);
                card.change(input);
            }
            Ok(false) => problem.set(texts::NOTHING_WAS_CHANGED.to_owned()),
            Err(name) => problem.set(texts::has_the_wrong_type(&label(name, &input))),
        }
    };
    let input = card.asked.with_value(|asked| asked.input.clone());
    let rows: Vec<_> = fields
        .into_iter()
        .enumerate()
        .map(|(place, (name, value))| {
            view! {
                <label class="edit-form__row">
                    <span>{label(&name, &input)}</span>
                    <textarea
                        class="field edit-form__field"
                        rows="1"
                        spellcheck="false"
                        autocomplete="off"
                        prop:value=text(&value)
                        on:input=on(move |event: ev::Event| {
                            let new = event_target_value(&event);
                            written.update_value(|texts| texts[place] = new);
                        })
                    ></textarea>
                </label>
            }
            .into_any()
        })
        .collect();
    view! {
        <form
            class="edit-form"
            on:submit=on(move |event: ev::SubmitEvent| {
                event.prevent_default();
                send();
            })
            on:keydown=on(move |event: ev::KeyboardEvent| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    card.edit(false, BUTTON);
                }
            })
        >
            {rows}
            <p class="edit-form__problem" role="alert">{live_text(move || problem.get())}</p>
            <div class="edit-form__buttons">
                <button type="submit" class="button button--small">{texts::PREVIEW_THE_RESULT}</button>
                <button
                    type="button"
                    class="button button--small button--quiet"
                    on:click=press(move || card.edit(false, BUTTON))
                >
                    {texts::DISCARD}
                </button>
            </div>
        </form>
    }
    .into_any()
}

/// Returns the JSON pointer of a field, which a card names by its name alone if it is in no other.
fn pointer(name: &str) -> String {
    if name.starts_with('/') {
        name.to_owned()
    } else {
        format!("/{}", name.replace('~', "~0").replace('/', "~1"))
    }
}

/// Formats the place of a field for a person: `items, row 1: rate`.
fn label(name: &str, input: &Value) -> String {
    let path = pointer(name);
    let mut found = leaves(input).into_iter();
    let found = found.find(|leaf| leaf.path == path);
    kit::format::field_name(&found.map_or_else(|| name.to_owned(), |leaf| leaf.name))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Writes the edited fields into the input; returns whether it has changed, or the field that
/// cannot be read.
fn change<'a>(
    input: &mut Value,
    fields: &'a [(String, Value)],
    texts: &[String],
) -> Result<bool, &'a str> {
    let mut changed = false;
    for ((name, before), written) in fields.iter().zip(texts) {
        let new = match before {
            Value::String(_) => Value::String(written.clone()),
            _ => serde_json::from_str(written.trim()).map_err(|_| name.as_str())?,
        };
        if std::mem::discriminant(&new) != std::mem::discriminant(before) {
            return Err(name);
        }
        changed |= new != *before;
        if let Some(place) = input.pointer_mut(&pointer(name)) {
            *place = new;
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_keep_their_kind() {
        let fields = [
            ("vmid".to_owned(), json!(101)),
            ("why".to_owned(), json!("x")),
        ];
        let check = |texts: [&str; 2], expect: Result<Value, &str>| {
            let mut input = json!({"vmid": 101, "why": "x", "node": "pve"});
            let result = change(&mut input, &fields, &texts.map(str::to_owned));
            assert_eq!(result.map(|_| input), expect);
        };
        check(
            ["102", " 7 "],
            Ok(json!({"vmid": 102, "why": " 7 ", "node": "pve"})),
        );
        let inner = [("/items/1/qty".to_owned(), json!(2))];
        let mut input = json!({ "items": [{ "qty": 1 }, { "qty": 2 }] });
        assert_eq!(change(&mut input, &inner, &["5".to_owned()]), Ok(true));
        assert_eq!(input, json!({ "items": [{ "qty": 1 }, { "qty": 5 }] }));
        assert_eq!(label("/items/1/qty", &input), "items, row 2: qty");
        let pairs = json!({
            "fields": [{ "field": "due_date", "value": "2026-11-21" }],
            "tables": [{ "table": "items", "rows": [{ "fields": [{ "field": "a\u{202e}", "value": 2 }] }] }],
        });
        assert_eq!(label("/fields/0/value", &pairs), "due date");
        let rate = label("/tables/0/rows/0/fields/0/value", &pairs);
        assert_eq!(rate, "items, row 1: a\\u{202e}");
        assert_eq!(label("/gone/3/qty", &pairs), "/gone/3/qty");
        check(["\"102\"", "x"], Err("vmid"));
        check(["", "x"], Err("vmid"));
    }
}
