//! The page for an address that does not exist.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{dock::Place, texts::page as texts};

#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    view! {
        <NotFoundView
            title=texts::PAGE_NOT_FOUND
            help=texts::THE_ADDRESS_MAY_BE_MISTYPED
        />
    }
    .into_any()
}

/// Shows that something does not exist, to people and in the status of the response.
#[component]
pub(crate) fn NotFoundView(title: &'static str, #[prop(into)] help: String) -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(leptos::server_fn::axum_export::http::StatusCode::NOT_FOUND);
    }
    view! {
        {(!Place::here().is_docked()).then(|| view! { <Title text=title /> })}
        <section class="empty-page">
            <p class="empty-page__code" aria-hidden="true">
                "404"
            </p>
            <h1>{title}</h1>
            <p>{help}</p>
            <a href="/" class="button button--primary">
                {texts::NEW_CONVERSATION}
            </a>
        </section>
    }
    .into_any()
}
