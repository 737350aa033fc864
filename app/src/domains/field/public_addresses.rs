//! The choice of a site: whether its public addresses are hidden as well.

use kit::{live_text, live_view};
use leptos::prelude::*;
use protocol::Offer;
use serde_json::json;

use super::{board::FieldShelf, texts::people as say};
use crate::panel_pieces::ActsBeside;

/// Draws what is hidden now, and for a person who may act the button that changes it.
pub(super) fn public_addresses(board: &FieldShelf, site: &str) -> AnyView {
    let acts = ActsBeside::new();
    let (sites, site) = (board.sites.clone(), site.to_owned());
    let choice = live_view(move || {
        let Some(part) = sites.get(&site) else {
            return ().into_any();
        };
        let hides = part.get().hides_public;
        let (state, label, then) = if hides {
            (say::PUBLIC_HIDDEN, say::SHOW_PUBLIC, "shown")
        } else {
            (say::PUBLIC_SHOWN, say::HIDE_PUBLIC, "hidden")
        };
        let offer = Offer {
            tool: "set_public_addresses".to_owned(),
            label: label.to_owned(),
            on: "site".to_owned(),
            when: String::new(),
            only: Vec::new(),
            with: json!({ "site": site, "addresses": then }),
        };
        let button = (!acts.is_barred()).then(|| acts.button(&offer));
        view! {
            <div class="field-questions">
                <span class="field-facts">{state}</span>
                {button}
            </div>
        }
        .into_any()
    });
    let why = live_text(move || {
        let why = (!acts.is_barred()).then(|| acts.why_not()).flatten();
        why.unwrap_or_default()
    });
    view! {
        {choice}
        <p class="field-facts" role="status">
            {why}
        </p>
        {acts.calls()}
    }
    .into_any()
}
