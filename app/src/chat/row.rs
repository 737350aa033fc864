//! One row of a transcript.

use leptos::prelude::*;

use super::{
    note_row::NoteRow, read_line::ReadLine, text_row::TextRow, thinking_row::ThinkingRow,
    tool_card::ToolCard, turn_end::TurnEnd, user_row::UserRow,
};
use crate::conversation::{RowView, RowViewContent};

#[component]
pub(super) fn RowItem(row: RowView) -> impl IntoView {
    let key = row.key;
    let at = row.at;
    match row.content {
        RowViewContent::User(said) => view! { <UserRow said key at=Signal::from(at) /> }.into_any(),
        RowViewContent::Text(cell) => view! { <TextRow cell key /> }.into_any(),
        RowViewContent::Thinking(cell) => view! { <ThinkingRow cell /> }.into_any(),
        RowViewContent::Tool(cell) if untrack(|| cell.is_quiet()) => {
            view! { <ReadLine cell key /> }.into_any()
        }
        RowViewContent::Tool(cell) => view! { <ToolCard tool=cell.row /> }.into_any(),
        RowViewContent::Note(text) => view! { <NoteRow text /> }.into_any(),
        RowViewContent::End(end) => view! { <TurnEnd end key at=Signal::from(at) /> }.into_any(),
    }
}
