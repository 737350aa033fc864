//! Pages that are loading, and pages that failed.

use leptos::prelude::*;
use protocol::ErrorBody;

use crate::ui::{ErrorCard, press};

#[component]
pub(crate) fn Loading(text: &'static str) -> impl IntoView {
    view! {
        <div class="loading" role="status">
            <span class="reactor reactor--busy" aria-hidden="true"></span>
            {text}
        </div>
    }
    .into_any()
}

/// Shows an error; `children` are further actions.
#[component]
pub(crate) fn Failed(
    heading: &'static str,
    error: ErrorBody,
    retry: impl Fn() + Send + 'static,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <section class="empty-page">
            <h1>{heading}</h1>
            <ErrorCard error>
                <button type="button" class="button" on:click=press(retry)>
                    "Try again"
                </button>
                {children.map(|children| children())}
            </ErrorCard>
        </section>
    }
    .into_any()
}

/// The part of the module that draws a page: what preloads it, the words while it loads, and the
/// heading if it cannot.
macro_rules! page_part {
    ($preload:path, $waits:literal, $heading:literal) => {
        crate::ui::CodePart {
            load: || Box::pin($preload()),
            waits: || view! { <crate::page::Loading text=$waits /> }.into_any(),
            fails: |error, again| {
                view! { <crate::page::Failed heading=$heading error retry=move || again.run(()) /> }
                    .into_any()
            },
        }
    };
}
pub(crate) use page_part;
