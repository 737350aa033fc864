//! Devices that wait to be adopted, with the fingerprints that people compare.

use field_wire::FieldDevicePart;
use kit::{Key, each, format::upright, live_text, live_view};
use leptos::prelude::*;
use protocol::Offer;
use serde_json::json;

use super::{
    board::FieldShelf,
    figures::{link, pane},
    texts::people as say,
};
use crate::panel_pieces::{ActsBeside, WHY_NOT, ago};

/// Draws the devices that wait, and the cards of their adoptions; nothing as long as there are none.
pub(super) fn pending(board: &FieldShelf) -> AnyView {
    let acts = ActsBeside::new();
    let waiting = {
        let devices = board.devices.clone();
        Memo::new(move |_| {
            let mut waiting = Vec::new();
            devices.visit(|_, device| {
                if device.pending.is_some() {
                    waiting.push(device.clone());
                }
            });
            waiting.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
            waiting
        })
    };
    let is_empty = Memo::new(move |_| waiting.read().is_empty());
    let list = {
        let board = board.clone();
        live_view(move || {
            if is_empty.get() {
                return ().into_any();
            }
            let board = board.clone();
            let rows = each(
                move || waiting.get(),
                |device| Key::of(device.id.clone()),
                move |device| row(acts, &board, &device),
            );
            let content = view! { <ul class="field-list">{rows}</ul> };
            pane(
                "field-pending",
                say::PENDING,
                say::PENDING_NOTE,
                content.into_any(),
            )
        })
    };
    let why = live_text(move || {
        let has_buttons = !is_empty.get() && !acts.is_barred();
        let why = has_buttons.then(|| acts.why_not()).flatten();
        why.unwrap_or_default()
    });
    view! {
        <div class="field-pending">
            {list}
            <p class="field-facts" id=WHY_NOT role="status">
                {why}
            </p>
            {acts.calls()}
        </div>
    }
    .into_any()
}

fn row(acts: ActsBeside, board: &FieldShelf, device: &FieldDevicePart) -> AnyView {
    let Some(key) = &device.pending else {
        return ().into_any();
    };
    let adopt = Offer {
        tool: "adopt_device".to_owned(),
        label: say::ADOPT.to_owned(),
        on: "device".to_owned(),
        when: String::new(),
        only: Vec::new(),
        with: json!({ "device": device.id, "fingerprint": key.fingerprint }),
    };
    let site = {
        let (sites, id) = (board.sites.clone(), device.site.clone());
        live_text(move || {
            let name = sites.get(&id).map(|part| part.get().name);
            upright(name.unwrap_or_else(|| id.clone()))
        })
    };
    let button = live_view(move || {
        if acts.is_barred() {
            return ().into_any();
        }
        acts.button(&adopt)
    });
    view! {
        <li class="field-row">
            <span class="field-row__name">{link(&device.id, &device.name)}</span>
            <span class="field-facts">
                <span>{site}</span>
                {ago(device.last_seen)}
            </span>
            <code class="field-key">{key.shown.clone()}</code>
            {button}
        </li>
    }
    .into_any()
}
