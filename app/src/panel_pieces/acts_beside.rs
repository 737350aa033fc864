//! Own calls that begin outside the page of their thing: in a list, or by a form of its own.

use std::sync::Arc;

use kit::{Key, each};
use leptos::prelude::*;
use protocol::{ConversationId, Offer, OwnCall, Timestamp};
use serde_json::Value;

use super::acts::{ActsState, WHY, button};
use crate::texts::panel_pieces as texts;

/// Identifier of the line that says why no button of [`ActsBeside::button`] can be pressed.
pub(crate) const WHY_NOT: &str = WHY;

/// Own calls of one form or list. Copies are the same.
#[derive(Clone, Copy)]
pub(crate) struct ActsBeside(ActsState);

impl ActsBeside {
    pub(crate) fn new() -> Self {
        Self(ActsState::new(Arc::new(|_| false), |_| false))
    }

    /// Returns whether this person cannot act at all: then a page has no buttons.
    pub(crate) fn is_barred(self) -> bool {
        self.0.own.channel.bars().is_some()
    }

    /// Returns the reason why no call can begin now, if there is one.
    pub(crate) fn why_not(self) -> Option<String> {
        let own = self.0.own;
        let is_running = || own.begun_here().iter().any(|(_, running, _)| *running);
        let why = own.why_not(&|_| false, None);
        why.or_else(|| is_running().then(|| texts::LAST_ACTION_UNFINISHED.to_owned()))
    }

    /// Begins a call, and returns its journal.
    pub(crate) fn begin(self, tool: &str, input: Value) -> ConversationId {
        let tool = tool.to_owned();
        self.0.own.begin(OwnCall { tool, input })
    }

    /// Returns the calls that were begun here and do not run, each with the time of its newest event.
    pub(crate) fn at_rest(self) -> Vec<(ConversationId, Timestamp)> {
        let lines = self.0.own.begun_here().into_iter();
        let at_rest = lines.filter(|(_, running, _)| !running);
        at_rest.map(|(id, _, updated)| (id, updated)).collect()
    }

    /// Draws the button of an offer.
    pub(crate) fn button(self, offer: &Offer) -> AnyView {
        button(self.0, offer)
    }

    /// Draws the calls that were begun here, newest first.
    pub(crate) fn calls(self) -> AnyView {
        let own = self.0.own;
        let calls = each(
            move || own.begun_here().into_iter().map(|(id, ..)| id).collect(),
            |id| Key::of(id.to_string()),
            move |id| own.card(id),
        );
        view! {
            <div class="panel-acts__calls" aria-label=texts::OWN_CALLS role="group">
                {calls}
            </div>
        }
        .into_any()
    }
}
