//! Buttons of a page: calls of the person's own, on which the gate decides as on every other.
//!
//! A null in an offer's input, at any depth, is what the person has to say.

use kit::{Key, browser, each, effect, format::upright, live, live_text, on, press};
use leptos::prelude::*;
use protocol::{Command, ConversationId, Offer, OwnCall};
use serde_json::Value;

use super::{texts::pages as say, thing_page::ShownFieldThing};
use crate::{
    channel::{Channel, Connection},
    chat::own_call,
};

const WHY: &str = "field-why";

/// State that the buttons of a page share.
#[derive(Clone)]
struct FieldActs {
    channel: Channel,
    id: String,
    /// Calls that were begun here: their cards scroll into view.
    begun: StoredValue<Vec<ConversationId>>,
    /// The field that was empty at the last press.
    lacks: RwSignal<Option<String>>,
}

impl FieldActs {
    fn is_about(&self, own: &OwnCall) -> bool {
        let texts = ["run", "proposal", "device"].into_iter();
        let mut texts = texts.filter_map(|name| own.input.get(name)?.as_str());
        // The first one says what it acts on.
        texts.next() == Some(&self.id)
    }

    /// Returns the person's own calls on it, newest first, and those in progress.
    fn calls(&self) -> Vec<(ConversationId, bool)> {
        let actions = self.channel.list.actions.read();
        let about = actions
            .iter()
            .filter(|it| it.action.as_deref().is_some_and(|own| self.is_about(own)));
        about.map(|line| (line.id, line.running)).collect()
    }

    /// Returns the reason why no button can be pressed now, if there is one.
    fn why_not(&self) -> Option<String> {
        if let Some(reason) = self.channel.bars() {
            return Some(reason.to_owned());
        }
        if self.channel.kill_switch.read().on {
            return Some(say::KILL_SWITCH.to_owned());
        }
        if self.channel.connection.get() != Connection::Live {
            return Some(say::NO_CONNECTION.to_owned());
        }
        let pending = self.channel.pending.read();
        let mut commands = pending.iter().map(|pending| &pending.command);
        if commands.any(|command| matches!(command, Command::Act { .. })) {
            return Some(say::ASKING_SERVER.to_owned());
        }
        let is_running = self.calls().iter().any(|(_, running)| *running);
        is_running.then(|| say::LAST_ACTION_UNFINISHED.to_owned())
    }

    fn act(&self, offer: &Offer, input: Value) {
        let conversation = browser::new_conversation_id();
        self.begun.update_value(|begun| begun.push(conversation));
        self.channel.command(Command::Act {
            conversation,
            tool: offer.tool.clone(),
            input,
        });
    }
}

/// Draws what can be done with a thing, and the calls of the person on it.
pub(super) fn acts(thing: &ShownFieldThing, offers: &[Offer]) -> AnyView {
    let acts = FieldActs {
        channel: expect_context::<Channel>(),
        id: thing.id.clone(),
        begun: StoredValue::new(Vec::new()),
        lacks: RwSignal::new(None),
    };
    // What a call did is seen when it is over.
    let running = {
        let acts = acts.clone();
        Memo::new(move |_| acts.calls().iter().filter(|(_, running)| *running).count())
    };
    let before = StoredValue::new(0_usize);
    let thing = thing.clone();
    effect(move || {
        let now = running.get();
        if now < before.get_value() {
            thing.refetch();
        }
        before.set_value(now);
    });
    let buttons: Vec<_> = offers.iter().map(|it| button(&acts, it)).collect();
    let why = {
        let acts = acts.clone();
        let has_buttons = !buttons.is_empty();
        live_text(move || {
            let why = has_buttons.then(|| acts.why_not()).flatten();
            let lacks = acts.lacks.get().map(|field| say::fill_in_first(&field));
            why.or(lacks).unwrap_or_default()
        })
    };
    let calls = {
        let (acts, begun) = (acts.clone(), acts.begun);
        each(
            move || acts.calls().into_iter().map(|(id, _)| id).collect(),
            |id| Key::of(id.to_string()),
            move |id| own_call(id, begun.with_value(|begun| begun.contains(&id))),
        )
    };
    view! {
        <section class="field-acts" aria-label=say::ACTIONS>
            <div class="field-acts__buttons">{buttons}</div>
            <p class="field-facts" id=WHY role="status">
                {why}
            </p>
            <div class="field-acts__calls" aria-label=say::OWN_CALLS role="group">
                {calls}
            </div>
        </section>
    }
    .into_any()
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
            for (key, value) in fields {
                ask(value, &format!("{at}/{key}"), key, found);
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
fn button(acts: &FieldActs, offer: &Offer) -> AnyView {
    let given = offer.with.clone();
    let mut asked = Vec::new();
    ask(&given, "", "", &mut |at, name| {
        asked.push((at.to_owned(), label(name), RwSignal::new(String::new())));
    });
    let bar = {
        let acts = acts.clone();
        live(move || acts.why_not().map(|_| "true"))
    };
    let inputs = asked.iter().map(|(_, label, text)| {
        let (label, text) = (label.clone(), *text);
        let typed = on(move |event: leptos::ev::Event| text.set(event_target_value(&event)));
        view! {
            <label class="field-acts__field">
                {label}
                <input type="text" maxlength="500" on:input=typed prop:value=live(move || text.get()) />
            </label>
        }
        .into_any()
    });
    let inputs: Vec<_> = inputs.collect();
    let go = {
        let (acts, offer) = (acts.clone(), offer.clone());
        move || {
            if untrack(|| acts.why_not()).is_some() {
                return;
            }
            let mut input = given.clone();
            for (at, label, text) in &asked {
                let text = text.get_untracked();
                if text.trim().is_empty() {
                    acts.lacks.set(Some(label.clone()));
                    return;
                }
                if let Some(place) = input.pointer_mut(at) {
                    *place = text.trim().into();
                }
            }
            acts.lacks.set(None);
            acts.act(&offer, input);
        }
    };
    let class = match &*offer.tool {
        "cancel_run" => "button button--danger",
        _ => "button",
    };
    view! {
        <div class="field-acts__offer">
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
