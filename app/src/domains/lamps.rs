//! The sample domain in the browser: one page with the lamps of a house.

mod board;
mod page;
mod texts;
mod view;

use leptos::prelude::*;

use self::{page::LampsPage, view::lamps_view};
use crate::{
    panel::{Panel, PanelKind, PanelTab},
    reference::is_plain,
};

/// The board of this panel: the toolset of this name has it.
const BOARD: &str = "lamps";
const PATH: &str = "/lamps";

pub(super) const PANEL: Panel = Panel {
    toolset: BOARD,
    tab: PanelTab {
        path: PATH,
        name: texts::LAMPS,
        keys: Some(("lamps", "L")),
        goes: texts::GO_TO_LAMPS,
    },
    page: |path| (path == PATH).then(|| path.to_owned()),
    drawn_as: str::to_owned,
    view: |_| view! { <LampsPage /> }.into_any(),
    #[cfg(feature = "hydrate")]
    load: |_| Box::pin(async { view::preload_lamps().await.is_ok() }),
    kinds: &[PanelKind {
        name: "lamp",
        path: |id| is_plain(id, 1).then(|| PATH.to_owned()),
        label: texts::lamp,
    }],
    word: |_| None,
    tools: &[],
    made: |_, _| None,
    simulated: Some((texts::SIMULATED_HOUSE, texts::LAMPS_ARE_SIMULATED)),
    beside: &[],
};

#[cfg(test)]
mod tests {
    use protocol::Reference;

    use crate::{
        domains::PANELS,
        panel,
        reference::{label, path_of},
        route::Page,
    };

    #[test]
    fn a_lamp_has_a_name_and_leads_to_the_page() {
        panel::install(PANELS);
        let hall = Reference::new("lamp", "hall");
        assert_eq!(label(&hall), "Lamp hall");
        assert_eq!(path_of(&hall).as_deref(), Some("/lamps"));
        assert_eq!(path_of(&Reference::new("lamp", "a/b")), None);
        assert_eq!(Page::of("/lamps"), Page::Panel("/lamps".to_owned()));
        assert_eq!(Page::of("/lamps/hall"), Page::Nowhere);
    }
}
