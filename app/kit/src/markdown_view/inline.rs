//! Running text as views.

use leptos::prelude::*;
use markdown::Inline;
use protocol::SOURCE;

use crate::format::upright;

/// Draws pieces of running text.
pub(super) fn inlines(content: Vec<Inline>) -> Vec<AnyView> {
    content.into_iter().map(inline).collect()
}

fn inline(inline: Inline) -> AnyView {
    match inline {
        Inline::Text(text) => upright(text).into_any(),
        Inline::Code(text) => view! { <code>{upright(text)}</code> }.into_any(),
        Inline::Emph(children) => view! { <em>{inlines(children)}</em> }.into_any(),
        Inline::Strong(children) => view! { <strong>{inlines(children)}</strong> }.into_any(),
        Inline::Strike(children) => view! { <s>{inlines(children)}</s> }.into_any(),
        Inline::Link {
            href,
            title,
            children,
        } => {
            // A model may have the address from text that it read, so the target gets no handle on
            // this page.
            let outside = !href.starts_with('/') || href.starts_with("//");
            let source = href.starts_with(SOURCE).then_some("source");
            view! {
                <a
                    class=source
                    href=href
                    title=title
                    target=outside.then_some("_blank")
                    rel=outside.then_some("noopener noreferrer nofollow")
                >
                    {inlines(children)}
                </a>
            }
            .into_any()
        }
        Inline::SoftBreak => " ".into_any(),
        Inline::HardBreak => view! { <br /> }.into_any(),
    }
}
