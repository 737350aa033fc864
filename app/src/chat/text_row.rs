//! A block of text of the assistant.

use std::sync::Arc;

use kit::{CopyButton, Key, Settled, block_view, each, live, live_view};
use leptos::prelude::*;
use transcript::{BlockState, RowKey};

use super::{anchor::anchor, open_conversation::OpenConversation};
use crate::{conversation::TextCell, texts::chat as texts};

#[component]
pub(super) fn TextRow(cell: TextCell, key: RowKey) -> impl IntoView {
    let open = StoredValue::new(expect_context::<OpenConversation>());
    let state = cell.state.clone();
    let shown = cell.blocks.clone();
    let class = {
        let state = state.clone();
        live(move || match state.get() {
            BlockState::Streaming => "row text-row text-row--streaming",
            BlockState::Done => "row text-row",
            BlockState::Interrupted => "row text-row text-row--interrupted",
        })
    };
    let foot = move || match state.get() {
        BlockState::Streaming => None,
        BlockState::Done => Some(None),
        BlockState::Interrupted => Some(Some(texts::INTERRUPTED_THIS_TEXT_IS_INCOMPLETE)),
    };
    view! {
        <article class=class id=anchor(key)>
            <div class="prose">
                {each(
                    move || shown.get(),
                    |block| Key::of(block.place),
                    move |block| {
                        let settled = settled(&cell, block.place);
                        live_view(move || block_view(block.block.get(), &settled))
                    },
                )}
            </div>
            {live_view(move || {
                foot()
                    .map(|note| {
                        view! {
                            <div class="text-row__foot">
                                {note.map(|note| view! { <p class="interrupted-note">{note}</p> })}
                                <CopyButton
                                    label=texts::COPY_THE_ANSWER
                                    text=move || open.with_value(|open| open.conversation.text_of(key))
                                />
                            </div>
                        }
                    })
                    .into_any()
            })}
        </article>
    }
    .into_any()
}

/// Returns a check whether the block at an index is final: its text is complete, or others follow
/// it.
fn settled(cell: &TextCell, place: usize) -> Settled {
    let (state, blocks) = (cell.state.clone(), cell.blocks.clone());
    Arc::new(move || state.get() != BlockState::Streaming || blocks.read().len() > place + 1)
}
