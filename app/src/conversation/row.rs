//! A row as views follow it: everything that may change has its own signal.

use std::sync::Arc;

use kit::{browser, format};
use leptos::prelude::*;
use protocol::{Cost, Reference, Timestamp, TurnId, TurnOutcome, Usage};
use transcript::{BlockState, Row, RowContent, RowKey, ToolRow, ToolState};

use super::text::TextCell;
use crate::{names::Names, texts::api as texts, words};

/// A row of the transcript.
#[derive(Clone)]
pub(crate) struct RowView {
    pub(crate) key: RowKey,
    /// Unknown while the row is only streamed.
    pub(crate) at: ArcRwSignal<Option<Timestamp>>,
    pub(crate) content: RowViewContent,
}

/// The content of a row.
#[derive(Clone)]
pub(crate) enum RowViewContent {
    User(Arc<SaidRow>),
    Text(TextCell),
    Thinking(ThinkingCell),
    Tool(ToolCell),
    /// A remark of the server.
    Note(Arc<str>),
    End(Arc<EndOfTurn>),
}

/// A person's message, and the things that it refers to.
#[derive(Debug, PartialEq)]
pub(crate) struct SaidRow {
    pub(crate) text: String,
    pub(crate) references: Vec<Reference>,
    /// True if the running turn read it, so that it began no turn.
    pub(crate) read: bool,
}

/// The model's thinking.
#[derive(Clone)]
pub(crate) struct ThinkingCell {
    pub(crate) text: ArcRwSignal<String>,
    pub(crate) state: ArcRwSignal<BlockState>,
    /// Duration in milliseconds, if this page saw all of it.
    pub(crate) took: ArcRwSignal<Option<u64>>,
    /// Time at which this page saw it begin.
    begun: Option<Timestamp>,
}

/// A tool call.
#[derive(Clone)]
pub(crate) struct ToolCell {
    pub(crate) row: ArcRwSignal<ToolRow>,
    /// See [`ToolRow::is_quiet`].
    quiet: ArcRwSignal<bool>,
    /// The calls after it in its line, if it is the first there.
    pub(crate) others: ArcRwSignal<Vec<RowView>>,
}

impl ToolCell {
    fn new(tool: &ToolRow) -> Self {
        Self {
            row: ArcRwSignal::new(tool.clone()),
            quiet: ArcRwSignal::new(tool.is_quiet()),
            others: ArcRwSignal::new(Vec::new()),
        }
    }

    /// Returns whether it is drawn in a line with its neighbours; follows changes.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet.get()
    }

    fn set(&self, tool: &ToolRow) {
        self.row.set(tool.clone());
        // The whole list follows it.
        if self.quiet.get_untracked() != tool.is_quiet() {
            self.quiet.set(tool.is_quiet());
        }
    }

    /// Sets the calls after it in its line.
    fn lead(&self, others: &[RowView]) {
        let keys = |rows: &[RowView]| rows.iter().map(|row| row.key).collect::<Vec<_>>();
        if keys(&self.others.read_untracked()) != keys(others) {
            self.others.set(others.to_vec());
        }
    }
}

/// The end of a turn.
#[derive(Debug, PartialEq)]
pub(crate) struct EndOfTurn {
    pub(crate) turn: TurnId,
    pub(crate) outcome: TurnOutcome,
    pub(crate) usage: Usage,
    pub(crate) cost: Option<Cost>,
    /// Milliseconds of work, without the waits for a person.
    pub(crate) took: u64,
}

/// The extent of a change to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowExtent {
    Whole,
    /// Only text was added.
    Appended,
}

/// The result of updating a view.
pub(super) enum Updated {
    /// The view shows the row; `said` is an announcement for screen readers.
    Done { said: Option<String> },
    /// The row has changed its kind and needs another view.
    OtherKind(Box<RowView>),
}

impl RowView {
    pub(super) fn new(row: &Row, names: &Names) -> Self {
        let content = match &row.content {
            RowContent::User {
                text,
                references,
                read,
            } => RowViewContent::User(Arc::new(SaidRow {
                text: text.clone(),
                references: references.clone(),
                read: *read,
            })),
            RowContent::Text { text, state } => {
                RowViewContent::Text(TextCell::new(text, *state, names))
            }
            RowContent::Thinking { text, state } => RowViewContent::Thinking(ThinkingCell {
                text: ArcRwSignal::new(text.clone()),
                state: ArcRwSignal::new(*state),
                took: ArcRwSignal::new(None),
                begun: (*state == BlockState::Streaming).then(browser::now),
            }),
            RowContent::Tool(tool) => RowViewContent::Tool(ToolCell::new(tool)),
            RowContent::Note { text } => RowViewContent::Note(text.as_str().into()),
            RowContent::End {
                outcome,
                usage,
                cost,
                took_ms,
            } => RowViewContent::End(Arc::new(EndOfTurn {
                turn: row.turn,
                outcome: outcome.clone(),
                usage: *usage,
                cost: *cost,
                took: *took_ms,
            })),
        };
        Self {
            key: row.key,
            at: ArcRwSignal::new(row.at),
            content,
        }
    }

    /// Returns a number that distinguishes views of one key and different kinds.
    pub(crate) fn kind(&self) -> u8 {
        match self.content {
            RowViewContent::User(_) => 0,
            RowViewContent::Text(_) => 1,
            RowViewContent::Thinking(_) => 2,
            RowViewContent::Tool(ref cell) if cell.quiet.get_untracked() => 6,
            RowViewContent::Tool(_) => 3,
            RowViewContent::End(_) => 4,
            RowViewContent::Note(_) => 5,
        }
    }

    /// Returns the announcement for the row when it appears.
    pub(super) fn first_words(&self) -> Option<String> {
        match &self.content {
            RowViewContent::Text(cell) => cell.first_words(),
            RowViewContent::Note(text) => Some(text.to_string()),
            RowViewContent::End(end) => Some(words::turn_outcome(&end.outcome).to_owned()),
            _ => None,
        }
    }

    /// Handles another row below.
    pub(super) fn followed(&self) {
        if let RowViewContent::Thinking(cell) = &self.content {
            cell.stop();
        }
    }

    /// Updates the view to the row.
    pub(super) fn update(&self, row: &Row, extent: RowExtent, names: &Names) -> Updated {
        if row.key != self.key {
            return Updated::OtherKind(Box::new(Self::new(row, names)));
        }
        if self.at.get_untracked() != row.at {
            self.at.set(row.at);
        }
        let mut said = None;
        match (&self.content, &row.content) {
            (RowViewContent::Text(cell), RowContent::Text { text, state }) => {
                said = match extent {
                    RowExtent::Appended => cell.append(text),
                    RowExtent::Whole => cell.replace(text, *state),
                };
            }
            (RowViewContent::Thinking(cell), RowContent::Thinking { text, state }) => {
                cell.text.set(text.clone());
                if cell.state.get_untracked() != *state {
                    cell.stop();
                    cell.state.set(*state);
                }
            }
            (RowViewContent::Tool(cell), RowContent::Tool(tool)) => {
                if tool.state.is_terminal() && !cell.row.read_untracked().state.is_terminal() {
                    said = Some(words::finished_call(tool));
                }
                if let Some(asked) = newly_asked(tool, &cell.row.read_untracked()) {
                    said = Some(texts::waiting_for_your_decision(asked));
                }
                cell.set(tool);
            }
            (RowViewContent::User(shown), RowContent::User { text, .. }) if shown.text == *text => {
            }
            (RowViewContent::End(_), RowContent::End { .. })
            | (RowViewContent::Note(_), RowContent::Note { .. }) => {}
            _ => return Updated::OtherKind(Box::new(Self::new(row, names))),
        }
        Updated::Done { said }
    }
}

/// Joins calls that only read: returns the rows that are drawn, in which the first of such calls
/// stands for the others. Follows the calls.
pub(super) fn joined(rows: &[RowView]) -> Vec<RowView> {
    let quiet = |row: &RowView| match &row.content {
        RowViewContent::Tool(cell) => cell.is_quiet(),
        _ => false,
    };
    let runs = transcript::quiet_runs(rows.iter().map(quiet));
    let drawn = runs.into_iter().filter_map(|run| {
        let (first, others) = rows.get(run)?.split_first()?;
        if let RowViewContent::Tool(cell) = &first.content {
            cell.lead(others);
        }
        for row in others {
            // It led a line before the calls above it joined, and must not keep those rows.
            if let RowViewContent::Tool(cell) = &row.content {
                cell.lead(&[]);
            }
        }
        Some(first.clone())
    });
    drawn.collect()
}

impl RowView {
    /// Links changed names.
    pub(super) fn relink(&self, row: &Row) {
        if let (RowViewContent::Text(cell), RowContent::Text { text, state }) =
            (&self.content, &row.content)
            && *state != BlockState::Streaming
        {
            cell.relink(text);
        }
    }
}

/// Returns the sentence of a call that waits for a person, if the request is new.
fn newly_asked<'a>(tool: &'a ToolRow, before: &ToolRow) -> Option<&'a str> {
    let revision = |tool: &ToolRow| Some(tool.asked.as_ref()?.confirmation.revision);
    let asked = tool.asked.as_ref()?;
    let new = tool.state == ToolState::Waiting
        && (before.state != ToolState::Waiting || revision(tool) != revision(before));
    new.then_some(asked.confirmation.sentence.as_str())
}

impl ThinkingCell {
    fn stop(&self) {
        if let Some(begun) = self.begun
            && self.took.get_untracked().is_none()
        {
            self.took.set(Some(format::between(begun, browser::now())));
        }
    }
}

/// Returns the text of a row as it was written, if it has one.
pub(super) fn source_text(row: &Row) -> Option<&str> {
    match &row.content {
        RowContent::User { text, .. }
        | RowContent::Note { text }
        | RowContent::Text { text, .. }
        | RowContent::Thinking { text, .. } => Some(text),
        RowContent::Tool(tool) => match &tool.state {
            ToolState::Succeeded(output) => Some(&output.summary),
            _ => None,
        },
        RowContent::End { .. } => None,
    }
}
