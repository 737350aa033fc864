//! Links to the pages of things.

use leptos::prelude::*;

use crate::{domains::homelab::Thing, format::upright};

/// A thing by its name, as a link to its page.
pub(super) fn link(thing: &Thing, name: String) -> AnyView {
    view! {
        <a class="thing-link" href=thing.path()>
            {upright(name)}
        </a>
    }
    .into_any()
}

/// What a task is about: a guest by its number is a link.
pub(super) fn subject(about: &str) -> AnyView {
    match about.parse() {
        Ok(vmid) => link(&Thing::Guest(vmid), about.to_owned()),
        Err(_) => upright(about.to_owned()).into_any(),
    }
}
