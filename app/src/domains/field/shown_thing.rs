//! State that the parts of a thing's page share, and what each kind of thing draws of itself.

use kit::{effect, wire::Wire};
use leptos::prelude::*;
use protocol::{ErrorBody, FromJson, Offer, PageAnswer};

use super::{
    board::FieldShelf, looks::ValueLook, part_answer::read_part, resolve::RunFinding,
    script_draft::ScriptDraft,
};
use crate::{api::ApiError, panel_pieces::ActsBeside};

/// The page's own part, as it is asked for.
pub(super) type FieldPartAsked = Resource<Result<PageAnswer, ApiError>, Wire>;

/// State that the parts of a page share. It outlives them: when the page is read again, what they own goes a
/// moment before what they drew.
#[derive(Clone)]
pub(super) struct ShownFieldThing {
    pub(super) id: String,
    pub(super) board: FieldShelf,
    pub(super) look: ValueLook,
    /// The version of a proposal to show; none for the newest.
    pub(super) version: RwSignal<Option<u64>>,
    /// The next version of a proposal, as long as it is not saved.
    pub(super) draft: ScriptDraft,
    /// The draft of a finding on a run whose outcome is unknown, until it is sent.
    pub(super) finding: RunFinding,
    /// Calls that a form of the page begins.
    pub(super) acts: ActsBeside,
    pub(super) part: FieldPartAsked,
    /// One more with each time that the page is read again.
    pub(super) again: RwSignal<u32>,
}

/// A thing as its own module draws it.
pub(super) struct DrawnThing {
    pub(super) name: String,
    /// The device that it belongs to, by identifier and name, on the way to it.
    pub(super) of: Option<(String, String)>,
    pub(super) site: String,
    pub(super) head: AnyView,
    pub(super) rest: AnyView,
    pub(super) offers: Vec<Offer>,
    /// Words by which the feed finds the calls on it; none for a thing that calls do not name.
    pub(super) calls: Option<String>,
}

impl ShownFieldThing {
    /// Reads the page again.
    pub(super) fn refetch(&self) {
        self.part.refetch();
        self.again.update(|count| *count += 1);
    }

    /// Asks for another part of the page once it is alive, and gives the answer.
    pub(super) fn remote<T: FromJson + Send + Sync + 'static>(
        &self,
        part: String,
    ) -> RwSignal<Option<Result<T, ErrorBody>>> {
        let answer = RwSignal::new(None);
        let id = self.id.clone();
        effect(move || read_part(&id, part.clone(), answer));
        answer
    }
}
