//! Buttons of a page: calls of the person's own on its thing.
//!
//! A null in an offer's input, at any depth, is what the person has to say.

use std::sync::Arc;

use kit::{Key, browser, each, effect, format::upright, live, live_text, on, press};
use leptos::{html, prelude::*};
use protocol::{Offer, OwnCall};
use serde_json::Value;

use super::own_calls::PageCalls;
use crate::texts::panel_pieces as texts;

/// The id of the reason why no button can be pressed.
pub(super) const WHY: &str = "panel-acts-why";

/// True for a call about a thing.
type IsAbout = Arc<dyn Fn(&OwnCall) -> bool + Send + Sync>;

/// The buttons of a page.
pub(crate) struct PageActs<'a> {
    pub(crate) offers: &'a [Offer],
    /// True for a call about the page's thing.
    pub(crate) is_about: IsAbout,
    /// True for an offer whose button warns.
    pub(crate) danger: fn(&Offer) -> bool,
    /// Reads the page again.
    pub(crate) refetch: Callback<()>,
}

/// State that the buttons of a page share.
#[derive(Clone, Copy)]
pub(super) struct ActsState {
    pub(super) own: PageCalls,
    is_about: StoredValue<IsAbout>,
    danger: fn(&Offer) -> bool,
    /// The field that was empty at the last press.
    lacks: RwSignal<Option<String>>,
}

impl ActsState {
    pub(super) fn new(is_about: IsAbout, danger: fn(&Offer) -> bool) -> Self {
        Self {
            own: PageCalls::new(),
            is_about: StoredValue::new(is_about),
            danger,
            lacks: RwSignal::new(None),
        }
    }

    /// After a refetch the former drawing lives on for a tick, when this is gone: then no call is about it.
    fn is_about(self) -> IsAbout {
        match self.is_about.try_get_value() {
            Some(is_about) => is_about,
            None => Arc::new(|_| false),
        }
    }

    fn why_not(self) -> Option<String> {
        self.own.why_not(&*self.is_about(), None)
    }
}

impl PageActs<'_> {
    /// Draws what can be done with the thing, and the calls of the person on it.
    pub(crate) fn draw(self) -> AnyView {
        let acts = ActsState::new(self.is_about, self.danger);
        let refetch = self.refetch;
        // What a call did is seen when it is over.
        let running = Memo::new(move |_| acts.own.open(&*acts.is_about()).len());
        let before = StoredValue::new(0_usize);
        effect(move || {
            let now = running.get();
            if now < before.get_value() {
                refetch.run(());
            }
            before.set_value(now);
        });
        let buttons: Vec<_> = self.offers.iter().map(|it| button(acts, it)).collect();
        let has_buttons = !buttons.is_empty();
        let why = live_text(move || {
            let why = has_buttons.then(|| acts.why_not()).flatten();
            let lacks = acts.lacks.try_get().flatten();
            let lacks = lacks.map(|field| texts::fill_in_first(&field));
            why.or(lacks).unwrap_or_default()
        });
        let calls = each(
            move || acts.own.about(&*acts.is_about()),
            |id| Key::of(id.to_string()),
            move |id| acts.own.card(id),
        );
        view! {
            <section class="panel-acts" aria-label=texts::ACTIONS>
                <div class="panel-acts__buttons">{buttons}</div>
                <p class="panel-acts__why" id=WHY role="status">
                    {why}
                </p>
                <div class="panel-acts__calls" aria-label=texts::OWN_CALLS role="group">
                    {calls}
                </div>
            </section>
        }
        .into_any()
    }
}

/// Finds the nulls of an input: the JSON pointer and the name of each.
fn ask(value: &Value, at: &str, name: &str, found: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::Null => found(at, name),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                ask(item, &format!("{at}/{place}"), name, found);
            }
        }
        Value::Object(fields) => {
            // In a pair of `field` and `value` the field is the name.
            let field = fields.get("field").and_then(Value::as_str);
            for (key, value) in fields {
                let name = field.filter(|_| key == "value").unwrap_or(key);
                ask(value, &format!("{at}/{key}"), name, found);
            }
        }
        _ => {}
    }
}

/// The label of a field: `Reason`.
fn label(name: &str) -> String {
    let mut label = kit::format::field_name(name);
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}

/// Draws the button of an offer, with fields for what the person has to say.
pub(super) fn button(acts: ActsState, offer: &Offer) -> AnyView {
    let given = offer.with.clone();
    let mut asked = Vec::new();
    ask(&given, "", "", &mut |at, name| {
        let text = RwSignal::new(String::new());
        let field = NodeRef::<html::Input>::new();
        asked.push((at.to_owned(), label(name), text, field));
    });
    let bar = live(move || acts.why_not().map(|_| "true"));
    let inputs = asked.iter().map(|(_, label, text, field)| {
        let (label, text, field) = (label.clone(), *text, *field);
        let typed = on(move |event: leptos::ev::Event| text.set(event_target_value(&event)));
        view! {
            <label class="panel-acts__field">
                {label}
                <input
                    node_ref=field
                    type="text"
                    maxlength="500"
                    on:input=typed
                    prop:value=live(move || text.get())
                />
            </label>
        }
        .into_any()
    });
    let inputs: Vec<_> = inputs.collect();
    let tool = offer.tool.clone();
    let go = move || {
        if untrack(|| acts.why_not()).is_some() {
            return;
        }
        let mut input = given.clone();
        for (at, label, text, field) in &asked {
            let Some(text) = text.try_get_untracked() else {
                return;
            };
            if text.trim().is_empty() {
                acts.lacks.set(Some(label.clone()));
                if let Some(field) = field.get_untracked() {
                    browser::report(field.focus());
                }
                return;
            }
            if let Some(place) = input.pointer_mut(at) {
                *place = text.trim().into();
            }
        }
        acts.lacks.set(None);
        let tool = tool.clone();
        acts.own.begin(OwnCall { tool, input });
    };
    let class = if (acts.danger)(offer) {
        "button button--danger"
    } else {
        "button"
    };
    view! {
        <div class="panel-acts__offer">
            {inputs}
            // Not disabled: it would lose the focus, and nobody would hear the reason.
            <button
                type="button"
                class=class
                aria-disabled=bar
                aria-describedby=WHY
                on:click=press(go)
            >
                {upright(offer.label.clone())}
            </button>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_person_is_asked_for_each_null_by_its_name() {
        let input = json!({
            "name": "SINV-1", "reason": null,
            "fields": [{"field": "paid", "value": 1}, {"field": "reference_no", "value": null}],
        });
        let mut asked = Vec::new();
        ask(&input, "", "", &mut |at, name| {
            asked.push((at.to_owned(), label(name)));
        });
        let asked: Vec<_> = asked.iter().map(|(at, name)| (&**at, &**name)).collect();
        let reference = ("/fields/1/value", "Reference no");
        assert_eq!(asked, [("/reason", "Reason"), reference]);
        assert!(asked.iter().all(|(at, _)| input.pointer(at).is_some()));
    }
}
