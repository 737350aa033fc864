//! A block of code with its language and a button that copies it.

use leptos::prelude::*;

use crate::{format::upright, ui::CopyButton};

#[component]
pub(super) fn CodeBlock(lang: Option<String>, text: String) -> impl IntoView {
    let copy = text.clone();
    let label = lang.unwrap_or_else(|| "text".to_owned());
    view! {
        <figure class="code-block">
            <figcaption class="code-block__bar">
                <span class="code-block__lang">{label}</span>
                <CopyButton label="Copy code" text=move || Some(copy.clone()) />
            </figcaption>
            <pre tabindex="0">
                <code>{upright(text)}</code>
            </pre>
        </figure>
    }
    .into_any()
}
