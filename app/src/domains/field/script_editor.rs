//! The editor below a proposal's script: a person writes the next version, as typed steps or as free sh.

use field_wire::FieldProposalPage;
use kit::{live, live_text, live_view, on, press};
use leptos::{ev, prelude::*};
use serde_json::json;

use super::{
    figures::pane,
    form_parts::form_button,
    script_draft::{EditedVersion, ScriptDraft},
    shown_thing::ShownFieldThing,
    texts::script_editor as say,
};
use crate::panel_pieces::ActsBeside;

const ABOUT: &str = "field-edit-about";
const WHY: &str = "field-edit-why";
/// The value of the form that is free sh.
const SH: &str = "sh";

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
