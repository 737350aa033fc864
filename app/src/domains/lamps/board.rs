//! The lamps' board in the browser: a signal for each part.

use kit::{BoardParts, effect};
use lamps_wire::{HousePart, LampPart};
use leptos::prelude::*;
use protocol::{BoardPage, BoardPart, Notice};

use super::BOARD;
use crate::channel::{BoardNews, Channel};

/// A handle on the board. Clones refer to the same board.
#[derive(Clone)]
pub(super) struct Board {
    pub(super) house: BoardParts<HousePart>,
    pub(super) lamps: BoardParts<LampPart>,
    pub(super) notices: BoardParts<Notice>,
}

impl Board {
    /// Creates a board from a page's data; live from then on.
    pub(super) fn live(page: BoardPage) -> Self {
        let channel = expect_context::<Channel>();
        let board = Self {
            house: BoardParts::default(),
            lamps: BoardParts::default(),
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
                Some(("lamp", name)) => self.lamps.remove(name),
                Some(("notice", name)) => self.notices.remove(name),
                _ => {}
            }
        }
        self.put(news.put);
    }

    fn put(&self, parts: Vec<BoardPart>) {
        for BoardPart { key, value } in parts {
            match key.split_once('/').unwrap_or((&key, "")) {
                ("house", name) => self.house.put(name, value),
                ("lamp", name) => self.lamps.put(name, value),
                ("notice", name) => self.notices.put(name, value),
                // Parts of a newer server are ignored.
                _ => {}
            }
        }
    }

    fn keys(&self) -> Vec<String> {
        let kinds = [
            ("lamp", untrack(|| self.lamps.names())),
            ("notice", untrack(|| self.notices.names())),
        ];
        let keys = kinds
            .into_iter()
            .flat_map(|(kind, names)| names.into_iter().map(move |name| format!("{kind}/{name}")));
        keys.collect()
    }
}
