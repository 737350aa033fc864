//! The ERP's board in the browser: a signal for each part.

use erp_wire::{DocumentsPart, ErpHealthPart, ShortagesPart};
use kit::{BoardParts, effect};
use leptos::prelude::*;
use protocol::{BoardPage, BoardPart, Notice, SystemStatus};

use super::BOARD;
use crate::channel::{BoardNews, Channel};

/// A handle on the board. Clones refer to the same board.
#[derive(Clone)]
pub(super) struct ErpParts {
    pub(super) system: SystemStatus,
    /// Lists of documents by their keys, such as `drafts/Sales Order`.
    pub(super) lists: BoardParts<DocumentsPart>,
    pub(super) shortages: BoardParts<ShortagesPart>,
    pub(super) health: BoardParts<ErpHealthPart>,
    pub(super) notices: BoardParts<Notice>,
}

impl ErpParts {
    /// Creates a board from a page's data; live from then on.
    pub(super) fn live(page: BoardPage) -> Self {
        let channel = expect_context::<Channel>();
        let board = Self {
            system: page.system,
            lists: BoardParts::default(),
            shortages: BoardParts::default(),
            health: BoardParts::default(),
            notices: BoardParts::default(),
        };
        board.put(page.parts);
        let watched = board.clone();
        effect(move || {
            let board = watched.clone();
            channel.watch(BOARD, move |news| board.apply(news));
        });
        on_cleanup(move || channel.unwatch());
        board
    }

    /// Applies an update.
    fn apply(&self, news: BoardNews) {
        let mut gone = news.gone;
        if news.whole {
            let is_there = |key: &String| news.put.iter().any(|part| part.key == *key);
            gone.extend(self.keys().into_iter().filter(|key| !is_there(key)));
        }
        for key in gone {
            match key.split_once('/') {
                Some(("notice", name)) => self.notices.remove(name),
                _ => self.lists.remove(&key),
            }
        }
        self.put(news.put);
    }

    fn put(&self, parts: Vec<BoardPart>) {
        for BoardPart { key, value } in parts {
            match key.split_once('/').unwrap_or((&key, "")) {
                ("health", _) => self.health.put("", value),
                ("shortages", _) => self.shortages.put("", value),
                ("notice", name) => self.notices.put(name, value),
                ("approvals" | "receivables" | "payables" | "deliveries" | "drafts", _) => {
                    self.lists.put(&key, value);
                }
                // Parts of a newer server are ignored.
                _ => {}
            }
        }
    }

    fn keys(&self) -> Vec<String> {
        let notices = untrack(|| self.notices.names());
        let mut keys = untrack(|| self.lists.names());
        keys.extend(notices.iter().map(|name| format!("notice/{name}")));
        keys
    }

    pub(super) fn health(&self) -> Option<ErpHealthPart> {
        self.health.get("").map(|part| part.get())
    }
}
