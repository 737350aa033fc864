//! The forms that change or delete a drawing: its label, its look, and the reason.

use kit::{browser, effect, on, press};
use leptos::{ev, html, prelude::*};
use markets_wire::{Colour, Importance};
use serde_json::json;

use super::{
    drawing::Drawing,
    page_state::{ChartPageState, Form},
    texts,
};

impl ChartPageState {
    pub(super) fn hide(self, id: &str, hidden: bool) {
        let reason = if hidden {
            texts::drawings::reasons::HIDDEN
        } else {
            texts::drawings::reasons::SHOWN
        };
        self.change(id, reason, json!({ "hidden": hidden }));
    }

    pub(super) fn lock(self, id: &str, locked: bool) {
        let reason = if locked {
            texts::drawings::reasons::LOCKED
        } else {
            texts::drawings::reasons::UNLOCKED
        };
        self.change(id, reason, json!({ "locked": locked }));
    }

    /// Selects a drawing and opens a form for it.
    pub(super) fn open_form(self, id: &str, form: Form) {
        self.select(Some(id));
        self.form.set(Some(form));
        self.list.set(true);
        browser::show(format!("drawing-form-{id}"));
    }
}

pub(super) fn form(shared: ChartPageState, drawing: &Drawing, kind: Form) -> AnyView {
    match kind {
        Form::Edit => edit(shared, drawing),
        Form::Delete => delete(shared, drawing),
    }
}

fn delete(shared: ChartPageState, drawing: &Drawing) -> AnyView {
    let field = NodeRef::<html::Input>::new();
    let id = drawing.id().to_owned();
    let place = format!("drawing-form-{id}");
    let send = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let reason = field.get_untracked().map(|field| field.value());
        shared.form.set(None);
        shared.remove(&id, &reason.unwrap_or_default());
    };
    view! {
        <form class="drawing__form" aria-label=texts::drawings::DELETE_DRAWING on:submit=on(send)>
            <label>
                {texts::drawings::REASON_FOR_DELETING}
                <input
                    class="field"
                    id=place
                    node_ref=field
                    maxlength="500"
                    placeholder=texts::drawings::reasons::REMOVED
                    autocomplete="off"
                />
            </label>
            <div class="drawing__ways">
                <button type="submit" class="button button--small button--danger">
                    {texts::drawings::DELETE}
                </button>
                {keep(shared)}
            </div>
        </form>
    }
    .into_any()
}

fn edit(shared: ChartPageState, drawing: &Drawing) -> AnyView {
    let (label, note) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    let words = NodeRef::<html::Input>::new();
    let colour = NodeRef::<html::Select>::new();
    let importance = NodeRef::<html::Select>::new();
    let id = drawing.id().to_owned();
    let place = format!("drawing-form-{id}");
    // They are filled once, and are the person's from then on.
    let (label_now, note_now, words_now) = (drawing.label(), drawing.note(), drawing.words());
    effect({
        let fields = [
            (label, label_now.clone()),
            (note, note_now.clone()),
            (words, words_now.clone()),
        ];
        move || {
            for (field, text) in &fields {
                if let Some(field) = field.get() {
                    field.set_value(text);
                }
            }
        }
    });
    let before = drawing.clone();
    let send = move |event: ev::SubmitEvent| {
        event.prevent_default();
        shared.form.set(None);
        let text = |field: NodeRef<html::Input>| {
            let field = field.get_untracked();
            field.map(|field| field.value().trim().to_owned())
        };
        let chosen = |field: NodeRef<html::Select>| field.get_untracked().map(|it| it.value());
        let mut changes = serde_json::Map::new();
        if let Some(text) = text(label).filter(|text| *text != label_now) {
            changes.insert("label".to_owned(), text.into());
        }
        if let Some(text) = text(note).filter(|text| *text != note_now) {
            changes.insert("note".to_owned(), text.into());
        }
        if let Some(text) = text(words).filter(|text| *text != words_now) {
            changes.insert("shape".to_owned(), json!({ "text": text }));
        }
        if let Some(word) = chosen(importance).filter(|word| word != before.importance().name()) {
            changes.insert("importance".to_owned(), word.into());
        }
        if let Some(word) = chosen(colour).filter(|word| word != before.colour().name()) {
            changes.insert("style".to_owned(), json!({ "colour": word }));
        }
        if !changes.is_empty() {
            shared.change(&id, texts::drawings::reasons::EDITED, changes.into());
        }
    };
    let words = drawing.is_marker().then(|| {
        view! {
            <label>
                {texts::drawings::TEXT}
                <input class="field" node_ref=words maxlength="200" autocomplete="off" />
            </label>
        }
    });
    view! {
        <form class="drawing__form" aria-label=texts::drawings::EDIT_DRAWING on:submit=on(send)>
            <label>
                {texts::drawings::LABEL}
                <input class="field" id=place node_ref=label maxlength="80" autocomplete="off" />
            </label>
            {words}
            <label>
                {texts::drawings::NOTE}
                <input class="field" node_ref=note maxlength="2000" autocomplete="off" />
            </label>
            <label>
                {texts::drawings::COLOUR}
                <select class="field" node_ref=colour>
                    {options(Colour::NAMES, drawing.colour().name())}
                </select>
            </label>
            <label>
                {texts::drawings::IMPORTANCE}
                <select class="field" node_ref=importance>
                    {options(Importance::NAMES, drawing.importance().name())}
                </select>
            </label>
            <div class="drawing__ways">
                <button type="submit" class="button button--small button--primary">
                    {texts::drawings::SAVE}
                </button>
                {keep(shared)}
            </div>
        </form>
    }
    .into_any()
}

fn options(words: &'static [&'static str], now: &str) -> Vec<AnyView> {
    let option = |word: &&'static str| {
        view! {
            <option value=*word selected=*word == now>
                {*word}
            </option>
        }
        .into_any()
    };
    words.iter().map(option).collect()
}

fn keep(shared: ChartPageState) -> AnyView {
    let close = press(move || shared.form.set(None));
    view! {
        <button type="button" class="button button--small button--quiet" on:click=close>
            {texts::drawings::CANCEL}
        </button>
    }
    .into_any()
}
