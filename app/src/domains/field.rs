//! Field devices in the browser: sites with their devices, live, and a page for each device, bundle,
//! proposal and run, and one for the keys.

mod acts;
mod add_device;
mod address;
mod analyse;
mod board;
mod bundle;
mod calls;
mod device;
mod figures;
mod form_parts;
mod keys;
mod looks;
mod overview;
mod part_answer;
mod pending;
mod proposal;
mod public_addresses;
mod resolve;
mod run;
mod run_log;
mod script;
mod script_draft;
mod script_editor;
mod shown_thing;
mod texts;
mod thing_page;

use kit::page_part;
use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::Reference;
use serde_json::Value;

use self::{
    address::{BOARD, KEYS, PATH, id_at, kind, label, page, path_of},
    keys::KeysPage,
    overview::OverviewPage,
    thing_page::FieldThingPage,
};
use crate::{
    api::ApiError,
    panel::{Panel, PanelKind, PanelTab},
};

pub(super) const PANEL: Panel = Panel {
    toolset: BOARD,
    tab: PanelTab {
        path: PATH,
        name: texts::FIELD,
        keys: Some(("field", "D")),
        goes: texts::GO_TO_FIELD,
    },
    page,
    drawn_as: str::to_owned,
    view: |path| match id_at(path).map(str::to_owned) {
        Some(id) => page_part!(
            preload_field_thing,
            texts::LOADING,
            texts::FIELD_CANNOT_BE_SHOWN
        )
        .draw(move || field_thing_page(id.clone())),
        None => {
            let path = path.to_owned();
            page_part!(preload_field, texts::LOADING, texts::FIELD_CANNOT_BE_SHOWN)
                .draw(move || field_page(path.clone()))
        }
    },
    #[cfg(feature = "hydrate")]
    load: |path| {
        let is_thing = id_at(path).is_some();
        Box::pin(async move {
            if is_thing {
                preload_field_thing().await.is_ok()
            } else {
                preload_field().await.is_ok()
            }
        })
    },
    kinds: &[of("device"), of("bundle"), of("proposal"), of("run")],
    word: |word| Some(Reference::new(kind(word)?, word)),
    tools: &[],
    made,
    simulated: Some((texts::SIMULATED_DEVICES, texts::NO_DEVICE)),
    // A conversation about field devices begins at one of them: the overview's own questions name it.
    beside: &[],
};

const fn of(name: &'static str) -> PanelKind {
    PanelKind {
        name,
        path: path_of,
        label,
    }
}

/// The page of the proposal or the run that a call made or reads, unless it is the one on view.
fn made(result: &Value, here: &str) -> Option<(String, &'static str)> {
    let path = page(result["page"].as_str()?)?;
    (path != here).then_some((path, texts::OPEN))
}

/// Draws the overview or the page of the keys. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(field, wasm_split_path = ::leptos::wasm_split, preload(preload_field), fallible)]
fn field_page(path: String) -> Result<AnyView, ApiError> {
    Ok(if path == KEYS {
        view! { <KeysPage /> }.into_any()
    } else {
        view! { <OverviewPage /> }.into_any()
    })
}

/// Draws the page of a thing. Its code is another part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(field_thing, wasm_split_path = ::leptos::wasm_split, preload(preload_field_thing), fallible)]
fn field_thing_page(id: String) -> Result<AnyView, ApiError> {
    Ok(view! { <FieldThingPage id /> }.into_any())
}

#[cfg(test)]
mod tests {
    use protocol::Reference;
    use serde_json::json;

    use super::{address::label, made};
    use crate::{domains::PANELS, panel, reference::path_of, route::Page};

    #[test]
    fn things_have_pages_and_nothing_else_has() {
        panel::install(PANELS);
        let id = |start: &str| format!("{start}0123456789abcdefghijklmnop");
        for (kind, start) in [
            ("device", "dev_"),
            ("bundle", "bun_"),
            ("proposal", "pro_"),
            ("run", "run_"),
        ] {
            let path = path_of(&Reference::new(kind, id(start))).unwrap();
            assert_eq!(path, format!("/field/{kind}/{}", id(start)));
            assert_eq!(Page::of(&path), Page::Panel(path.clone()));
        }
        assert_eq!(Page::of("/field"), Page::Panel("/field".to_owned()));
        let keys = "/field/keys".to_owned();
        assert_eq!(Page::of(&keys), Page::Panel(keys));
        assert_eq!(label(&id("run_")), "run …mnop");
        for none in [
            "/field/".to_owned(),
            "/field/run".to_owned(),
            format!("/field/run/{}", id("dev_")),
            format!("/field/x/{}", id("run_")),
            format!("/field/run/{}x", id("run_")),
            format!("/field/run/{}", id("run_").to_uppercase()),
            format!("/fields/run/{}", id("run_")),
        ] {
            assert_eq!(Page::of(&none), Page::Nowhere, "{none}");
        }
        assert_eq!(
            panel::named(&id("run_")),
            Some(Reference::new("run", id("run_")))
        );
        assert_eq!(panel::named("run_away"), None);
        let page = format!("/field/run/{}", id("run_"));
        let made = |page: &str, here: &str| made(&json!({ "page": page }), here).is_some();
        assert!(made(&page, "/field"));
        for (shown, here) in [(&*page, &*page), ("/hud", "/"), ("javascript:x", "/")] {
            assert!(!made(shown, here), "{shown}");
        }
    }
}
