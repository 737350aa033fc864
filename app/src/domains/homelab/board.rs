//! The cluster's board in the browser: a signal for each part.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use homelab_wire::{
    BackupsPart, ClusterPart, GuestPart, HistoryPart, NodePart, OffersPart, ReadingPart,
    StoragePart, TaskPart, TrendPart,
};
use kit::{BoardParts, effect};
use leptos::prelude::*;
use protocol::{BoardPage, BoardPart, Notice, SystemStatus};
use serde_json::Value;

use super::BOARD;
use crate::channel::{BoardNews, Channel};

/// Parts that are applied per frame. The rest waits for the next frames, so that no task of the
/// page is long: a large cluster brings hundreds at a time, and each redraws a row.
const AT_ONCE: usize = 16;

/// A handle on the board. Clones refer to the same board.
#[derive(Clone)]
pub(super) struct HudBoard(Arc<SharedBoard>);

struct SharedBoard {
    /// Parts that wait for a frame, the newest of each key.
    waiting: Mutex<BTreeMap<String, Value>>,
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
            waiting: Mutex::default(),
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
        board.put(page.parts);
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

    /// Applies an update.
    pub(super) fn apply(&self, news: BoardNews) {
        if news.whole {
            for key in self.keys() {
                if !news.put.iter().any(|part| part.key == key) {
                    self.remove(&key);
                }
            }
        }
        for key in &news.gone {
            self.remove(key);
        }
        let rests = {
            let mut waiting = self.waiting();
            let rests = waiting.is_empty();
            if news.whole {
                waiting.clear();
            }
            for key in &news.gone {
                waiting.remove(key);
            }
            waiting.extend(news.put.into_iter().map(|part| (part.key, part.value)));
            rests
        };
        // Otherwise a frame that is already requested applies them.
        if rests {
            self.take_in();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Value>> {
        let waiting = self.0.waiting.lock();
        waiting.unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies some of the waiting parts, and the rest in the next frames.
    fn take_in(&self) {
        let mut parts = Vec::new();
        let more = {
            let mut waiting = self.waiting();
            while parts.len() < AT_ONCE
                && let Some((key, value)) = waiting.pop_first()
            {
                parts.push(BoardPart { key, value });
            }
            !waiting.is_empty()
        };
        self.put(parts);
        if more {
            let board = self.clone();
            request_animation_frame(move || board.take_in());
        }
    }

    fn put(&self, parts: Vec<BoardPart>) {
        let shared = &self.0;
        for BoardPart { key, value } in parts {
            let (kind, name) = key.split_once('/').unwrap_or((&key, ""));
            match kind {
                "cluster" => shared.cluster.put(name, value),
                "offers" => shared.offers.put(name, value),
                "reading" => shared.readings.put(name, value),
                "node" => shared.nodes.put(name, value),
                "history" => shared.histories.put(name, value),
                "guest" => shared.guests.put(name, value),
                "storage" => shared.storages.put(name, value),
                "trend" => shared.trends.put(name, value),
                "backups" => shared.backups.put(name, value),
                "task" => shared.tasks.put(name, value),
                "notice" => shared.notices.put(name, value),
                // Parts of a newer server are ignored.
                _ => {}
            }
        }
    }

    fn remove(&self, key: &str) {
        let shared = &self.0;
        let (kind, name) = key.split_once('/').unwrap_or((key, ""));
        match kind {
            "cluster" => shared.cluster.remove(name),
            "offers" => shared.offers.remove(name),
            "reading" => shared.readings.remove(name),
            "node" => shared.nodes.remove(name),
            "history" => shared.histories.remove(name),
            "guest" => shared.guests.remove(name),
            "storage" => shared.storages.remove(name),
            "trend" => shared.trends.remove(name),
            "backups" => shared.backups.remove(name),
            "task" => shared.tasks.remove(name),
            "notice" => shared.notices.remove(name),
            _ => {}
        }
    }

    fn keys(&self) -> Vec<String> {
        let shared = &self.0;
        let kinds = [
            ("node", untrack(|| shared.nodes.names())),
            ("history", untrack(|| shared.histories.names())),
            ("guest", untrack(|| shared.guests.names())),
            ("storage", untrack(|| shared.storages.names())),
            ("trend", untrack(|| shared.trends.names())),
            ("task", untrack(|| shared.tasks.names())),
            ("notice", untrack(|| shared.notices.names())),
        ];
        let keys = kinds
            .into_iter()
            .flat_map(|(kind, names)| names.into_iter().map(move |name| format!("{kind}/{name}")));
        keys.collect()
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
    let channel = expect_context::<Channel>();
    let watched = board.clone();
    effect(move || {
        let board = watched.clone();
        channel.watch(BOARD, move |news| board.apply(news));
    });
    on_cleanup(move || channel.unwatch());
}
