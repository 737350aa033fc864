//! An error for a person: what happened, what helps, its code, and the id of its request.

use leptos::prelude::*;
use protocol::{ErrorBody, ErrorCode};

use crate::{
    icon::{Icon, icon},
    texts,
};

/// Shows an error; `children` are further actions.
#[component]
pub fn ErrorCard(error: ErrorBody, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <div class="error-card">
            {icon(Icon::WARNING)}
            <div class="error-card__text">
                <p class="error-card__message">{error.message}</p>
                {error.help.map(|help| view! { <p class="error-card__help">{help}</p> })}
                <code class="error-card__code">{code_text(error.code)}</code>
                {error.request_id.map(|id| view! {
                    <span class="error-card__code">
                        {texts::REQUEST_ID} <code class="error-card__request">{id}</code>
                    </span>
                })}
            </div>
            {children.map(|children| view! { <div class="error-card__actions">{children()}</div> })}
        </div>
    }
    .into_any()
}

/// Returns a code as written on the wire.
fn code_text(code: ErrorCode) -> String {
    serde_json::to_string(&code)
        .unwrap_or_default()
        .trim_matches('"')
        .to_owned()
}
