//! A block of text of the assistant.

use leptos::prelude::*;
use transcript::{BlockState, RowKey};

use super::view::Open;
use crate::{conversation::TextCell, markdown_view::block_view, ui::CopyButton};

#[component]
pub(super) fn TextRow(cell: TextCell, key: RowKey) -> impl IntoView {
    let open = StoredValue::new(expect_context::<Open>());
    let state = cell.state;
    let class = {
        let state = state.clone();
        move || match state.get() {
            BlockState::Streaming => "row text-row text-row--streaming",
            BlockState::Done => "row text-row",
            BlockState::Interrupted => "row text-row text-row--interrupted",
        }
    };
    let foot = move || match state.get() {
        BlockState::Streaming => None,
        BlockState::Done => Some(None),
        BlockState::Interrupted => Some(Some("Interrupted: this text was not finished.")),
    };
    view! {
        <article class=class>
            <div class="prose">
                <For each=move || cell.blocks.get() key=|block| block.place let:block>
                    {move || block_view(block.block.get())}
                </For>
            </div>
            {move || {
                foot()
                    .map(|note| {
                        view! {
                            <div class="text-row__foot">
                                {note.map(|note| view! { <p class="interrupted-note">{note}</p> })}
                                <CopyButton
                                    label="Copy the answer"
                                    text=move || open.with_value(|open| open.conversation.text_of(key))
                                />
                            </div>
                        }
                    })
            }}
        </article>
    }
    .into_any()
}
