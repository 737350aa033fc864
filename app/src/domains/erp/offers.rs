//! Buttons of a document: calls of the person's own, on which the gate decides as on every other.

use std::sync::Arc;

use erp_wire::DocumentPage;
use leptos::prelude::*;
use protocol::{Offer, OwnCall};
use serde_json::Value;

use super::{address::DocumentAt, document_page::DocumentParts, page_return::look_again};
use crate::panel_pieces::PageActs;

/// Draws what can be done with a document, and the calls of the person on it.
pub(super) fn offers(at: &DocumentAt, page: &DocumentPage, parts: DocumentParts) -> AnyView {
    let (at, id) = (at.clone(), at.id());
    let acts = PageActs {
        offers: &page.offers,
        is_about: Arc::new(move |own| is_about(own, &at)),
        danger: takes_back,
        // A call that was refused or denied changed nothing: what was typed for it stays.
        refetch: Callback::new(move |()| {
            parts.refetch_around();
            look_again(id.clone(), parts, |parts| parts.document.refetch());
        }),
    };
    acts.draw()
}

/// True for a cancel, also by the workflow: of its steps, only one that cancels asks for a comment.
fn takes_back(offer: &Offer) -> bool {
    offer.tool == "cancel_doc" || offer.with.get("comment").is_some()
}

fn is_about(own: &OwnCall, at: &DocumentAt) -> bool {
    let text = |field: &str| own.input.get(field).and_then(Value::as_str);
    let of = |doctype: &str, name: &str| {
        text(doctype) == Some(&at.doctype) && text(name) == Some(&at.name)
    };
    of("doctype", "name") || of("source_doctype", "source_name")
}
