//! Links to the pages of things.

use kit::format::upright;
use leptos::prelude::*;

use crate::domains::homelab::ClusterObject;

/// Draws the name of a thing as a link to its page.
pub(super) fn link(thing: &ClusterObject, name: String) -> AnyView {
    view! {
        <a class="thing-link" href=thing.path()>
            {upright(name)}
        </a>
    }
    .into_any()
}

/// Draws the subject of a task: the number of a guest is a link.
pub(super) fn subject(about: &str) -> AnyView {
    match about.parse() {
        Ok(vmid) => link(&ClusterObject::Guest(vmid), about.to_owned()),
        Err(_) => upright(about.to_owned()).into_any(),
    }
}
