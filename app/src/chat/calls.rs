//! The part of the module with the cards of calls: a conversation without calls does not load it.

use kit::{CodePart, ErrorCard, press};
use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::{ErrorBody, SecondCall};
use transcript::ToolRow;

use super::{call_body, confirm};
use crate::{api::ApiError, channel::Channel, texts::common};

/// A piece that this part draws.
pub(super) enum CallsPiece {
    /// The card of a call that waits for a person.
    Asks(ArcRwSignal<ToolRow>),
    /// The card of another person's call.
    Second(Box<(Channel, SecondCall)>),
    /// The opened card of any other call.
    Body(ArcRwSignal<ToolRow>),
}

/// Draws a piece. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(calls, wasm_split_path = ::leptos::wasm_split, preload(preload_calls), fallible)]
fn calls_part(piece: CallsPiece) -> Result<AnyView, ApiError> {
    Ok(match piece {
        CallsPiece::Asks(tool) => confirm::question(tool),
        CallsPiece::Second(second) => confirm::second_card(second.0, second.1),
        CallsPiece::Body(tool) => call_body::body(tool),
    })
}

const CALLS: CodePart = CodePart {
    load: || Box::pin(preload_calls()),
    waits: || {
        view! {
            <p class="value-more" role="status">
                {common::LOADING}
            </p>
        }
        .into_any()
    },
    fails,
};

fn fails(error: ErrorBody, again: Callback<()>) -> AnyView {
    view! {
        <ErrorCard error>
            <button type="button" class="button" on:click=press(move || again.run(()))>
                {common::TRY_AGAIN}
            </button>
        </ErrorCard>
    }
    .into_any()
}

pub(super) fn piece(piece: impl Fn() -> CallsPiece + Send + 'static) -> AnyView {
    CALLS.draw(move || calls_part(piece()))
}

/// Draws the card of another person's call, on which this person decides as the second one.
pub(crate) fn second_call(channel: Channel, second: SecondCall) -> AnyView {
    let second = Box::new((channel, second));
    piece(move || CallsPiece::Second(second.clone()))
}

/// Loads the part; returns whether that worked.
#[cfg(feature = "hydrate")]
pub(crate) async fn load_calls() -> bool {
    preload_calls().await.is_ok()
}

/// Loads the part before the first call comes.
pub(super) fn want_calls() {
    CALLS.want();
}
