//! The cluster's board in the browser: a signal for each part.

use std::sync::Arc;
#[cfg(not(feature = "ssr"))]
use std::sync::{Mutex, PoisonError};

use homelab_wire::{
    BackupsPart, ClusterPart, GuestPart, HistoryPart, NodePart, OffersPart, ReadingPart,
    StoragePart, TaskPart, TrendPart,
};
use kit::BoardParts;
use leptos::prelude::*;
use protocol::{BoardPage, Notice, SystemStatus};

use super::BOARD;
use crate::board::{self, BoardShelves, DomainBoard};

/// A handle on the board. Clones refer to the same board.
#[derive(Clone)]
pub(super) struct HudBoard(Arc<SharedBoard>);

struct SharedBoard {
    system: SystemStatus,
    cluster: BoardParts<ClusterPart>,
    offers: BoardParts<OffersPart>,
    readings: BoardParts<ReadingPart>,
    nodes: BoardParts<NodePart>,
    histories: BoardParts<HistoryPart>,
    guests: BoardParts<GuestPart>,
    storages: BoardParts<StoragePart>,
    trends: BoardParts<TrendPart>,
    backups: BoardParts<BackupsPart>,
    tasks: BoardParts<TaskPart>,
    notices: BoardParts<Notice>,
}

impl HudBoard {
    pub(super) fn new(page: BoardPage) -> Self {
        let board = Self(Arc::new(SharedBoard {
            system: page.system,
            cluster: BoardParts::default(),
            offers: BoardParts::default(),
            readings: BoardParts::default(),
            nodes: BoardParts::default(),
            histories: BoardParts::default(),
            guests: BoardParts::default(),
            storages: BoardParts::default(),
            trends: BoardParts::default(),
            backups: BoardParts::default(),
            tasks: BoardParts::default(),
            notices: BoardParts::default(),
        }));
        board::fill(&board, page.parts);
        board
    }

    pub(super) fn system(&self) -> &SystemStatus {
        &self.0.system
    }

    pub(super) fn cluster(&self) -> Option<ClusterPart> {
        self.0.cluster.get("").map(|part| part.get())
    }

    /// Returns the actions available for the things on it.
    pub(super) fn offers(&self) -> Option<OffersPart> {
        self.0.offers.get("").map(|part| part.get())
    }

    pub(super) fn reading(&self, name: &str) -> Option<ReadingPart> {
        self.0.readings.get(name).map(|part| part.get())
    }

    pub(super) fn nodes(&self) -> BoardParts<NodePart> {
        self.0.nodes.clone()
    }

    pub(super) fn history(&self, node: &str) -> Option<HistoryPart> {
        self.0.histories.get(node).map(|part| part.get())
    }

    pub(super) fn guests(&self) -> BoardParts<GuestPart> {
        self.0.guests.clone()
    }

    pub(super) fn storages(&self) -> BoardParts<StoragePart> {
        self.0.storages.clone()
    }

    /// Returns the history of a storage, by the name of its part.
    pub(super) fn trend(&self, storage: &str) -> Option<TrendPart> {
        self.0.trends.get(storage).map(|part| part.get())
    }

    pub(super) fn backups(&self) -> Option<BackupsPart> {
        self.0.backups.get("").map(|part| part.get())
    }

    pub(super) fn tasks(&self) -> BoardParts<TaskPart> {
        self.0.tasks.clone()
    }

    pub(super) fn notices(&self) -> BoardParts<Notice> {
        self.0.notices.clone()
    }
}

impl DomainBoard for HudBoard {
    fn shelves(&self) -> BoardShelves<'_> {
        let shared = &self.0;
        vec![
            ("cluster", &shared.cluster),
            ("offers", &shared.offers),
            ("reading", &shared.readings),
            ("node", &shared.nodes),
            ("history", &shared.histories),
            ("guest", &shared.guests),
            ("storage", &shared.storages),
            ("trend", &shared.trends),
            ("backups", &shared.backups),
            ("task", &shared.tasks),
            ("notice", &shared.notices),
        ]
    }
}

/// The board that this tab showed last: its figures outlive its page, for while the server is away.
#[cfg(not(feature = "ssr"))]
static LAST: Mutex<Option<HudBoard>> = Mutex::new(None);

/// Creates a board from a page's data; live from then on.
pub(super) fn live_board(page: BoardPage) -> HudBoard {
    let board = HudBoard::new(page);
    watch(&board);
    board
}

/// Keeps the board of the HUD for the time when the server is away; a thing's page has a part of it
/// alone.
pub(super) fn keep_board(board: &HudBoard) {
    #[cfg(feature = "ssr")]
    let _ = board;
    #[cfg(not(feature = "ssr"))]
    LAST.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .replace(board.clone());
}

/// Returns the board that this tab showed last, live again; none on the server, which has no tab.
pub(super) fn last_board() -> Option<HudBoard> {
    #[cfg(feature = "ssr")]
    let last: Option<HudBoard> = None;
    #[cfg(not(feature = "ssr"))]
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    last.inspect(watch)
}

fn watch(board: &HudBoard) {
    board::watch(BOARD, Arc::new(board.clone()));
}
