//! Highlighting of finished blocks of code. The server returns the pieces, for all blocks at once
//! that come into view.

use std::{cell::RefCell, future::Future, pin::Pin, time::Duration};

use leptos::{
    html,
    prelude::*,
    wasm_split::{SplitLoaderError, wasm_split},
};
use protocol::{CodeBlock, CodeKind, CodeSpan, ErrorBody, MAX_CODE_BLOCKS, MAX_CODE_BYTES};
use wasm_bindgen::{JsCast, closure::Closure};

use crate::{
    browser,
    format::upright,
    live::{effect, live_view},
};

/// Time in which blocks that come into view are collected for one request.
const PAUSE: Duration = Duration::from_millis(60);
/// The most highlighted blocks kept, for pages that show them again.
const MOST_KNOWN: usize = 64;

/// The request for the pieces of blocks of code, as a context of the page: for each block its own.
#[derive(Clone, Copy)]
pub struct Highlighter(pub fn(Vec<CodeBlock>) -> Highlighting);

/// The answer to come.
pub type Highlighting = Pin<Box<dyn Future<Output = Result<Vec<Vec<CodeSpan>>, ErrorBody>>>>;

pub(super) type Spans = ArcRwSignal<Vec<CodeSpan>>;

#[derive(Default)]
struct PaintContext {
    known: Vec<(CodeBlock, Vec<CodeSpan>)>,
    waiting: Vec<(CodeBlock, Spans)>,
    due: bool,
}

thread_local! {
    static DESK: RefCell<PaintContext> = RefCell::default();
}

/// Draws a block, highlighted once it has come into view. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(chat, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn painted(
    block: CodeBlock,
    frame: NodeRef<html::Code>,
    highlighter: Highlighter,
) -> Result<AnyView, SplitLoaderError> {
    let spans = Spans::new(Vec::new());
    {
        let (block, spans) = (block.clone(), spans.clone());
        effect(move || {
            if let Some(frame) = frame.get() {
                let (block, spans) = (block.clone(), spans.clone());
                when_in_view(&frame, move || ask(block, spans, highlighter));
            }
        });
    }
    Ok(live_view(move || pieces(&block.text, &spans.read())))
}

/// Draws the pieces of a text; text outside the spans is plain.
pub(super) fn pieces(text: &str, spans: &[CodeSpan]) -> AnyView {
    let mut rest = text;
    let mut views = Vec::new();
    for span in spans {
        let Some((piece, after)) = rest.split_at_checked(span.bytes as usize) else {
            break;
        };
        let piece = upright(piece.to_owned());
        views.push(match class(span.kind) {
            Some(class) => view! { <span class=class>{piece}</span> }.into_any(),
            None => piece.into_any(),
        });
        rest = after;
    }
    if !rest.is_empty() {
        views.push(upright(rest.to_owned()).into_any());
    }
    views.into_any()
}

fn class(kind: CodeKind) -> Option<&'static str> {
    Some(match kind {
        CodeKind::Plain | CodeKind::Unknown => return None,
        CodeKind::Comment => "code-comment",
        CodeKind::Keyword => "code-keyword",
        CodeKind::Text => "code-text",
        CodeKind::Number => "code-number",
        CodeKind::Name => "code-name",
        CodeKind::Head => "code-head",
        CodeKind::Added => "code-added",
        CodeKind::Removed => "code-removed",
        CodeKind::Bad => "code-bad",
        CodeKind::Warning => "code-warning",
    })
}

/// Runs once when an element comes into view.
fn when_in_view(element: &web_sys::Element, act: impl FnOnce() + 'static) {
    let seen = Closure::once_into_js(act);
    let watch = Closure::<dyn FnMut(js_sys::Array, web_sys::IntersectionObserver)>::new(
        move |entries: js_sys::Array, observer: web_sys::IntersectionObserver| {
            let here = entries.iter().any(|entry| {
                let entry = entry.dyn_into::<web_sys::IntersectionObserverEntry>();
                entry.is_ok_and(|entry| entry.is_intersecting())
            });
            if here {
                observer.disconnect();
                let act: &js_sys::Function = seen.unchecked_ref();
                browser::report(act.call0(&wasm_bindgen::JsValue::NULL));
            }
        },
    );
    let watch = watch.into_js_value();
    match web_sys::IntersectionObserver::new(watch.unchecked_ref()) {
        Ok(observer) => {
            observer.observe(element);
            let observer = StoredValue::new_local(observer);
            on_cleanup(move || {
                observer.try_with_value(web_sys::IntersectionObserver::disconnect);
            });
        }
        Err(error) => browser::report(Err::<(), _>(error)),
    }
}

pub(super) fn ask(block: CodeBlock, spans: Spans, highlighter: Highlighter) {
    let first = DESK.with_borrow_mut(|desk| {
        let known = desk.known.iter().find(|(known, _)| *known == block);
        if let Some((_, known)) = known {
            spans.set(known.clone());
            return false;
        }
        desk.waiting.push((block, spans));
        !std::mem::replace(&mut desk.due, true)
    });
    if first {
        set_timeout(move || send(highlighter), PAUSE);
    }
}

/// Takes as many blocks as fit into one request; the rest waits for the next.
fn take() -> Vec<(CodeBlock, Spans)> {
    DESK.with_borrow_mut(|desk| {
        let mut bytes = 0;
        let first = desk.waiting.iter().take(MAX_CODE_BLOCKS);
        let fits = first.take_while(|(block, _)| {
            bytes += block.text.len();
            bytes <= MAX_CODE_BYTES
        });
        let count = fits.count();
        desk.waiting.drain(..count).collect()
    })
}

fn send(highlighter: Highlighter) {
    let asked = take();
    if asked.is_empty() {
        DESK.with_borrow_mut(|desk| desk.due = false);
        return;
    }
    leptos::task::spawn_local(async move {
        let blocks = asked.iter().map(|(block, _)| block.clone()).collect();
        match (highlighter.0)(blocks).await {
            Ok(found) => {
                for ((block, spans), found) in asked.into_iter().zip(found) {
                    DESK.with_borrow_mut(|desk| {
                        if desk.known.len() >= MOST_KNOWN {
                            desk.known.remove(0);
                        }
                        desk.known.push((block, found.clone()));
                    });
                    spans.set(found);
                }
            }
            // The blocks stay without highlighting.
            Err(error) => leptos::logging::warn!("{}", error.message),
        }
        send(highlighter);
    });
}
