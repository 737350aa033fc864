//! The lines of a text in a language, such as a script on a card: highlighted like a block of code.

use leptos::{
    prelude::*,
    wasm_split::{SplitLoaderError, wasm_split},
};
use protocol::{CodeBlock, CodeSpan, MAX_CODE_BYTES};

use super::paint::{Highlighter, Spans, ask, pieces};
use crate::live::{effect, live_view};

/// Draws each line by itself: plain at first, highlighted once the server has told the pieces of the
/// whole text. The lines have no line ends.
pub fn code_lines(lang: &str, lines: Vec<String>) -> Vec<AnyView> {
    let text = lines.join("\n");
    let spans = Spans::default();
    if !lang.is_empty() && text.len() <= MAX_CODE_BYTES {
        let (lang, spans) = (lang.to_owned(), spans.clone());
        let highlighter = expect_context::<Highlighter>();
        effect(move || {
            let (lang, text) = (lang.clone(), text.clone());
            let asked = asked(CodeBlock { lang, text }, spans.clone(), highlighter);
            // Without this part of the module the lines stay plain.
            leptos::task::spawn_local(async move {
                if let Err(error) = asked.await {
                    leptos::logging::warn!("{error}");
                }
            });
        });
    }
    let lengths: Vec<_> = lines.iter().map(String::len).collect();
    let found = Memo::new(move |_| by_line(&spans.read(), &lengths));
    let lines = lines.into_iter().enumerate();
    lines
        .map(|(at, line)| {
            live_view(move || {
                let found = found.read();
                pieces(&line, found.get(at).map_or(&[], Vec::as_slice))
            })
        })
        .collect()
}

#[wasm_split(chat, wasm_split_path = ::leptos::wasm_split, fallible)]
fn asked(block: CodeBlock, spans: Spans, highlighter: Highlighter) -> Result<(), SplitLoaderError> {
    ask(block, spans, highlighter);
    Ok(())
}

/// Cuts the pieces of a text at the ends of its lines, which are one byte each.
fn by_line(spans: &[CodeSpan], lengths: &[usize]) -> Vec<Vec<CodeSpan>> {
    let mut spans = spans.iter();
    let mut rest: Option<CodeSpan> = None;
    let mut lines = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (mut line, mut left) = (Vec::new(), length as u32);
        // The line's own bytes, then its end.
        let mut end = 1;
        while left + end > 0 {
            let Some(span) = rest.take().or_else(|| spans.next().copied()) else {
                break;
            };
            let own = span.bytes.min(left);
            if own > 0 {
                line.push(CodeSpan { bytes: own, ..span });
            }
            left -= own;
            let of_end = (span.bytes - own).min(end);
            end -= of_end;
            let bytes = span.bytes - own - of_end;
            rest = (bytes > 0).then_some(CodeSpan { bytes, ..span });
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use protocol::CodeKind;

    use super::*;

    #[test]
    fn pieces_are_cut_at_line_ends() {
        let span = |kind, bytes| CodeSpan { kind, bytes };
        let (text, plain) = (CodeKind::Text, CodeKind::Plain);
        // `a "b`, an empty line, `c" d`.
        let spans = [span(plain, 2), span(text, 6), span(plain, 2)];
        let lines = by_line(&spans, &[4, 0, 4]);
        assert_eq!(
            lines,
            [
                vec![span(plain, 2), span(text, 2)],
                vec![],
                vec![span(text, 2), span(plain, 2)],
            ]
        );
        assert_eq!(by_line(&[], &[3, 1]), [vec![], vec![]]);
        // More lines than the answer covers stay plain.
        assert_eq!(
            by_line(&[span(text, 2)], &[1, 5]),
            [vec![span(text, 1)], vec![]]
        );
    }
}
