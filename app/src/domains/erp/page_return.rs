//! A person who comes back to the page of a document, from another tab or over the browser's history: a key that
//! was entered, replaced or removed in the settings meanwhile changes what the page offers.

use erp_wire::DocumentPage;
use kit::{browser, effect};
use leptos::{leptos_dom::helpers::window_event_listener_untyped, prelude::*, task::spawn_local};
use protocol::PageAnswer;

use super::{
    address::DocumentAt,
    document_page::{DocumentParts, document_now, read},
};

/// Reads the document again whenever the tab is seen again.
pub(super) fn watch_return(at: &DocumentAt, parts: DocumentParts) {
    let id = at.id();
    effect(move || {
        let id = id.clone();
        // The event bubbles from the document to the window.
        let seen = window_event_listener_untyped("visibilitychange", move |_| {
            if browser::visible() {
                look_again(id.clone(), parts, DocumentParts::refetch);
            }
        });
        on_cleanup(move || seen.remove());
    });
}

/// Reads the document again, and has it drawn anew only if it differs: a field may be filled in half.
pub(super) fn look_again(id: String, parts: DocumentParts, draw: fn(DocumentParts)) {
    spawn_local(async move {
        // Without an answer the page stays as it is; its own button says why.
        let Ok(now) = document_now(id).await else {
            return;
        };
        let has_changed = parts.document.try_with_untracked(|shown| {
            let shown = shown.as_ref().and_then(|it| it.as_ref().ok());
            shown.is_some_and(|shown| differs(shown, &now))
        });
        if has_changed == Some(true) {
            draw(parts);
        }
    });
}

/// True if two answers say something different, apart from their time.
fn differs(shown: &PageAnswer, now: &PageAnswer) -> bool {
    let page = |answer: &PageAnswer| read::<DocumentPage>(answer.clone()).ok();
    match (page(shown), page(now)) {
        (Some(shown), Some(now)) => {
            let now = DocumentPage {
                at: shown.at,
                ..now
            };
            shown != now
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use protocol::SystemStatus;
    use serde_json::{Value, json};

    use super::*;

    fn answer(at: i64, offers: Value) -> PageAnswer {
        PageAnswer {
            system: SystemStatus {
                toolset: "erp".to_owned(),
                name: "erp.example".to_owned(),
                simulated: true,
            },
            value: json!({
                "doctype": "Purchase Order", "name": "PO-1", "modified": "2026-11-21 15:30:04.000001",
                "modified_at": 5, "modified_by": "agent", "owner": "agent", "at": at, "offers": offers,
            }),
        }
    }

    #[test]
    fn a_page_is_drawn_anew_if_its_offers_are_others_and_not_for_its_time() {
        let approve = json!([{
            "tool": "apply_workflow", "label": "Approve", "on": "document", "when": "draft", "only": [],
            "with": {"name": "PO-1"},
        }]);
        let before = answer(5, json!([]));
        assert!(!differs(&before, &answer(9, json!([]))));
        assert!(differs(&before, &answer(9, approve.clone())));
        assert!(!differs(&answer(5, approve.clone()), &answer(9, approve)));
        let unreadable = PageAnswer {
            value: json!({}),
            ..before.clone()
        };
        assert!(!differs(&before, &unreadable));
    }
}
