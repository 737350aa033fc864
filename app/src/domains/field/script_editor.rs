//! The editor below a proposal's script: a person writes the next version, as typed steps or as free sh.

use field_wire::FieldProposalPage;
use kit::{live, live_text, live_view, on, press};
use leptos::{ev, prelude::*};
use protocol::LineChange;
use serde_json::{Value, json};

use super::{
    figures::pane,
    form_parts::{LackingField, form_button},
    texts::script_editor as say,
    thing_page::ShownFieldThing,
};
use crate::panel_pieces::ActsBeside;

const ABOUT: &str = "field-edit-about";
const WHY: &str = "field-edit-why";
/// The value of the form that is free sh.
const SH: &str = "sh";

/// A text that is being written. It outlives the page around it, which is read again after each call.
/// Copies are the same.
#[derive(Clone, Copy)]
pub(super) struct ScriptDraft {
    /// The newest version when the person began; none before.
    base: RwSignal<Option<u64>>,
    is_free: RwSignal<bool>,
    text: RwSignal<String>,
    stops: RwSignal<bool>,
    why: RwSignal<String>,
    expect: RwSignal<String>,
    lacks: LackingField,
}

/// The version on view, as the editor begins with it.
#[derive(Clone)]
struct EditedVersion {
    newest: u64,
    is_free: bool,
    steps: String,
    sh: String,
    stops: bool,
    why: String,
    expect: String,
}

impl EditedVersion {
    fn of(page: &FieldProposalPage) -> Self {
        let lines = page.lines.iter();
        let lines = lines.filter(|line| line.change != LineChange::Removed);
        let sh: Vec<_> = lines.map(|line| line.text.as_str()).collect();
        Self {
            newest: page.proposal.newest,
            is_free: page.steps.is_empty(),
            steps: page.steps.join("\n"),
            sh: sh.join("\n"),
            stops: page.stop_on_failure,
            why: page.why.clone(),
            expect: page.expect.clone().unwrap_or_default(),
        }
    }

    fn text(&self, is_free: bool) -> &str {
        if is_free { &self.sh } else { &self.steps }
    }
}

impl ScriptDraft {
    pub(super) fn new() -> Self {
        Self {
            base: RwSignal::new(None),
            is_free: RwSignal::new(false),
            text: RwSignal::new(String::new()),
            stops: RwSignal::new(false),
            why: RwSignal::new(String::new()),
            expect: RwSignal::new(String::new()),
            lacks: LackingField::new(),
        }
    }

    /// Begins with a version, in place of what was written.
    fn begin(self, version: &EditedVersion) {
        self.base.set(None);
        self.is_free.set(version.is_free);
        self.text.set(version.text(version.is_free).to_owned());
        self.stops.set(version.stops);
        self.why.set(version.why.clone());
        self.expect.set(version.expect.clone());
        self.lacks.clear();
    }

    /// Notes the newest version as the one that the next one is made from.
    fn touch(self, newest: u64) {
        if self.base.get_untracked().is_none() {
            self.base.set(Some(newest));
        }
    }

    /// Chooses the form. A text that nobody has changed becomes that of the other form.
    fn choose(self, version: &EditedVersion, is_free: bool) {
        self.touch(version.newest);
        self.is_free.set(is_free);
        let is_unchanged = self
            .text
            .with_untracked(|text| text == version.text(!is_free));
        if is_unchanged {
            self.text.set(version.text(is_free).to_owned());
        }
    }

    /// True if a version has the same form and as many lines. Their words may be others: values became
    /// tokens.
    fn is_like(self, version: &EditedVersion) -> bool {
        let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
        let written = self.text.with_untracked(|text| lines(text));
        let is_free = self.is_free.get_untracked();
        is_free == version.is_free && written == lines(version.text(is_free))
    }

    /// The input of the call that saves it. None if a field is empty, which is then named.
    fn input(self) -> Option<Value> {
        let text = self.text.get_untracked();
        let [why, expect] =
            [self.why, self.expect].map(|field| field.get_untracked().trim().to_owned());
        if !self
            .lacks
            .are_filled([(say::TEXT, &*text), (say::REASON, &*why)])
        {
            return None;
        }
        let mut input = json!({ "version": self.base.get_untracked(), "why": why });
        if !expect.is_empty() {
            input["expect"] = json!(expect);
        }
        if self.is_free.get_untracked() {
            input["free_text"] = json!(text);
        } else {
            input["steps"] = json!(text);
            input["stop_on_failure"] = json!(self.stops.get_untracked());
        }
        Some(input)
    }
}

/// Draws the editor; nothing for a person who cannot act. The call is drawn with those on the proposal.
pub(super) fn script_editor(thing: &ShownFieldThing, page: &FieldProposalPage) -> AnyView {
    let (acts, draft) = (thing.acts, thing.draft);
    let version = EditedVersion::of(page);
    let base = draft.base.get_untracked();
    // The newest version is what this person wrote here: nothing is left to save.
    let is_saved =
        page.yours && base.is_some_and(|base| base < page.version) && draft.is_like(&version);
    if base.is_none() || is_saved {
        draft.begin(&version);
    }
    let is_open = base.is_some() && !is_saved;
    let summary = say::edit(page.version);
    let thing = thing.clone();
    let device = page.device.clone();
    live_view(move || {
        if acts.is_barred() {
            return ().into_any();
        }
        let content = view! {
            <details class="field-fold" open=is_open>
                <summary>{summary.clone()}</summary>
                {fields(draft, &version)}
                {buttons(acts, &thing, &version, &device)}
            </details>
        };
        pane(
            "field-edit",
            say::NEXT_VERSION,
            say::NOTE,
            content.into_any(),
        )
    })
}

fn fields(draft: ScriptDraft, version: &EditedVersion) -> AnyView {
    let newest = version.newest;
    let chosen = {
        let version = version.clone();
        on(move |event: ev::Event| draft.choose(&version, event_target_value(&event) == SH))
    };
    let typed = on(move |event: ev::Event| {
        draft.touch(newest);
        draft.text.set(event_target_value(&event));
    });
    let about = live_text(move || {
        let about = if draft.is_free.get() {
            say::ABOUT_SH
        } else {
            say::ABOUT_STEPS
        };
        about.to_owned()
    });
    let stops = live_view(move || {
        if draft.is_free.get() {
            return ().into_any();
        }
        let changed = on(move |event: ev::Event| {
            draft.touch(newest);
            draft.stops.set(event_target_checked(&event));
        });
        view! {
            <label class="field-edit__check">
                <input
                    type="checkbox"
                    prop:checked=live(move || draft.stops.get())
                    on:change=changed
                />
                {say::STOPS}
            </label>
        }
        .into_any()
    });
    view! {
        <div class="field-edit">
            <label class="panel-acts__field">
                {say::FORM} <select on:change=chosen>
                    <option value="steps" prop:selected=live(move || !draft.is_free.get())>
                        {say::STEPS}
                    </option>
                    <option value=SH prop:selected=live(move || draft.is_free.get())>
                        {say::FREE_SH}
                    </option>
                </select>
            </label>
            <p class="field-facts" id=ABOUT>
                {about}
            </p>
            <label class="panel-acts__field">
                {say::TEXT}
                <textarea
                    class="field field-edit__text"
                    rows="8"
                    maxlength="32768"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    aria-describedby=ABOUT
                    on:input=typed
                    prop:value=live(move || draft.text.get())
                ></textarea>
            </label>
            {stops}
            {line(draft, newest, say::REASON, draft.why)}
            {line(draft, newest, say::EXPECTED, draft.expect)}
        </div>
    }
    .into_any()
}

/// Draws a field of one line.
fn line(draft: ScriptDraft, newest: u64, label: &'static str, text: RwSignal<String>) -> AnyView {
    let typed = on(move |event: ev::Event| {
        draft.touch(newest);
        text.set(event_target_value(&event));
    });
    view! {
        <label class="panel-acts__field">
            {label}
            <input
                type="text"
                maxlength="600"
                autocomplete="off"
                on:input=typed
                prop:value=live(move || text.get())
            />
        </label>
    }
    .into_any()
}

fn buttons(
    acts: ActsBeside,
    thing: &ShownFieldThing,
    version: &EditedVersion,
    device: &str,
) -> AnyView {
    let (draft, newest) = (thing.draft, version.newest);
    let why = live_text(move || {
        let lacks = || draft.lacks.sentence();
        let newer = || {
            let base = draft.base.get();
            base.filter(|base| *base < newest)
                .map(|_| say::newer(newest))
        };
        let why = acts.why_not().or_else(lacks).or_else(newer);
        why.unwrap_or_default()
    });
    let save = {
        let (id, device, shown) = (thing.id.clone(), device.to_owned(), thing.version);
        move || {
            if untrack(|| acts.why_not()).is_some() {
                return;
            }
            draft.touch(newest);
            if let Some(mut input) = draft.input() {
                input["proposal"] = json!(id);
                input["device"] = json!(device);
                acts.begin("edit_proposal", input);
                // The version that it becomes is the newest one.
                if shown.get_untracked().is_some() {
                    shown.set(None);
                }
            }
        }
    };
    let discard = {
        let version = version.clone();
        move || draft.begin(&version)
    };
    view! {
        <div class="panel-acts__offer">
            {form_button(acts, WHY, say::SAVE, save)}
            <button type="button" class="button button--small" on:click=press(discard)>
                {say::DISCARD}
            </button>
        </div>
        <p class="field-facts" id=WHY role="status">
            {why}
        </p>
    }
    .into_any()
}
