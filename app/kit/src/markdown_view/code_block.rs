//! A block of code with its language and a button that copies it.

use leptos::{html, prelude::*};
use protocol::{CodeBlock, MAX_CODE_BYTES};

use super::{
    Settled,
    paint::{Highlighter, painted},
};
use crate::{
    copy_button::CopyButton,
    format::upright,
    live::{effect, live_view},
    texts,
};

#[component]
pub(super) fn CodeBlock(lang: Option<String>, text: String, settled: Settled) -> impl IntoView {
    let copy = text.clone();
    let label = lang.clone().unwrap_or_else(|| texts::PLAIN_TEXT.to_owned());
    view! {
        <figure class="code-block">
            <figcaption class="code-block__bar">
                <span class="code-block__lang">{label}</span>
                <CopyButton label=texts::COPY_CODE text=move || Some(copy.clone()) />
            </figcaption>
            <pre tabindex="0">{code(lang, text, settled)}</pre>
        </figure>
    }
    .into_any()
}

/// Draws the code as it was written; highlighted once it is finished and its language is known.
fn code(lang: Option<String>, text: String, settled: Settled) -> AnyView {
    let Some(lang) = lang.filter(|_| text.len() <= MAX_CODE_BYTES) else {
        return view! { <code>{upright(text)}</code> }.into_any();
    };
    let frame = NodeRef::<html::Code>::new();
    let highlighter = expect_context::<Highlighter>();
    // Not before the page is alive: the first tree must match the server's.
    let due = RwSignal::new(false);
    effect(move || {
        if settled() && !due.get_untracked() {
            due.set(true);
        }
    });
    let shown = move || {
        let plain = text.clone();
        if !due.get() {
            return upright(plain).into_any();
        }
        let block = CodeBlock {
            lang: lang.clone(),
            text: plain.clone(),
        };
        view! {
            <Suspense fallback=move || upright(plain.clone())>
                {
                    let block = block.clone();
                    move || {
                        let block = block.clone();
                        Suspend::new(async move {
                            let text = block.text.clone();
                            painted(block, frame, highlighter)
                                .await
                                .unwrap_or_else(|_| upright(text).into_any())
                        })
                    }
                }
            </Suspense>
        }
        .into_any()
    };
    view! { <code node_ref=frame>{live_view(shown)}</code> }.into_any()
}
