//! An open conversation: the fold, and rows with their own signals beside it.

mod branches;
mod history;
mod row;
mod shared;
mod state;
mod text;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use leptos::prelude::*;
use protocol::{
    BlockKind, CallId, ConversationId, ConversationPage, ErrorBody, Event, Fork, GrantId,
    LiveBlockId, MessageId, Seq, Timestamp, TurnId,
};
use transcript::{
    ActiveTurn, Gap, QueuedMessage, RowChange, RowContent, RowKey, StandingGrant, Transcript,
};

use crate::names::Names;
pub(crate) use history::{HistoryDirection, Stretch};
use history::{LoadedPart, gap};
pub(crate) use row::{EndOfTurn, RowView, RowViewContent, SaidRow, ThinkingCell, ToolCell};
use row::{RowExtent, Updated};
use shared::end_all;
pub(crate) use state::{Chosen, RowOrigin, Totals};
use state::{chosen, origin, totals, waiting_calls};
pub(crate) use text::TextCell;

/// Arriving text is drawn in steps of this time: each step costs a layout and a paint.
const DRAWN_EVERY: Duration = Duration::from_millis(28);

/// A handle on an open conversation. Its signals live as long as it does, regardless of the
/// component that shows it.
#[derive(Clone)]
pub(crate) struct Conversation(Arc<SharedParts>);

struct SharedParts {
    id: ConversationId,
    closed: bool,
    /// The token of the share link, if it is read through one.
    token: Option<Arc<str>>,
    /// See [`ConversationSummary::unread`](protocol::ConversationSummary::unread), as of the page's
    /// rendering.
    unread: ArcStoredValue<Option<Seq>>,
    /// The conversation that it and its branches come from.
    root: ConversationId,
    forks: ArcRwSignal<Vec<Fork>>,
    /// Other branches that this page knows of.
    siblings: ArcStoredValue<Vec<ConversationId>>,
    fold: ArcStoredValue<Transcript>,
    /// Rows that got text since they were last drawn.
    dirty: ArcStoredValue<BTreeSet<usize>>,
    /// Rows of the newest turns.
    rows: ArcRwSignal<Vec<RowView>>,
    /// The event before the newest turns.
    after: ArcRwSignal<Seq>,
    /// Older turns on view, in order and without gaps.
    parts: ArcRwSignal<Vec<LoadedPart>>,
    /// Events about calls of older turns, on view or not.
    late: ArcStoredValue<Vec<Event>>,
    turn: ArcRwSignal<Option<ActiveTurn>>,
    queue: ArcRwSignal<Vec<QueuedMessage>>,
    /// Calls that wait for a person, in the order of their cards.
    waiting: ArcRwSignal<Vec<CallId>>,
    grants: ArcRwSignal<Vec<StandingGrant>>,
    origin: ArcRwSignal<RowOrigin>,
    next: ArcRwSignal<Option<ConversationId>>,
    title: ArcRwSignal<String>,
    totals: ArcRwSignal<Totals>,
    choice: ArcRwSignal<Option<Chosen>>,
    /// Tokens that the first model can read and write, as of the page's rendering.
    window: Option<u64>,
    last_row: ArcRwSignal<Option<RowKey>>,
    ended: ArcRwSignal<Option<ErrorBody>>,
    announcement: ArcRwSignal<String>,
    names: Names,
}

/// Fixed facts about a conversation beside its events.
struct KnownRows {
    id: ConversationId,
    /// The conversation that it and its branches come from.
    root: ConversationId,
    /// See [`Conversation::is_closed`].
    closed: bool,
    /// See [`Conversation::token`].
    token: Option<Arc<str>>,
    /// Tokens that the first model can read and write in one call, if known.
    window: Option<u64>,
}

impl Conversation {
    /// Creates a conversation that is about to be started.
    pub(crate) fn new(id: ConversationId, names: Names) -> Self {
        let known = KnownRows {
            id,
            root: id,
            closed: false,
            token: None,
            window: None,
        };
        Self::of(known, Transcript::default(), names)
    }

    /// Creates a conversation from the server's page.
    pub(crate) fn from_page(page: &ConversationPage, names: Names) -> Result<Self, ErrorBody> {
        Self::read(page, names, None)
    }

    fn read(
        page: &ConversationPage,
        names: Names,
        token: Option<Arc<str>>,
    ) -> Result<Self, ErrorBody> {
        let before = page.before.as_deref();
        let mut fold = Transcript::newest(before, &page.events).map_err(|Gap| gap())?;
        let closed = page.summary.imported.is_some() || token.is_some();
        if closed {
            end_all(&mut fold, token.is_some());
        }
        let id = page.summary.id;
        let known = KnownRows {
            id,
            root: page.summary.family.map_or(id, |family| family.root),
            closed,
            token,
            window: page.window,
        };
        let conversation = Self::of(known, fold, names);
        conversation.0.unread.set_value(page.summary.unread);
        conversation.next().set(page.next);
        conversation.forks().set(page.forks.clone());
        Ok(conversation)
    }

    fn of(known: KnownRows, fold: Transcript, names: Names) -> Self {
        let KnownRows {
            id,
            root,
            closed,
            token,
            window,
        } = known;
        let rows = fold.rows().iter().map(|row| RowView::new(row, &names));
        let rows: Vec<_> = rows.collect();
        Self(Arc::new(SharedParts {
            id,
            unread: ArcStoredValue::new(None),
            dirty: ArcStoredValue::new(BTreeSet::new()),
            closed,
            token,
            root,
            forks: ArcRwSignal::new(Vec::new()),
            siblings: ArcStoredValue::new(Vec::new()),
            last_row: ArcRwSignal::new(fold.rows().last().map(|row| row.key)),
            rows: ArcRwSignal::new(rows),
            after: ArcRwSignal::new(fold.after()),
            parts: ArcRwSignal::new(Vec::new()),
            late: ArcStoredValue::new(Vec::new()),
            turn: ArcRwSignal::new(fold.turn().cloned()),
            queue: ArcRwSignal::new(fold.queue().to_vec()),
            waiting: ArcRwSignal::new(waiting_calls(&fold)),
            grants: ArcRwSignal::new(fold.grants().to_vec()),
            origin: ArcRwSignal::new(origin(&fold)),
            next: ArcRwSignal::new(None),
            title: ArcRwSignal::new(fold.title().to_owned()),
            totals: ArcRwSignal::new(totals(&fold)),
            choice: ArcRwSignal::new(chosen(&fold, window)),
            window,
            ended: ArcRwSignal::new(None),
            announcement: ArcRwSignal::new(String::new()),
            fold: ArcStoredValue::new(fold),
            names,
        }))
    }

    pub(crate) fn id(&self) -> ConversationId {
        self.0.id
    }

    /// Returns whether it was imported or belongs to another person: then it is read-only.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.closed
    }

    pub(crate) fn head(&self) -> Seq {
        self.0.fold.with_value(Transcript::head)
    }

    /// Takes the newest unseen event as of the page's rendering; none the next time.
    pub(crate) fn take_unread(&self) -> Option<Seq> {
        std::mem::take(&mut *self.0.unread.write_value())
    }

    /// Returns the rows of the newest turns; see [`Self::shown`].
    pub(crate) fn rows(&self) -> ArcRwSignal<Vec<RowView>> {
        self.0.rows.clone()
    }

    /// Returns the running turn.
    pub(crate) fn turn(&self) -> ArcRwSignal<Option<ActiveTurn>> {
        self.0.turn.clone()
    }

    /// Returns the queued messages.
    pub(crate) fn queue(&self) -> ArcRwSignal<Vec<QueuedMessage>> {
        self.0.queue.clone()
    }

    /// Returns the calls that wait for a person, in the order of their cards.
    pub(crate) fn waiting(&self) -> ArcRwSignal<Vec<CallId>> {
        self.0.waiting.clone()
    }

    /// Returns the standing grants, ended ones included.
    pub(crate) fn grants(&self) -> ArcRwSignal<Vec<StandingGrant>> {
        self.0.grants.clone()
    }

    /// Returns the name of the person who gave a grant.
    pub(crate) fn grant_by(&self, id: GrantId) -> Option<String> {
        let grants = self.0.grants.read();
        let grant = grants.iter().find(|standing| standing.grant.id == id)?;
        Some(grant.by.clone())
    }

    pub(crate) fn origin(&self) -> ArcRwSignal<RowOrigin> {
        self.0.origin.clone()
    }

    /// Returns the newest conversation that continues this one.
    pub(crate) fn next(&self) -> ArcRwSignal<Option<ConversationId>> {
        self.0.next.clone()
    }

    /// Returns the message of the newest answer that has text.
    pub(crate) fn last_answer(&self) -> Option<MessageId> {
        self.0.fold.with_value(|fold| {
            let mut rows = fold.rows().iter().rev();
            rows.find_map(|row| match (&row.content, row.key) {
                (RowContent::Text { .. }, RowKey::Block(message, _)) => Some(message),
                _ => None,
            })
        })
    }

    /// Returns the person's `n`-th message, counted from the newest.
    pub(crate) fn said(&self, n: usize) -> Option<String> {
        self.0.fold.with_value(|fold| {
            let said = fold.rows().iter().rev();
            let mut said = said.filter_map(|row| match &row.content {
                RowContent::User { text, .. } => Some(text),
                _ => None,
            });
            said.nth(n).cloned()
        })
    }

    pub(crate) fn title(&self) -> ArcRwSignal<String> {
        self.0.title.clone()
    }

    pub(crate) fn totals(&self) -> ArcRwSignal<Totals> {
        self.0.totals.clone()
    }

    /// Returns the model from the next turn on.
    pub(crate) fn choice(&self) -> ArcRwSignal<Option<Chosen>> {
        self.0.choice.clone()
    }

    /// Returns the last row; only the newest turn can continue.
    pub(crate) fn last_row(&self) -> ArcRwSignal<Option<RowKey>> {
        self.0.last_row.clone()
    }

    /// Returns the reason why no more events come, if there is one.
    pub(crate) fn ended(&self) -> ArcRwSignal<Option<ErrorBody>> {
        self.0.ended.clone()
    }

    /// Returns the newest announcement for screen readers: a finished block, a finished call, the
    /// end of a turn.
    pub(crate) fn announcement(&self) -> ArcRwSignal<String> {
        self.0.announcement.clone()
    }

    /// Returns the source text of a row, for copying.
    pub(crate) fn text_of(&self, key: RowKey) -> Option<String> {
        let newest = self.0.fold.with_value(|fold| {
            let row = fold.rows().iter().rfind(|row| row.key == key)?;
            row::source_text(row).map(str::to_owned)
        });
        newest.or_else(|| self.older_text(key))
    }

    pub(crate) fn apply(&self, events: Vec<Event>) -> Result<(), Gap> {
        for event in events {
            let changes = self.change(|fold| fold.apply(&event))?;
            self.show(&changes);
            self.hear(event);
        }
        let waiting = waiting_calls(&self.0.fold.read_value());
        if *self.0.waiting.read_untracked() != waiting {
            self.0.waiting.set(waiting);
        }
        Ok(())
    }

    pub(crate) fn apply_block(
        &self,
        block: LiveBlockId,
        message: MessageId,
        index: u32,
        kind: &BlockKind,
        text: &str,
    ) {
        let changes = self.change(|fold| fold.apply_block(block, message, index, kind, text));
        self.show(&changes);
    }

    /// Adds text to a block. It is drawn in the next animation frame, together with all that
    /// arrives until then.
    pub(crate) fn apply_delta(
        &self,
        block: LiveBlockId,
        offset: u64,
        text: &str,
    ) -> Result<(), Gap> {
        let row = self.0.fold.write_value().apply_delta(block, offset, text)?;
        if let Some(row) = row {
            self.append(row);
        }
        Ok(())
    }

    pub(crate) fn apply_progress(&self, call: CallId, message: &str) {
        let change = self.change(|fold| fold.apply_progress(call, message));
        self.show(change.as_slice());
    }

    pub(crate) fn apply_waiting(&self, turn: TurnId, error: ErrorBody, until: Timestamp) {
        let change = self.change(|fold| fold.apply_waiting(turn, error, until));
        self.show(change.as_slice());
    }

    pub(crate) fn forget_live(&self) {
        self.0.fold.write_value().forget_live();
    }

    /// Links changed names in finished text.
    pub(crate) fn relink(&self) {
        self.flush();
        let rows = self.0.rows.read_untracked().clone();
        let fold = self.0.fold.read_value();
        for (view, row) in rows.iter().zip(fold.rows()) {
            view.relink(row);
        }
        self.relink_older();
    }

    /// Records that no more events come.
    pub(crate) fn end(&self, error: ErrorBody) {
        self.0.ended.set(Some(error));
    }

    /// Records that events come again.
    pub(crate) fn revive(&self) {
        if self.0.ended.read_untracked().is_some() {
            self.0.ended.set(None);
        }
    }

    /// Changes the fold. Text that waits is drawn first: it is known by its index, and
    /// rows may move.
    fn change<T>(&self, change: impl FnOnce(&mut Transcript) -> T) -> T {
        self.flush();
        change(&mut self.0.fold.write_value())
    }

    fn append(&self, row: usize) {
        let first = {
            let mut dirty = self.0.dirty.write_value();
            dirty.insert(row) && dirty.len() == 1
        };
        if first {
            let conversation = self.clone();
            set_timeout(move || conversation.flush(), DRAWN_EVERY);
        }
    }

    /// Draws the text added since the last time.
    fn flush(&self) {
        if self.0.dirty.read_value().is_empty() {
            return;
        }
        let dirty = std::mem::take(&mut *self.0.dirty.write_value());
        for row in dirty {
            self.show_row(row, row, RowExtent::Appended);
        }
    }

    fn show(&self, changes: &[RowChange]) {
        for (n, change) in changes.iter().enumerate() {
            self.show_change(*change, &changes[n + 1..]);
        }
    }

    fn show_change(&self, change: RowChange, later: &[RowChange]) {
        let fold = || self.0.fold.read_value();
        match change {
            RowChange::Pushed(index) => {
                let Some(place) = final_place(index, later) else {
                    return;
                };
                let Some(view) = fold()
                    .rows()
                    .get(place)
                    .map(|row| RowView::new(row, &self.0.names))
                else {
                    return;
                };
                if let Some(before) = self.0.rows.read_untracked().last() {
                    before.followed();
                }
                self.say(view.first_words());
                self.0.last_row.set(Some(view.key));
                self.0.rows.update(|rows| rows.push(view));
            }
            RowChange::Changed(index) => {
                if let Some(place) = final_place(index, later) {
                    self.show_row(index, place, RowExtent::Whole);
                }
            }
            RowChange::Appended(index) => {
                if let Some(place) = final_place(index, later) {
                    self.show_row(index, place, RowExtent::Appended);
                }
            }
            RowChange::Removed(index) => {
                self.0.rows.update(|rows| {
                    if index < rows.len() {
                        rows.remove(index);
                    }
                });
                let last = self.0.rows.read_untracked().last().map(|view| view.key);
                self.0.last_row.set(last);
            }
            RowChange::Turn => self.0.turn.set(fold().turn().cloned()),
            RowChange::Queue => self.0.queue.set(fold().queue().to_vec()),
            RowChange::Grants => self.0.grants.set(fold().grants().to_vec()),
            RowChange::Title => {
                self.0.title.set(fold().title().to_owned());
                if *self.0.origin.read_untracked() != origin(&fold()) {
                    self.0.origin.set(origin(&fold()));
                }
            }
            RowChange::Choice => self.0.choice.set(chosen(&fold(), self.0.window)),
            RowChange::Totals => self.0.totals.set(totals(&fold())),
        }
    }

    /// Updates the view at `index` to the row at `place` of the fold.
    fn show_row(&self, index: usize, place: usize, extent: RowExtent) {
        let Some(view) = self.0.rows.read_untracked().get(index).cloned() else {
            return;
        };
        let updated = {
            let fold = self.0.fold.read_value();
            let Some(row) = fold.rows().get(place) else {
                return;
            };
            view.update(row, extent, &self.0.names)
        };
        match updated {
            Updated::Done { said } => self.say(said),
            Updated::OtherKind(view) => self.0.rows.update(|rows| rows[index] = *view),
        }
    }

    fn say(&self, text: Option<String>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.0.announcement.set(text);
        }
    }
}

/// Returns the index of a row after all changes of a batch; none if it was removed.
fn final_place(index: usize, later: &[RowChange]) -> Option<usize> {
    later.iter().try_fold(index, |index, change| match change {
        RowChange::Removed(removed) if *removed == index => None,
        RowChange::Removed(removed) if *removed < index => Some(index - 1),
        _ => Some(index),
    })
}

#[cfg(test)]
mod tests;
