//! The ERP in the browser: what needs somebody, live, and a page for each document.

mod address;
mod around;
mod board;
mod calls;
mod document;
mod document_page;
mod figures;
mod lists;
mod offers;
mod overview;
mod overview_page;
mod own_approvals;
mod page_return;
mod status;
mod tables;
mod texts;

use kit::page_part;
use leptos::{prelude::*, wasm_split::wasm_split};
use serde_json::Value;

use self::{address::DocumentAt, document_page::DocumentPageView, overview_page::OverviewPage};
use crate::{
    api::ApiError,
    panel::{Panel, PanelKind, PanelTab},
};

/// The board of this panel: the toolset of this name has it.
const BOARD: &str = "erp";
const PATH: &str = "/erp";

pub(super) const PANEL: Panel = Panel {
    toolset: BOARD,
    tab: PanelTab {
        path: PATH,
        name: texts::ERP,
        keys: Some(("erp", "E")),
        goes: texts::GO_TO_ERP,
    },
    page: |path| match path {
        PATH => Some(PATH.to_owned()),
        // A type alone, as people shorten an address, leads to the overview.
        _ => match path.strip_prefix(PATH)?.strip_prefix('/')? {
            "" => None,
            rest if !rest.contains('/') => Some(PATH.to_owned()),
            _ => DocumentAt::of(path)?.path(),
        },
    },
    drawn_as: str::to_owned,
    view: |path| {
        let at = DocumentAt::of(path);
        page_part!(preload_erp, texts::LOADING_ERP, texts::ERP_CANNOT_BE_SHOWN)
            .draw(move || erp_page(at.clone()))
    },
    #[cfg(feature = "hydrate")]
    load: |_| Box::pin(async { preload_erp().await.is_ok() }),
    kinds: &[PanelKind {
        name: address::KIND,
        path: |id| DocumentAt::of_id(id)?.path(),
        label: |id| id.replacen('/', " ", 1),
    }],
    word: |_| None,
    tools: &texts::TOOLS,
    made,
    simulated: Some((texts::SIMULATED_COMPANY, texts::NO_SITE)),
    beside: &texts::QUESTIONS,
};

/// The page of a document that a call made or changed, unless it is the one on view.
fn made(result: &Value, here: &str) -> Option<(String, &'static str)> {
    // What only reads says of when its result is.
    if !result["as_of"].is_null() {
        return None;
    }
    let text = |field: &str| result[field].as_str();
    let id = format!("{}/{}", text("doctype")?, text("name")?);
    let path = DocumentAt::of_id(&id)?.path()?;
    (path != here).then_some((path, texts::OPEN_DOCUMENT))
}

/// Draws the overview, or the page of a document. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(erp, wasm_split_path = ::leptos::wasm_split, preload(preload_erp), fallible)]
fn erp_page(at: Option<DocumentAt>) -> Result<AnyView, ApiError> {
    Ok(match at {
        Some(at) => view! { <DocumentPageView at /> }.into_any(),
        None => view! { <OverviewPage /> }.into_any(),
    })
}

#[cfg(test)]
mod tests {
    use protocol::Reference;
    use serde_json::json;

    use super::made;
    use crate::{
        domains::PANELS,
        panel,
        reference::{label, path_of},
        route::Page,
        words::tool_name,
    };

    #[test]
    fn a_document_has_a_name_and_a_page() {
        panel::install(PANELS);
        let of = |id: &str| Reference::new("document", id);
        let invoice = of("Sales Invoice/ACC-SINV-2026-00004");
        assert_eq!(label(&invoice), "Sales Invoice ACC-SINV-2026-00004");
        let path = path_of(&invoice);
        assert_eq!(
            path.as_deref(),
            Some("/erp/Sales%20Invoice/ACC-SINV-2026-00004")
        );
        assert_eq!(Page::of("/erp"), Page::Panel("/erp".to_owned()));
        let page = "/erp/Customer/%C3%9Cnal%20%26%20S%C3%B6hne";
        assert_eq!(Page::of(page), Page::Panel(page.to_owned()));
        assert_eq!(Page::of("/erp/Sales%20Order"), Page::of("/erp"));
        assert_eq!(Page::of("/erp/"), Page::Nowhere);
        for none in ["Sales Invoice", "Customer/..", "Customer/", "/x", "a?b/c"] {
            assert_eq!(path_of(&of(none)), None, "{none}");
        }
        let result = json!({
            "summary": "Delivery Note MAT-DN-2026-00001 created",
            "doctype": "Delivery Note", "name": "MAT-DN-2026-00001",
        });
        let made = |result, here| made(&result, here).map(|(path, _)| path);
        let note = "/erp/Delivery%20Note/MAT-DN-2026-00001";
        assert_eq!(made(result.clone(), "/erp").as_deref(), Some(note));
        assert_eq!(made(result, note), None);
        for none in [
            json!({"doctype": "Item", "name": ".."}),
            json!({"doctype": "javascript:x", "name": "x"}),
            json!({"doctype": "Item"}),
            json!({"doctype": "Item", "name": "PUMP", "as_of": "2026-11-21T15:30:04Z"}),
            json!(null),
        ] {
            assert_eq!(made(none, "/erp"), None);
        }
        assert_eq!(tool_name("submit_doc"), "Submit document");
        let turned = label(&of("Item/\u{202e}x"));
        assert_eq!(turned, "Item \\u{202e}x");
    }
}
