//! The next version of a proposal's script while a person writes it: typed steps or free sh.

use field_wire::FieldProposalPage;
use leptos::prelude::*;
use protocol::LineChange;
use serde_json::{Value, json};

use super::{form_parts::LackingField, texts::script_editor as say};

/// A text that is being written. It outlives the page around it, which is read again after each call.
/// Copies are the same.
#[derive(Clone, Copy)]
pub(super) struct ScriptDraft {
    /// The newest version when the person began; none before.
    pub(super) base: RwSignal<Option<u64>>,
    pub(super) is_free: RwSignal<bool>,
    pub(super) text: RwSignal<String>,
    pub(super) stops: RwSignal<bool>,
    pub(super) why: RwSignal<String>,
    pub(super) expect: RwSignal<String>,
    pub(super) lacks: LackingField,
}

/// The version on view, as the editor begins with it.
#[derive(Clone)]
pub(super) struct EditedVersion {
    pub(super) newest: u64,
    is_free: bool,
    steps: String,
    sh: String,
    stops: bool,
    why: String,
    expect: String,
}

impl EditedVersion {
    pub(super) fn of(page: &FieldProposalPage) -> Self {
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
    pub(super) fn begin(self, version: &EditedVersion) {
        self.base.set(None);
        self.is_free.set(version.is_free);
        self.text.set(version.text(version.is_free).to_owned());
        self.stops.set(version.stops);
        self.why.set(version.why.clone());
        self.expect.set(version.expect.clone());
        self.lacks.clear();
    }

    /// Notes the newest version as the one that the next one is made from.
    pub(super) fn touch(self, newest: u64) {
        if self.base.get_untracked().is_none() {
            self.base.set(Some(newest));
        }
    }

    /// Chooses the form. A text that nobody has changed becomes that of the other form.
    pub(super) fn choose(self, version: &EditedVersion, is_free: bool) {
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
    pub(super) fn is_like(self, version: &EditedVersion) -> bool {
        let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
        let written = self.text.with_untracked(|text| lines(text));
        let is_free = self.is_free.get_untracked();
        is_free == version.is_free && written == lines(version.text(is_free))
    }

    /// The input of the call that saves it. None if a field is empty, which is then named.
    pub(super) fn input(self) -> Option<Value> {
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
