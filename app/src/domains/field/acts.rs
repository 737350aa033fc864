//! Buttons of a page: calls of the person's own, on which the gate decides as on every other.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::{Offer, OwnCall};

use super::shown_thing::ShownFieldThing;
use crate::panel_pieces::PageActs;

/// Draws what can be done with a thing, and the calls of the person on it.
pub(super) fn acts(thing: &ShownFieldThing, offers: &[Offer]) -> AnyView {
    let id = thing.id.clone();
    let thing = thing.clone();
    let acts = PageActs {
        offers,
        is_about: Arc::new(move |own| is_about(own, &id)),
        danger: |offer| offer.tool == "cancel_run",
        refetch: Callback::new(move |()| thing.refetch()),
    };
    acts.draw()
}

fn is_about(own: &OwnCall, id: &str) -> bool {
    let texts = ["run", "proposal", "of", "device"].into_iter();
    let mut texts = texts.filter_map(|name| own.input.get(name)?.as_str());
    // The first one says what it acts on.
    texts.next() == Some(id)
}
