//! The HUD: the cluster at a glance, live.

mod act;
mod arrange;
mod ask;
mod backups;
mod board;
mod figure;
mod guests;
mod link;
mod nodes;
mod notices;
mod sparkline;
mod storages;
mod tasks;
mod thing;
mod view;

pub(crate) use board::Parts;
pub(crate) use thing::{Loaded, thing_view, title as thing_title};
pub(crate) use view::hud_view;
#[cfg(feature = "hydrate")]
pub(crate) use {thing::preload_thing, view::preload_hud};

/// The board that is shown: that of the toolset of this name.
pub(crate) const BOARD: &str = "homelab";
