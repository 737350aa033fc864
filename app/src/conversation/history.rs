//! Older turns that the reader went back to: parts before the newest turns. Distant ones are
//! dropped again, so that a long conversation takes no more memory in a tab than a short one.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::{ErrorBody, ErrorCode, Event, EventBody, HistoryPage, HistoryPlace, MessageId, Seq};
use transcript::{Gap, RowKey, Transcript};

use super::{
    Conversation, RowExtent, RowView, Updated,
    row::{joined, source_text},
    shared::end_all,
};

use crate::texts::api as texts;

/// The most parts beside the newest turns.
const PARTS: usize = 3;
/// Number of newest turns kept when they are trimmed, while the reader is at the end,
const LEAST: usize = 16;
/// which happens once there are more than these.
const MOST: usize = 32;

/// One page of history: whole turns.
#[derive(Clone)]
pub(super) struct LoadedPart {
    fold: ArcStoredValue<Transcript>,
    rows: Arc<[RowView]>,
}

impl LoadedPart {
    /// Returns the event before its first.
    fn after(&self) -> Seq {
        self.fold.read_value().after()
    }

    /// Returns its last event.
    fn last(&self) -> Seq {
        self.fold.read_value().head()
    }

    fn stretch(&self) -> Stretch {
        Stretch::Part {
            after: self.after(),
            last: self.last(),
        }
    }

    /// Applies an event about a call that may be here.
    fn hear(&self, event: &Event, conversation: &Conversation) {
        let changes = self.fold.write_value().apply_late(event);
        if !changes.is_empty() {
            let fold = self.fold.read_value();
            for (view, row) in self.rows.iter().zip(fold.rows()) {
                view.update(row, RowExtent::Whole, &conversation.0.names);
            }
        }
    }
}

/// A part of the rows on view that gets no others in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// A page of history, by the event before its first and its last.
    Part {
        after: Seq,
        last: Seq,
    },
    Newest,
}

impl Stretch {
    /// Returns a number that no other stretch on view has: a conversation has fewer than 2³² events.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Part { after, last } => after.0 ^ last.0 << 32,
            Self::Newest => u64::MAX,
        }
    }
}

/// A direction or target in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HistoryDirection {
    Older,
    Newer,
    /// To the turn of a message.
    To(MessageId),
}

impl Conversation {
    /// Returns the rows on view: the parts, and the newest turns if these follow on directly.
    pub(super) fn shown(&self) -> Vec<RowView> {
        let parts = self.0.parts.read();
        let mut rows: Vec<_> = parts
            .iter()
            .flat_map(|part| part.rows.iter().cloned())
            .collect();
        if !self.is_apart() {
            rows.extend_from_slice(&self.0.rows.read());
        }
        rows
    }

    /// Returns the stretches on view, oldest first. Each is a list of its own on the page: in one
    /// list, a page of older turns in front would take rows behind it out of the document and put
    /// them back, and the browser would lay them all out again.
    pub(crate) fn stretches(&self) -> Vec<Stretch> {
        let parts = self.0.parts.read();
        let mut stretches: Vec<_> = parts.iter().map(LoadedPart::stretch).collect();
        if !self.is_apart() {
            stretches.push(Stretch::Newest);
        }
        stretches
    }

    /// Returns the rows of a stretch as they are drawn: calls that only read are joined.
    pub(crate) fn drawn(&self, stretch: Stretch) -> Vec<RowView> {
        match stretch {
            Stretch::Newest => joined(&self.0.rows.read()),
            Stretch::Part { .. } => {
                let parts = self.0.parts.read_untracked();
                let part = parts.iter().find(|part| part.stretch() == stretch);
                part.map_or_else(Vec::new, |part| joined(&part.rows))
            }
        }
    }

    /// Returns whether there are turns between the ones on view and the newest, which are not on
    /// view then.
    pub(crate) fn is_apart(&self) -> bool {
        let after = self.0.after.get();
        let parts = self.0.parts.read();
        parts.last().is_some_and(|part| part.last() < after)
    }

    /// Returns whether there are turns before the ones on view.
    pub(crate) fn has_older(&self) -> bool {
        let after = self.0.after.get();
        let parts = self.0.parts.read();
        parts.first().map_or(after, LoadedPart::after) > Seq(0)
    }

    /// Returns the place to request from the server; none if there is nothing in that direction.
    pub(crate) fn place(&self, way: HistoryDirection) -> Option<HistoryPlace> {
        let parts = self.0.parts.read_untracked();
        let after = self.0.after.get_untracked();
        match way {
            HistoryDirection::Older => {
                let seq = parts.first().map_or(after, LoadedPart::after);
                (seq > Seq(0)).then_some(HistoryPlace::Until { seq })
            }
            HistoryDirection::Newer => {
                let seq = parts.last()?.last();
                (seq < after).then_some(HistoryPlace::After { seq })
            }
            HistoryDirection::To(message) => Some(HistoryPlace::Around { message }),
        }
    }

    /// Shows the server's answer. An answer that no longer adjoins is ignored. Returns whether
    /// anything was added.
    pub(crate) fn put(&self, way: HistoryDirection, page: &HistoryPage) -> Result<bool, ErrorBody> {
        let until = self.0.after.get_untracked();
        let Some(last) = page.events.last() else {
            return Ok(false);
        };
        let joins = match self.place(way) {
            Some(HistoryPlace::Until { seq }) => seq == last.seq,
            Some(HistoryPlace::After { seq }) => seq == page.after,
            Some(HistoryPlace::Around { .. }) => page.after < until,
            None => false,
        };
        if !joins {
            return Ok(false);
        }
        let part = self.part(page, until)?;
        self.0.parts.update(|parts| match way {
            HistoryDirection::Older => parts.insert(0, part),
            HistoryDirection::Newer => parts.push(part),
            HistoryDirection::To(_) => *parts = vec![part],
        });
        Ok(true)
    }

    fn part(&self, page: &HistoryPage, until: Seq) -> Result<LoadedPart, ErrorBody> {
        let mut fold = Transcript::older(page, until).map_err(|Gap| gap())?;
        for event in self.0.late.read_value().iter() {
            fold.apply_late(event);
        }
        if self.0.closed {
            end_all(&mut fold, self.0.token.is_some());
        }
        // A row on the page keeps its view, which is the one that the page follows.
        let known = untrack(|| self.shown());
        let names = &self.0.names;
        let rows = fold.rows().iter().map(|row| {
            let view = known.iter().find(|view| view.key == row.key);
            match view.map(|view| (view, view.update(row, RowExtent::Whole, names))) {
                Some((view, Updated::Done { .. })) => view.clone(),
                Some((_, Updated::OtherKind(view))) => *view,
                None => RowView::new(row, names),
            }
        });
        Ok(LoadedPart {
            rows: rows.collect(),
            fold: ArcStoredValue::new(fold),
        })
    }

    /// Returns, if there are too many parts, the first row of the part to drop at the lower end, or
    /// the first row that stays at the upper, by the direction of the reader.
    pub(crate) fn edge(&self, way: HistoryDirection) -> Option<RowKey> {
        let parts = self.0.parts.read_untracked();
        if parts.len() <= PARTS {
            return None;
        }
        let part = match way {
            HistoryDirection::Older => parts.last(),
            HistoryDirection::Newer => parts.get(1),
            HistoryDirection::To(_) => None,
        };
        part?.rows.first().map(|row| row.key)
    }

    /// Drops the part that is farthest from where the reader went.
    pub(crate) fn let_go(&self, way: HistoryDirection) {
        self.0.parts.update(|parts| match way {
            HistoryDirection::Older => {
                parts.pop();
            }
            _ => {
                parts.remove(0);
            }
        });
    }

    /// Shows the newest turns alone.
    pub(crate) fn to_end(&self) {
        if !self.0.parts.read_untracked().is_empty() {
            self.0.parts.set(Vec::new());
        }
    }

    /// Drops turns far above, as the reader is at the end.
    pub(crate) fn settle(&self) {
        self.to_end();
        let gone = self.change(|fold| fold.let_go(MOST, LEAST));
        if gone > 0 {
            self.0.rows.update(|rows| {
                rows.drain(..gone.min(rows.len()));
            });
            self.0.after.set(self.0.fold.read_value().after());
        }
    }

    /// Returns whether a message is on the page.
    pub(crate) fn shows(&self, message: MessageId) -> bool {
        untrack(|| self.shown())
            .iter()
            .any(|row| is_of(row, message))
    }

    /// Returns whether a message is among the newest turns.
    pub(crate) fn is_new(&self, message: MessageId) -> bool {
        self.0
            .rows
            .read_untracked()
            .iter()
            .any(|row| is_of(row, message))
    }

    /// Handles an event that may be about a call in a part.
    pub(super) fn hear(&self, event: Event) {
        if let EventBody::OutcomeResolved { .. } = event.body {
            for part in self.0.parts.read_untracked().iter() {
                part.hear(&event, self);
            }
            self.0.late.write_value().push(event);
        }
    }

    /// Searches the newest turns, then the parts.
    pub(super) fn look<T>(&self, find: impl Fn(&Transcript) -> Option<T>) -> Option<T> {
        let newest = self.0.fold.with_value(&find);
        newest.or_else(|| {
            let parts = self.0.parts.read_untracked();
            parts.iter().find_map(|part| part.fold.with_value(&find))
        })
    }

    /// Returns the source text of a row of a part.
    pub(super) fn older_text(&self, key: RowKey) -> Option<String> {
        self.0.parts.read_untracked().iter().find_map(|part| {
            let fold = part.fold.read_value();
            let row = fold.rows().iter().find(|row| row.key == key)?;
            source_text(row).map(str::to_owned)
        })
    }

    pub(super) fn relink_older(&self) {
        for part in self.0.parts.read_untracked().iter() {
            let fold = part.fold.read_value();
            for (view, row) in part.rows.iter().zip(fold.rows()) {
                view.relink(row);
            }
        }
    }
}

pub(super) fn gap() -> ErrorBody {
    ErrorBody::new(ErrorCode::Internal, texts::HISTORY_HAS_A_GAP)
}

fn is_of(row: &RowView, message: MessageId) -> bool {
    matches!(row.key, RowKey::User(its) | RowKey::Block(its, _) if its == message)
}
