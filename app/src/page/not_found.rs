//! The page for an address that does not exist.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::dock::Place;

#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    view! {
        <NotFoundView
            title="Page not found"
            help="The address may be mistyped, or the page may have moved."
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
                "New conversation"
            </a>
        </section>
    }
    .into_any()
}
