//! Makes the end of an unfinished text presentable: half-typed syntax is hidden or shown as if it
//! were complete. Nothing here touches text that is final.

use std::borrow::Cow;

use crate::{
    Inline,
    pieces::{InlinePiece, merge},
};

/// The most emphases that are closed at the end of a paragraph.
const MAX_CLOSED: usize = 8;

/// Returns the source without an end that cannot be judged until more has arrived.
pub(crate) fn trim(source: &str, in_table: bool) -> Cow<'_, str> {
    let (before, last) = match source.rfind('\n') {
        Some(at) => source.split_at(at + 1),
        None => ("", source),
    };
    if is_bare_marker(last.trim()) {
        return Cow::Borrowed(before);
    }
    if !in_table {
        if let Some(table) = complete_table_head(before, last) {
            return Cow::Owned(table);
        }
        let after_row = before.lines().next_back().is_some_and(is_row);
        if last.starts_with('|') && !after_row {
            return Cow::Borrowed(before);
        }
    }
    let text = source.trim_end_matches(['*', '_', '~', '`']);
    Cow::Borrowed(text)
}

/// Returns whether a line is a list item, heading, quote, rule or underline whose text has not
/// arrived.
fn is_bare_marker(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match line.as_bytes() {
        [] => false,
        [
            first @ (b'-' | b'=' | b'#' | b'+' | b'*' | b'_' | b'`' | b'~' | b'>'),
            rest @ ..,
        ] => rest.iter().all(|c| c == first),
        [b'|'] => true,
        _ => line.len() - digits.len() <= 3 && matches!(digits, "" | "." | ")"),
    }
}

fn is_row(line: &str) -> bool {
    line.starts_with('|')
}

/// Returns a table whose second line is still arriving, with that line as it will probably be.
fn complete_table_head(before: &str, last: &str) -> Option<String> {
    let head = before.strip_suffix('\n')?;
    let (earlier, head) = match head.rfind('\n') {
        Some(at) => (&head[..at], &head[at + 1..]),
        None => ("", head),
    };
    let is_head = is_row(head) && head.len() > 1 && head.trim_end().ends_with('|');
    let is_first = !earlier.lines().next_back().is_some_and(is_row);
    let is_delimiter = last.bytes().all(|c| matches!(c, b'|' | b'-' | b':' | b' '));
    if !(is_head && is_first && is_delimiter) {
        return None;
    }
    let columns = head.matches('|').count() - head.matches("\\|").count();
    let cells = "---|".repeat(columns.saturating_sub(1));
    Some(format!("{before}|{cells}"))
}

/// Closes code spans, links and emphasis that are open at the end of a paragraph.
pub(crate) fn close_open(pieces: Vec<InlinePiece>, source: &str) -> Vec<InlinePiece> {
    let mut pieces = join_runs(pieces, source);
    close_code(&mut pieces, source);
    close_link(&mut pieces, source);
    for _ in 0..MAX_CLOSED {
        if !close_emphasis(&mut pieces, source) {
            break;
        }
    }
    pieces
}

/// Joins unmatched delimiters, which the parser returns one by one, into runs.
fn join_runs(pieces: Vec<InlinePiece>, source: &str) -> Vec<InlinePiece> {
    let mut joined: Vec<InlinePiece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if let (Some(run), Some(last)) = (delimiter(&piece, source), joined.last_mut())
            && last.range.end == piece.range.start
            && delimiter(last, source).is_some_and(|before| before.starts_with(&run[..1]))
            && let Inline::Text(text) = &mut last.inline
        {
            text.push_str(run);
            last.range.end = piece.range.end;
            continue;
        }
        joined.push(piece);
    }
    joined
}

/// Returns the text of a piece that is a run of one delimiter and was not escaped.
fn delimiter<'a>(piece: &InlinePiece, source: &'a str) -> Option<&'a str> {
    if !matches!(piece.inline, Inline::Text(_)) || source[..piece.range.start].ends_with('\\') {
        return None;
    }
    let run = &source[piece.range.clone()];
    let first = run.chars().next()?;
    (matches!(first, '*' | '_' | '~' | '`') && run.chars().all(|c| c == first)).then_some(run)
}

fn close_code(pieces: &mut Vec<InlinePiece>, source: &str) {
    let open = pieces
        .iter()
        .position(|piece| delimiter(piece, source).is_some_and(|run| run.starts_with('`')));
    let (Some(open), Some(last)) = (open, pieces.last()) else {
        return;
    };
    let range = pieces[open].range.end..last.range.end;
    let code = &source[range.clone()];
    if code.contains('\n') {
        return;
    }
    let inline = Inline::Code(code.trim_start().to_owned());
    let is_empty = range.is_empty();
    pieces.truncate(open);
    if !is_empty {
        pieces.push(InlinePiece { inline, range });
    }
}

/// Shows `[label` and `[label](addr` as their label until the link is complete.
fn close_link(pieces: &mut Vec<InlinePiece>, source: &str) {
    let text = |piece: &InlinePiece| match &piece.inline {
        Inline::Text(_) => &source[piece.range.clone()],
        _ => "",
    };
    let Some(open) = pieces
        .iter()
        .rposition(|piece| matches!(text(piece), "[" | "!["))
    else {
        return;
    };
    let before = source[..pieces[open].range.start].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || c == '\\') {
        return;
    }
    let close = pieces[open..].iter().position(|piece| text(piece) == "]");
    match close.map(|at| open + at) {
        None => {
            pieces.remove(open);
        }
        Some(close) => {
            let end = pieces.last().map_or(0, |last| last.range.end);
            let rest = &source[pieces[close].range.end..end];
            if rest.starts_with('(') && !rest.contains([')', '\n']) {
                pieces.truncate(close);
                pieces.remove(open);
            }
        }
    }
}

/// Closes the last emphasis that is open. Returns whether there was one.
fn close_emphasis(pieces: &mut Vec<InlinePiece>, source: &str) -> bool {
    let Some((at, run)) = pieces.iter().enumerate().rev().find_map(|(at, piece)| {
        let run = delimiter(piece, source)?;
        can_open(run, &piece.range, source).then_some((at, run))
    }) else {
        return false;
    };
    let inner = pieces.split_off(at + 1);
    let opener = pieces.pop();
    let (Some(opener), Some(last)) = (opener, inner.last()) else {
        return true;
    };
    let range = opener.range.start..last.range.end;
    let inner = merge(inner, false);
    let inline = match (run.as_bytes()[0], run.len()) {
        (b'~', _) => Inline::Strike(inner),
        (_, 1) => Inline::Emph(inner),
        (_, 2) => Inline::Strong(inner),
        _ => Inline::Strong(vec![Inline::Emph(inner)]),
    };
    pieces.push(InlinePiece { inline, range });
    true
}

/// Stricter than the parser, so that `2*3` and `~5` stay as they are.
fn can_open(run: &str, range: &std::ops::Range<usize>, source: &str) -> bool {
    let before = source[..range.start].chars().next_back();
    let after = source[range.end..].chars().next();
    let kind = match run.as_bytes()[0] {
        b'~' => run.len() == 2,
        b'*' | b'_' => run.len() <= 3,
        _ => false,
    };
    kind && !before.is_some_and(char::is_alphanumeric) && !after.is_none_or(char::is_whitespace)
}
