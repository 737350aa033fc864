//! Remarks of the server between the rows, such as that a budget is nearly used up.

use std::sync::Arc;

use kit::{Icon, icon};
use leptos::prelude::*;

#[component]
pub(super) fn NoteRow(text: Arc<str>) -> impl IntoView {
    view! { <p class="row note-row">{icon(Icon::WARNING)} <span>{text.to_string()}</span></p> }
        .into_any()
}
