//! The panels under the composer: the models, and the usage. Their code is loaded on first use.

mod models;
mod spending;

use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::ModelChoice;

use crate::{api::ApiError, conversation::Conversation};

/// A panel.
#[derive(Clone)]
pub(super) enum CallDetails {
    /// The models to choose from.
    Models {
        now: Signal<Option<ModelChoice>>,
        pick: Callback<ModelChoice>,
    },
    /// Usage and limits.
    Spending(Conversation),
}

/// Draws the panel. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(details, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn details_view(what: CallDetails) -> Result<AnyView, ApiError> {
    Ok(match what {
        CallDetails::Models { now, pick } => models::models(now, pick),
        CallDetails::Spending(conversation) => spending::spending(conversation),
    })
}
