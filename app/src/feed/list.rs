//! The loaded part of the feed: a window, newest first, that grows at one end and shrinks at the
//! other.

use std::collections::HashSet;

use leptos::prelude::*;
use protocol::{ErrorBody, FeedEntry, FeedFilter, FeedId, FeedPage, FeedPlace};

use super::scroll::FeedScroll;
use crate::{api, channel::FeedNews};

/// The most entries on view.
const MOST: usize = 300;
/// The most new entries that wait for a reader who is elsewhere; beyond that, this number is shown.
const MOST_WAITING: usize = 200;

/// An entry with a signal of its changes.
#[derive(Clone)]
pub(super) struct FeedLine {
    pub(super) id: FeedId,
    pub(super) entry: ArcRwSignal<FeedEntry>,
}

impl FeedLine {
    fn new(entry: FeedEntry) -> Self {
        Self {
            id: entry.id,
            entry: ArcRwSignal::new(entry),
        }
    }
}

/// The request in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    Nothing,
    /// A reload of everything.
    All,
    Older,
    Newer,
}

/// A handle on the page's state.
#[derive(Clone, Copy)]
pub(super) struct FeedList {
    pub(super) lines: RwSignal<Vec<FeedLine>>,
    /// True if there are older entries than the last line.
    pub(super) older: RwSignal<bool>,
    /// True if there are newer entries than the first line, which the page dropped or never had.
    pub(super) newer: RwSignal<bool>,
    /// New entries since the reader left the top.
    pub(super) waiting: RwSignal<HashSet<FeedId>>,
    pub(super) filter: RwSignal<FeedFilter>,
    pub(super) asking: RwSignal<Asking>,
    pub(super) trouble: RwSignal<Option<ErrorBody>>,
    /// The entry that the address names.
    pub(super) named: StoredValue<Option<FeedId>>,
    /// Number of the latest request, so that a late answer to an earlier one is ignored.
    question: StoredValue<u32>,
    /// Entries that wait to be shown.
    fresh: StoredValue<Vec<FeedEntry>>,
    pub(super) scroll: FeedScroll,
}

impl FeedList {
    pub(super) fn new(page: FeedPage, filter: FeedFilter, named: Option<FeedId>) -> Self {
        Self {
            lines: RwSignal::new(page.entries.into_iter().map(FeedLine::new).collect()),
            older: RwSignal::new(page.older),
            newer: RwSignal::new(page.newer),
            waiting: RwSignal::new(HashSet::new()),
            filter: RwSignal::new(filter),
            asking: RwSignal::new(Asking::Nothing),
            trouble: RwSignal::new(None),
            named: StoredValue::new(named),
            question: StoredValue::new(0),
            fresh: StoredValue::new(Vec::new()),
            scroll: FeedScroll::new(),
        }
    }

    /// Applies a live update.
    pub(super) fn take(self, news: FeedNews) {
        if news.gap {
            // Too much was missed: the entries on view may be old, and are requested again at the
            // top.
            if self.scroll.at_top() && !self.newer.get_untracked() {
                self.ask(Asking::All);
            } else {
                self.newer.set(true);
            }
            return;
        }
        let filter = self.filter.get_untracked();
        let at_top = self.scroll.at_top() && !self.newer.get_untracked();
        let mut shown = Vec::new();
        for entry in news.entries {
            let known = self.lines.with_untracked(|lines| {
                let line = lines.iter().find(|line| line.id == entry.id);
                line.map(|line| line.entry.clone())
            });
            if let Some(known) = known {
                // At the top, the page stays at the top.
                if !at_top {
                    self.scroll.keep();
                }
                known.set(entry);
                continue;
            }
            if !filter.matches(&entry) {
                continue;
            }
            let (first, last) = self.lines.with_untracked(|lines| {
                let id = |line: Option<&FeedLine>| line.map(|line| line.id);
                (id(lines.first()), id(lines.last()))
            });
            let is_older = last.is_some_and(|last| entry.id < last);
            let is_newest = first.is_none_or(|first| entry.id > first);
            if is_older && self.older.get_untracked() {
                // It comes with the older ones.
            } else if !is_newest || at_top {
                shown.push(entry);
            } else {
                self.wait(entry);
            }
        }
        if !shown.is_empty() {
            if !at_top {
                self.scroll.keep();
            }
            self.put(shown);
            self.let_go(Asking::Newer);
        }
    }

    fn wait(self, entry: FeedEntry) {
        if self.newer.get_untracked() {
            // The newer ones will be requested anyway.
            self.waiting.update(|waiting| {
                waiting.insert(entry.id);
            });
            return;
        }
        let id = entry.id;
        self.fresh.update_value(|fresh| {
            fresh.retain(|waiting| waiting.id != id);
            fresh.push(entry);
        });
        if self.fresh.with_value(Vec::len) > MOST_WAITING {
            self.fresh.set_value(Vec::new());
            self.newer.set(true);
        }
        self.waiting.update(|waiting| {
            waiting.insert(id);
        });
    }

    /// Goes to the newest entries.
    pub(super) fn to_top(self) {
        if self.newer.get_untracked() {
            self.named.set_value(None);
            self.ask(Asking::All);
        } else {
            let fresh = self.fresh.try_update_value(std::mem::take);
            self.put(fresh.unwrap_or_default());
            self.waiting.set(HashSet::new());
            self.let_go(Asking::Newer);
        }
        self.scroll.to_top();
    }

    /// Changes the filter.
    pub(super) fn filter_by(self, filter: FeedFilter) {
        if self.filter.get_untracked() != filter {
            self.filter.set(filter);
            self.named.set_value(None);
            self.ask(Asking::All);
            self.scroll.to_top();
        }
    }

    /// Requests older or newer entries, if there are any and no request is in progress.
    pub(super) fn more(self, way: Asking) {
        let more = match way {
            Asking::Older => self.older,
            _ => self.newer,
        };
        let idle = self.asking.get_untracked() == Asking::Nothing;
        if idle && more.get_untracked() && self.trouble.read_untracked().is_none() {
            self.ask(way);
        }
    }

    pub(super) fn ask(self, what: Asking) {
        let edge = self.lines.with_untracked(|lines| match what {
            Asking::Older => lines.last().map(|line| line.id),
            Asking::Newer => lines.first().map(|line| line.id),
            Asking::All | Asking::Nothing => None,
        });
        let place = match (what, edge) {
            (Asking::Older, Some(id)) => FeedPlace::Before { id },
            (Asking::Newer, Some(id)) => FeedPlace::After { id },
            _ => FeedPlace::Newest,
        };
        let question = self.question.try_update_value(|question| {
            *question += 1;
            *question
        });
        self.asking.set(what);
        self.trouble.set(None);
        let query = self.filter.read_untracked().to_query();
        leptos::task::spawn_local(async move {
            let answer = api::feed(query, place).await;
            if self.question.try_get_value() != question {
                return;
            }
            self.asking.try_set(Asking::Nothing);
            match answer {
                Ok(page) => self.answered(what, page),
                Err(error) => {
                    self.trouble.try_set(Some(error.0));
                }
            }
        });
    }

    fn answered(self, what: Asking, page: FeedPage) {
        match what {
            Asking::Older => {
                self.older.try_set(page.older);
                self.put(page.entries);
                self.let_go(Asking::Older);
            }
            Asking::Newer => {
                self.scroll.keep();
                self.newer.try_set(page.newer);
                if !page.newer {
                    self.forget_waiting();
                }
                self.put(page.entries);
                self.let_go(Asking::Newer);
            }
            Asking::All | Asking::Nothing => {
                self.forget_waiting();
                self.older.try_set(page.older);
                self.newer.try_set(page.newer);
                let lines = page.entries.into_iter().map(FeedLine::new).collect();
                self.lines.try_set(lines);
            }
        }
    }

    fn forget_waiting(self) {
        self.fresh.try_update_value(Vec::clear);
        self.waiting.try_set(HashSet::new());
    }

    /// Adds entries at their positions.
    fn put(self, entries: Vec<FeedEntry>) {
        if entries.is_empty() {
            return;
        }
        self.lines.try_update(|lines| {
            for entry in entries {
                match lines.binary_search_by(|line| entry.id.cmp(&line.id)) {
                    Ok(at) => {
                        if let Some(line) = lines.get(at) {
                            line.entry.set(entry);
                        }
                    }
                    Err(at) => lines.insert(at, FeedLine::new(entry)),
                }
            }
        });
    }

    /// Drops lines at the opposite end to the one that grew.
    fn let_go(self, grew: Asking) {
        if self.lines.with_untracked(Vec::len) <= MOST {
            return;
        }
        match grew {
            Asking::Older => {
                self.scroll.keep();
                self.lines.try_update(|lines| {
                    lines.drain(..lines.len() - MOST);
                });
                self.newer.try_set(true);
            }
            _ => {
                self.lines.try_update(|lines| lines.truncate(MOST));
                self.older.try_set(true);
            }
        }
    }
}
