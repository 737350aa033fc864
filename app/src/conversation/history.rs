//! Older turns that the reader went back to: parts in front of the newest turns. Those that are far away
//! are let go again, so that a long conversation weighs no more in a tab than a short one.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::{ErrorBody, ErrorCode, Event, EventBody, HistoryPage, HistoryPlace, MessageId, Seq};
use transcript::{Gap, RowKey, Transcript};

use super::{Conversation, Extent, RowView, Updated, row::source_text, shared::end_all};

/// More parts than these beside the newest turns are too many.
const PARTS: usize = 3;
/// The newest turns are cut down to so many while the reader is at the end,
const LEAST: usize = 16;
/// once they are more than these.
const MOST: usize = 32;

/// Whole turns, one page of them.
#[derive(Clone)]
pub(super) struct Part {
    fold: ArcStoredValue<Transcript>,
    rows: Arc<[RowView]>,
}

impl Part {
    /// The event before its first.
    fn after(&self) -> Seq {
        self.fold.read_value().after()
    }

    /// Its last event.
    fn last(&self) -> Seq {
        self.fold.read_value().head()
    }

    /// A word about a call that may be here.
    fn hear(&self, event: &Event, conversation: &Conversation) {
        let changes = self.fold.write_value().apply_late(event);
        if !changes.is_empty() {
            let fold = self.fold.read_value();
            for (view, row) in self.rows.iter().zip(fold.rows()) {
                view.update(row, Extent::Whole, &conversation.0.names);
            }
        }
    }
}

/// Where the reader wants to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Older,
    Newer,
    /// To the turn of a message.
    To(MessageId),
}

impl Conversation {
    /// The rows that are shown: the parts, and the newest turns if they join up with them.
    pub(crate) fn shown(&self) -> Vec<RowView> {
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

    /// Whether there are turns between what is shown and the newest ones, which are not shown then.
    pub(crate) fn is_apart(&self) -> bool {
        let after = self.0.after.get();
        let parts = self.0.parts.read();
        parts.last().is_some_and(|part| part.last() < after)
    }

    /// Whether there are turns before what is shown.
    pub(crate) fn has_older(&self) -> bool {
        let after = self.0.after.get();
        let parts = self.0.parts.read();
        parts.first().map_or(after, Part::after) > Seq(0)
    }

    /// What to ask the server for; none if there is nothing that way.
    pub(crate) fn place(&self, way: Way) -> Option<HistoryPlace> {
        let parts = self.0.parts.read_untracked();
        let after = self.0.after.get_untracked();
        match way {
            Way::Older => {
                let seq = parts.first().map_or(after, Part::after);
                (seq > Seq(0)).then_some(HistoryPlace::Until { seq })
            }
            Way::Newer => {
                let seq = parts.last()?.last();
                (seq < after).then_some(HistoryPlace::After { seq })
            }
            Way::To(message) => Some(HistoryPlace::Around { message }),
        }
    }

    /// Shows what the server answered. What does not join up any more is passed over. Gives whether
    /// anything came.
    pub(crate) fn put(&self, way: Way, page: &HistoryPage) -> Result<bool, ErrorBody> {
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
            Way::Older => parts.insert(0, part),
            Way::Newer => parts.push(part),
            Way::To(_) => *parts = vec![part],
        });
        Ok(true)
    }

    fn part(&self, page: &HistoryPage, until: Seq) -> Result<Part, ErrorBody> {
        let mut fold = Transcript::older(page, until).map_err(|Gap| gap())?;
        for event in self.0.late.read_value().iter() {
            fold.apply_late(event);
        }
        if self.0.closed {
            end_all(&mut fold, self.0.token.is_some());
        }
        // A row that is on the page keeps its view, which is what the page follows.
        let known = untrack(|| self.shown());
        let names = &self.0.names;
        let rows = fold.rows().iter().map(|row| {
            let view = known.iter().find(|view| view.key == row.key);
            match view.map(|view| (view, view.update(row, Extent::Whole, names))) {
                Some((view, Updated::Done { .. })) => view.clone(),
                Some((_, Updated::OtherKind(view))) => *view,
                None => RowView::new(row, names),
            }
        });
        Ok(Part {
            rows: rows.collect(),
            fold: ArcStoredValue::new(fold),
        })
    }

    /// If there are too many parts: the first row of what may be let go at the lower end, or the first
    /// that stays at the upper, seen from where the reader came.
    pub(crate) fn edge(&self, way: Way) -> Option<RowKey> {
        let parts = self.0.parts.read_untracked();
        if parts.len() <= PARTS {
            return None;
        }
        let part = match way {
            Way::Older => parts.last(),
            Way::Newer => parts.get(1),
            Way::To(_) => None,
        };
        part?.rows.first().map(|row| row.key)
    }

    /// Lets go of the part that is farthest from where the reader went.
    pub(crate) fn let_go(&self, way: Way) {
        self.0.parts.update(|parts| match way {
            Way::Older => {
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

    /// The reader is at the end: what is far above goes.
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

    /// Whether a message is on the page.
    pub(crate) fn shows(&self, message: MessageId) -> bool {
        untrack(|| self.shown())
            .iter()
            .any(|row| is_of(row, message))
    }

    /// Whether a message is among the newest turns.
    pub(crate) fn is_new(&self, message: MessageId) -> bool {
        self.0
            .rows
            .read_untracked()
            .iter()
            .any(|row| is_of(row, message))
    }

    /// An event came that may be about a call in a part.
    pub(super) fn hear(&self, event: &Event) {
        if let EventBody::OutcomeResolved { .. } = event.body {
            self.0.late.write_value().push(event.clone());
            for part in self.0.parts.read_untracked().iter() {
                part.hear(event, self);
            }
        }
    }

    /// Looks in the newest turns, then in the parts.
    pub(super) fn look<T>(&self, find: impl Fn(&Transcript) -> Option<T>) -> Option<T> {
        let newest = self.0.fold.with_value(&find);
        newest.or_else(|| {
            let parts = self.0.parts.read_untracked();
            parts.iter().find_map(|part| part.fold.with_value(&find))
        })
    }

    /// The source text of a row of a part.
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
    ErrorBody::new(
        ErrorCode::Internal,
        "The history of this conversation has a gap.",
    )
}

fn is_of(row: &RowView, message: MessageId) -> bool {
    matches!(row.key, RowKey::User(its) | RowKey::Block(its, _) if its == message)
}
