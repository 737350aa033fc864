//! Pages that are loading, and pages that failed.

use leptos::prelude::*;
use protocol::ErrorBody;

use crate::{error_card::ErrorCard, live::press, texts};

/// Says what is loading.
#[component]
pub fn Loading(text: &'static str) -> impl IntoView {
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
pub fn Failed(
    heading: &'static str,
    error: ErrorBody,
    retry: impl Fn() + Send + 'static,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    failed(heading, error, Box::new(retry), children)
}

/// Draws [`Failed`], in code that all pages share.
pub fn failed(
    heading: &'static str,
    error: ErrorBody,
    retry: Box<dyn Fn() + Send>,
    children: Option<Children>,
) -> AnyView {
    view! {
        <section class="empty-page">
            <h1>{heading}</h1>
            <ErrorCard error>
                <button type="button" class="button" on:click=press(retry)>
                    {texts::TRY_AGAIN}
                </button>
                {children.map(|children| children())}
            </ErrorCard>
        </section>
    }
    .into_any()
}

/// The part of the module that draws a page: what preloads it, the words while it loads, and the
/// heading if it cannot.
#[macro_export]
macro_rules! page_part {
    ($preload:path, $waits:expr, $heading:expr) => {
        $crate::CodePart {
            load: || Box::pin($preload()),
            waits: || $crate::loading($waits),
            fails: |error, again| {
                $crate::failed($heading, error, Box::new(move || again.run(())), None)
            },
        }
    };
}

/// Draws [`Loading`].
pub fn loading(text: &'static str) -> AnyView {
    view! { <Loading text /> }.into_any()
}
