//! Line-based languages: diffs, logs and configuration files.

use protocol::CodeKind;

use super::{
    CodePieces,
    rules::{self, CodeRules},
    words::{self, is_word},
};

/// Reads a diff.
pub(super) fn diff(text: &str, pieces: &mut CodePieces) {
    for line in text.split_inclusive('\n') {
        let begins = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
        let kind = if begins(&[
            "diff ",
            "index ",
            "--- ",
            "+++ ",
            "new file",
            "deleted file",
        ]) {
            CodeKind::Comment
        } else if begins(&["@@"]) {
            CodeKind::Head
        } else if begins(&["+"]) {
            CodeKind::Added
        } else if begins(&["-"]) {
            CodeKind::Removed
        } else {
            CodeKind::Plain
        };
        pieces.put(kind, line.len());
    }
}

/// Reads log lines with a time and a level, as programs write them.
pub(super) fn log(text: &str, pieces: &mut CodePieces) {
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let time = rest
            .find(|c: char| !(c.is_ascii_digit() || "-:.,TZ+/ []".contains(c)))
            .filter(|at| rest[..*at].contains(':'));
        if let Some(time) = time {
            let time = rest[..time].trim_end().len();
            pieces.put(CodeKind::Comment, time);
            rest = &rest[time..];
        }
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|c| is_word(c) != is_word(first));
            let (word, after) = rest.split_at(word.unwrap_or(rest.len()));
            pieces.put(level(word), word.len());
            rest = after;
        }
    }
}

fn level(word: &str) -> CodeKind {
    let is = |words: &[&str]| words.iter().any(|it| it.eq_ignore_ascii_case(word));
    if is(&[
        "error", "err", "fatal", "crit", "critical", "panic", "emerg", "alert", "fail", "failed",
        "failure",
    ]) {
        CodeKind::Bad
    } else if is(&["warn", "warning"]) {
        CodeKind::Warning
    } else if is(&["info", "debug", "trace", "notice"]) {
        CodeKind::Keyword
    } else {
        CodeKind::Plain
    }
}

/// Reads keys before colons, with indentation for nesting.
pub(super) fn yaml(text: &str, pieces: &mut CodePieces) {
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let lead = rest.len() - rest.trim_start_matches([' ', '-', '\t']).len();
        pieces.put(CodeKind::Plain, lead);
        rest = &rest[lead..];
        if rest.starts_with('#') {
            pieces.put(CodeKind::Comment, rest.len());
            continue;
        }
        let ends =
            |at: &usize| rest[at + 1..].starts_with([' ', '\n', '\r']) || at + 1 == rest.len();
        let key = rest.match_indices(':').map(|(at, _)| at).find(ends);
        // A colon in a quoted text does not end a key.
        let key = key.filter(|at| !rest[..*at].contains(['"', '\'', '#', '{', '[']));
        if let Some(key) = key {
            pieces.put(CodeKind::Name, key);
            pieces.put(CodeKind::Plain, 1);
            rest = &rest[key + 1..];
        }
        values(rest, pieces);
    }
}

/// Reads sections, and keys before equals signs.
pub(super) fn ini(text: &str, pieces: &mut CodePieces) {
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start();
        pieces.put(CodeKind::Plain, line.len() - rest.len());
        if rest.starts_with(['#', ';']) {
            pieces.put(CodeKind::Comment, rest.len());
        } else if rest.starts_with('[') && rest.trim_end().ends_with(']') {
            pieces.put(CodeKind::Head, rest.len());
        } else if let Some(key) = rest
            .find('=')
            .filter(|at| !rest[..*at].contains(['"', '\'']))
        {
            pieces.put(CodeKind::Name, key);
            pieces.put(CodeKind::Plain, 1);
            values(&rest[key + 1..], pieces);
        } else {
            values(rest, pieces);
        }
    }
}

static VALUES: CodeRules = CodeRules {
    comments: &["#"],
    comment_apart: true,
    keywords: &["true", "false", "null", "yes", "no", "on", "off"],
    ..rules::PLAIN
};

fn values(rest: &str, pieces: &mut CodePieces) {
    words::read(rest, &VALUES, pieces);
}
