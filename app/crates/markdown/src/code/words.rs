//! Reading word by word: comments, strings, numbers, keywords, names.

use protocol::CodeKind;

use super::{
    CodePieces,
    rules::{CodeRules, QuoteRule},
};

/// The longest variable in braces that is recognised, in bytes.
const LONGEST_NAME: usize = 128;

/// Reads a text, or the rest of a line.
pub(super) fn read(text: &str, rules: &CodeRules, pieces: &mut CodePieces) {
    let mut rest = text;
    let mut before = '\n';
    while let Some(first) = rest.chars().next() {
        let (kind, length) = piece(rest, first, before, rules);
        let (word, after) = rest.split_at(length);
        pieces.put(kind, length);
        before = word.chars().next_back().unwrap_or(first);
        rest = after;
    }
}

fn piece(rest: &str, first: char, before: char, rules: &CodeRules) -> (CodeKind, usize) {
    let apart = !rules.comment_apart || before.is_whitespace();
    if apart && rules.comments.iter().any(|mark| rest.starts_with(mark)) {
        return (CodeKind::Comment, line(rest));
    }
    if let Some((begin, end)) = rules.block
        && let Some(inside) = rest.strip_prefix(begin)
    {
        let length = inside.find(end).map(|at| begin.len() + at + end.len());
        return (CodeKind::Comment, length.unwrap_or(rest.len()));
    }
    if rules.lifetimes && first == '\'' {
        return quoted_or_lifetime(rest);
    }
    let quote = rules.quotes.iter().find(|it| rest.starts_with(it.mark));
    if let Some(quote) = quote {
        let length = quoted(rest, quote);
        let is_key = rules.keys && rest[length..].trim_start().starts_with(':');
        return (
            if is_key {
                CodeKind::Name
            } else {
                CodeKind::Text
            },
            length,
        );
    }
    if rules.dollar && first == '$' {
        return dollar(rest);
    }
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if !is_word(before) && (number(rest) || (first == '-' && number(&rest[1..]))) {
        return (CodeKind::Number, digits(rest));
    }
    if is_word(first) {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        let is_keyword = if rules.any_case {
            rules
                .keywords
                .iter()
                .any(|it| it.eq_ignore_ascii_case(word))
        } else {
            rules.keywords.contains(&word)
        };
        let kind = if is_keyword {
            CodeKind::Keyword
        } else if after.starts_with(['(', '!']) && !after.starts_with("!=") {
            CodeKind::Name
        } else {
            CodeKind::Plain
        };
        return (kind, length);
    }
    (CodeKind::Plain, first.len_utf8())
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of the line, without its end.
fn line(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// Returns the length of a quoted text with its marks; up to the end of the line if it is not
/// closed there.
pub(super) fn quoted(rest: &str, quote: &QuoteRule) -> usize {
    let mut inside = rest[quote.mark.len()..].char_indices();
    while let Some((at, c)) = inside.next() {
        let at = quote.mark.len() + at;
        if c == '\\' && quote.escapes {
            inside.next();
        } else if c == '\n' && !quote.long {
            return at;
        } else if rest[at..].starts_with(quote.mark) {
            return at + quote.mark.len();
        }
    }
    rest.len()
}

/// Reads `'x'` or `'
/// '` as a character, `'a` as a lifetime.
fn quoted_or_lifetime(rest: &str) -> (CodeKind, usize) {
    let mut inside = rest[1..].char_indices();
    match inside.next() {
        Some((_, '\\')) => {
            let escape = QuoteRule {
                mark: "'",
                escapes: true,
                long: false,
            };
            (CodeKind::Text, quoted(rest, &escape))
        }
        Some((_, c)) if rest[1 + c.len_utf8()..].starts_with('\'') => {
            (CodeKind::Text, c.len_utf8() + 2)
        }
        Some((_, c)) if is_word(c) => {
            let name = rest[1..].find(|c| !is_word(c));
            (CodeKind::Name, name.map_or(rest.len(), |at| at + 1))
        }
        _ => (CodeKind::Plain, 1),
    }
}

/// Reads `$NAME`, `${NAME…}`, `$1`, `$?`.
fn dollar(rest: &str) -> (CodeKind, usize) {
    let after = &rest[1..];
    let length = match after.chars().next() {
        // A bounded distance, so that thousands of open braces do not each scan the whole text.
        Some('{') => {
            let near = after.bytes().take(LONGEST_NAME);
            let mut near = near.take_while(|byte| *byte != b'\n');
            near.position(|byte| byte == b'}').map_or(1, |at| at + 2)
        }
        Some(c) if is_word(c) => 1 + after.find(|c| !is_word(c)).unwrap_or(after.len()),
        Some('?' | '@' | '*' | '#' | '$' | '!') => 2,
        _ => return (CodeKind::Plain, 1),
    };
    (CodeKind::Name, length)
}

/// Returns the length of a number with its sign, point, exponent and unit; `1..2` is two numbers.
pub(super) fn digits(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let inside = (at == 0 && c == '-')
            || is_word(c)
            || (c == '.' && next.is_some_and(|next| next.is_ascii_digit()));
        if !inside {
            return at;
        }
    }
    rest.len()
}
