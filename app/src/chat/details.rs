//! What the line under the composer opens: the models, and what was used. Its code is loaded when it
//! is first wanted.

mod models;
mod spending;

use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::ModelChoice;

use crate::{api::ApiError, conversation::Conversation};

/// The models to choose from. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(details, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn models_view(
    now: Signal<Option<ModelChoice>>,
    pick: Callback<ModelChoice>,
) -> Result<AnyView, ApiError> {
    Ok(models::models(now, pick))
}

/// What was used, and what may be. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(details, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn spending_view(conversation: Conversation) -> Result<AnyView, ApiError> {
    Ok(spending::spending(conversation))
}
