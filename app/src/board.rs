//! Boards of domains in the browser: each kind of part has a shelf, and each part is a signal.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kit::{PartShelf, effect};
use leptos::prelude::*;
use protocol::BoardPart;
use serde_json::Value;

use crate::channel::{BoardNews, Channel};

/// Parts that are applied per frame. The rest waits for the next frames, so that no task of the
/// page is long: a large system brings hundreds at a time, and each redraws a row.
const AT_ONCE: usize = 16;

/// The parts of a board by their kind, which is how a part's key begins: `node/pve1`.
pub(crate) type BoardShelves<'a> = Vec<(&'static str, &'a dyn PartShelf)>;

/// A domain's board.
pub(crate) trait DomainBoard: Send + Sync {
    /// A shelf for each kind of part that it shows. Others are those of a newer server.
    fn shelves(&self) -> BoardShelves<'_>;
}

/// Puts the parts of a page's data on a board.
pub(crate) fn fill(board: &dyn DomainBoard, parts: Vec<BoardPart>) {
    put(&board.shelves(), parts);
}

/// Keeps the board of a toolset up to date for as long as the page shows it.
pub(crate) fn watch(name: &'static str, board: Arc<dyn DomainBoard>) {
    let channel = expect_context::<Channel>();
    let arrivals = Arc::new(Arrivals {
        board,
        waiting: Mutex::default(),
    });
    let watched = Arc::clone(&arrivals);
    effect(move || {
        let arrivals = Arc::clone(&watched);
        channel.watch(name, move |news| arrivals.apply(news));
    });
    on_cleanup(move || {
        channel.unwatch();
        arrivals.waiting().clear();
    });
}

fn put(shelves: &BoardShelves<'_>, parts: Vec<BoardPart>) {
    for BoardPart { key, value } in parts {
        if let Some((shelf, name)) = find(shelves, &key) {
            shelf.put(name, value);
        }
    }
}

fn find<'a, 'k>(shelves: &BoardShelves<'a>, key: &'k str) -> Option<(&'a dyn PartShelf, &'k str)> {
    let (kind, name) = key.split_once('/').unwrap_or((key, ""));
    let found = shelves.iter().find(|(known, _)| *known == kind)?;
    Some((found.1, name))
}

fn keys(shelves: &BoardShelves<'_>) -> Vec<String> {
    let key = |kind: &str, name: &str| match name {
        "" => kind.to_owned(),
        _ => format!("{kind}/{name}"),
    };
    let mut keys = Vec::new();
    for (kind, shelf) in shelves {
        let names = untrack(|| shelf.names());
        keys.extend(names.iter().map(|name| key(kind, name)));
    }
    keys
}

/// The parts on their way to a board.
struct Arrivals {
    board: Arc<dyn DomainBoard>,
    /// Parts that wait for a frame, the newest of each key.
    waiting: Mutex<BTreeMap<String, Value>>,
}

impl Arrivals {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Value>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies an update.
    fn apply(self: &Arc<Self>, news: BoardNews) {
        let shelves = self.board.shelves();
        let mut gone = news.gone;
        if news.whole {
            let is_there = |key: &String| news.put.iter().any(|part| part.key == *key);
            gone.extend(keys(&shelves).into_iter().filter(|key| !is_there(key)));
        }
        for key in &gone {
            if let Some((shelf, name)) = find(&shelves, key) {
                shelf.remove(name);
            }
        }
        let rests = {
            let mut waiting = self.waiting();
            let rests = waiting.is_empty();
            if news.whole {
                waiting.clear();
            }
            for key in &gone {
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

    /// Applies some of the waiting parts, and the rest in the next frames.
    fn take_in(self: &Arc<Self>) {
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
        put(&self.board.shelves(), parts);
        if more {
            let arrivals = Arc::clone(self);
            request_animation_frame(move || arrivals.take_in());
        }
    }
}

#[cfg(test)]
mod tests {
    use kit::BoardParts;
    use protocol::NoticeCount;
    use serde_json::json;

    use super::*;

    #[derive(Default)]
    struct Shop {
        open: BoardParts<NoticeCount>,
        shelf: BoardParts<NoticeCount>,
    }

    impl DomainBoard for Shop {
        fn shelves(&self) -> BoardShelves<'_> {
            vec![("open", &self.open), ("shelf", &self.shelf)]
        }
    }

    fn parts(keys: &[&str]) -> Vec<BoardPart> {
        let part = |key: &&str| BoardPart {
            key: (*key).to_owned(),
            value: json!({"open": 1, "grave": 0}),
        };
        keys.iter().map(part).collect()
    }

    #[test]
    fn a_whole_board_removes_what_it_does_not_have_and_names_may_have_slashes() {
        let owner = Owner::new();
        owner.with(|| {
            let shop = Arc::new(Shop::default());
            fill(&*shop, parts(&["open", "shelf/a/b", "shelf/c", "door/1"]));
            let arrivals = Arc::new(Arrivals {
                board: shop.clone(),
                waiting: Mutex::default(),
            });
            assert_eq!(keys(&shop.shelves()), ["open", "shelf/a/b", "shelf/c"]);
            arrivals.apply(BoardNews {
                whole: false,
                put: parts(&["shelf/d"]),
                gone: vec!["shelf/c".to_owned()],
            });
            assert_eq!(keys(&shop.shelves()), ["open", "shelf/a/b", "shelf/d"]);
            arrivals.apply(BoardNews {
                whole: true,
                put: parts(&["shelf/a/b", "shelf/e"]),
                gone: Vec::new(),
            });
            assert_eq!(keys(&shop.shelves()), ["shelf/a/b", "shelf/e"]);
        });
    }
}
