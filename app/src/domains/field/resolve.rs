//! The form by which a person says what was the case with a run whose outcome nobody knows.

use kit::{live, live_text, live_view, on};
use leptos::{ev, prelude::*};
use serde_json::json;

use super::{
    figures::pane,
    form_parts::{LackingField, form_button},
    texts::people as say,
};
use crate::panel_pieces::ActsBeside;

const WHY: &str = "field-resolve-why";
/// The word for an outcome that nobody can tell. It is said once: after it, a finding can follow.
pub(super) const CANNOT_TELL: &str = "cannot_tell";
/// The words of findings, with those for people.
const FINDINGS: [(&str, &str); 3] = [
    ("ran", say::RAN),
    ("did_not_run", say::DID_NOT_RUN),
    (CANNOT_TELL, say::CANNOT_TELL),
];

/// The word that is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingAsked {
    /// The first on the run.
    First,
    /// The one of whoever finds out after all.
    Later,
}

impl FindingAsked {
    fn name(self) -> &'static str {
        match self {
            Self::First => say::RESOLVE,
            Self::Later => say::ADD_FINDING,
        }
    }
}

/// State of the form. It outlives the page around it, which is read again as the run goes on. Copies are the
/// same.
#[derive(Clone, Copy)]
pub(super) struct RunFinding {
    finding: RwSignal<String>,
    reason: RwSignal<String>,
    lacks: LackingField,
}

impl RunFinding {
    pub(super) fn new() -> Self {
        Self {
            finding: RwSignal::new(String::new()),
            reason: RwSignal::new(String::new()),
            lacks: LackingField::new(),
        }
    }

    /// Empties the form of a word that is recorded.
    fn forget_recorded(self) {
        if self.finding.with_untracked(|chosen| chosen == CANNOT_TELL) {
            self.finding.set(String::new());
            self.reason.set(String::new());
            self.lacks.clear();
        }
    }
}

/// Draws the form; nothing for a person who cannot act. The call is drawn with those on the run.
pub(super) fn resolve(
    form: RunFinding,
    acts: ActsBeside,
    id: &str,
    asked: FindingAsked,
) -> AnyView {
    if asked == FindingAsked::Later {
        form.forget_recorded();
    }
    let id = id.to_owned();
    live_view(move || {
        if acts.is_barred() {
            return ().into_any();
        }
        let content = fields(form, acts, id.clone(), asked);
        pane("field-resolve", asked.name(), say::RESOLVE_NOTE, content)
    })
}

fn fields(form: RunFinding, acts: ActsBeside, id: String, asked: FindingAsked) -> AnyView {
    let chosen = on(move |event: ev::Event| form.finding.set(event_target_value(&event)));
    let typed = on(move |event: ev::Event| form.reason.set(event_target_value(&event)));
    let options = FINDINGS
        .into_iter()
        .filter(|(word, _)| asked == FindingAsked::First || *word != CANNOT_TELL);
    let options = options.map(|(word, text)| {
        let selected = live(move || form.finding.with(|chosen| chosen == word));
        view! {
            <option value=word prop:selected=selected>
                {text}
            </option>
        }
    });
    let why = live_text(move || {
        let why = acts.why_not().or_else(|| form.lacks.sentence());
        why.unwrap_or_default()
    });
    let go = move || {
        if untrack(|| acts.why_not()).is_some() {
            return;
        }
        let finding = form.finding.get_untracked();
        let reason = form.reason.get_untracked().trim().to_owned();
        let fields = [(say::FINDING, &*finding), (say::REASON, &*reason)];
        if form.lacks.are_filled(fields) {
            let input = json!({ "run": id, "finding": finding, "reason": reason });
            acts.begin("resolve_run", input);
        }
    };
    view! {
        <div class="panel-acts__offer">
            <label class="panel-acts__field">
                {say::FINDING} <select on:change=chosen>
                    <option value=""></option>
                    {options.collect::<Vec<_>>()}
                </select>
            </label>
            <label class="panel-acts__field">
                {say::REASON}
                <input
                    type="text"
                    maxlength="200"
                    autocomplete="off"
                    on:input=typed
                    prop:value=live(move || form.reason.get())
                />
            </label>
            {form_button(acts, WHY, asked.name(), go)}
        </div>
        <p class="field-facts" id=WHY role="status">
            {why}
        </p>
    }
    .into_any()
}
