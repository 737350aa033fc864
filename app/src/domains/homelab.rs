//! The homelab in the browser: the cluster at a glance (HUD), live, and a page for each of its
//! things.

mod act;
mod address;
mod arrange;
mod backups;
mod board;
mod decisions;
mod figure;
mod guests;
mod head;
mod health;
mod hud_page;
mod link;
mod nodes;
mod notices;
mod pieces;
mod sparkline;
mod storages;
mod tally;
mod tasks;
mod texts;
mod thing;
mod thing_page;
mod view;
mod wall;

use kit::page_part;
use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::Reference;

use self::{
    address::{ClusterObject, is_upid},
    hud_page::HudPage,
    thing::{Loaded, thing_view, title as thing_title},
    thing_page::ThingPage,
};
use crate::{
    api::ApiError,
    panel::{Panel, PanelKind, PanelTab},
    reference::is_plain,
};

/// The board of this panel: the toolset of this name has it.
const BOARD: &str = "homelab";
const HUD: &str = "/hud";

pub(super) const PANEL: Panel = Panel {
    toolset: BOARD,
    tab: PanelTab {
        path: HUD,
        name: texts::HUD,
        keys: Some(("hud", "H")),
        goes: texts::GO_TO_HUD,
    },
    page,
    drawn_as: str::to_owned,
    view: page_view,
    #[cfg(feature = "hydrate")]
    load: |path| {
        let is_hud = path == HUD;
        Box::pin(async move {
            if is_hud {
                preload_hud().await.is_ok()
            } else {
                preload_thing().await.is_ok()
            }
        })
    },
    kinds: &[
        PanelKind {
            name: "node",
            path: |id| is_plain(id, 1).then(|| format!("/node/{id}")),
            label: texts::node,
        },
        PanelKind {
            name: "guest",
            path: |id| is_plain(id, 1).then(|| format!("/guest/{id}")),
            label: texts::guest,
        },
        PanelKind {
            name: "storage",
            path: |id| is_plain(id, 2).then(|| format!("/storage/{id}")),
            label: |id| match id.split_once('/') {
                Some((node, name)) => texts::storage_on(name, node),
                None => texts::storage(id),
            },
        },
        PanelKind {
            name: "task",
            path: |id| is_plain(id, 1).then(|| format!("/task/{id}")),
            label: task_label,
        },
    ],
    word: |word| is_upid(word).then(|| Reference::new("task", word)),
    tools: &[
        ("get_vms", texts::VIRTUAL_MACHINES),
        ("get_recent_tasks", texts::RECENT_TASKS),
        ("execute_ssh", texts::SSH_COMMAND),
        ("start_vm", texts::START_VM),
        ("stop_vm", texts::STOP_VM),
        ("restart_vm", texts::RESTART_VM),
    ],
    made: |_, _| None,
    simulated: Some((texts::SIMULATED_CLUSTER, texts::NO_PROXMOX)),
    beside: &[],
};

fn page(path: &str) -> Option<String> {
    match path {
        HUD => Some(HUD.to_owned()),
        _ => ClusterObject::of(path).map(|thing| thing.path()),
    }
}

fn page_view(path: &str) -> AnyView {
    match ClusterObject::of(path) {
        Some(thing) => page_part!(
            preload_thing,
            texts::LOADING_SYSTEMS,
            texts::SYSTEMS_CANNOT_BE_SHOWN
        )
        .draw(move || thing_page(thing.clone())),
        None => page_part!(
            preload_hud,
            texts::LOADING_SYSTEMS,
            texts::SYSTEMS_CANNOT_BE_SHOWN
        )
        .draw(hud_page),
    }
}

/// Draws the HUD. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(hud, wasm_split_path = ::leptos::wasm_split, preload(preload_hud), fallible)]
fn hud_page() -> Result<AnyView, ApiError> {
    Ok(view! { <HudPage /> }.into_any())
}

/// Draws the page of a thing. Its code is another part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(thing, wasm_split_path = ::leptos::wasm_split, preload(preload_thing), fallible)]
fn thing_page(thing: ClusterObject) -> Result<AnyView, ApiError> {
    Ok(view! { <ThingPage thing /> }.into_any())
}

fn task_label(id: &str) -> String {
    let part = |n| id.split(':').nth(n).unwrap_or_default();
    if is_upid(id) {
        texts::task_on(part(5), part(6), part(1))
    } else {
        texts::some_task(id)
    }
}
