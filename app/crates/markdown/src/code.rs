//! Splits a block of code into highlighted pieces, for the languages that operators read.
//!
//! It is a scanner, not a parser: it goes over the text once, from left to right, never back, and
//! leaves plain what it does not know. So it cannot fail, and its time is linear in the text.

mod lines;
mod rules;
mod words;

use protocol::{CodeKind, CodeSpan};

/// Returns the pieces of a text, all of it in order; none if the language is unknown.
pub fn code_spans(lang: &str, text: &str) -> Option<Vec<CodeSpan>> {
    let lang = lang.to_ascii_lowercase();
    let mut pieces = CodePieces::default();
    match &*lang {
        "diff" | "patch" => lines::diff(text, &mut pieces),
        "log" | "logs" | "journal" | "syslog" => lines::log(text, &mut pieces),
        "yaml" | "yml" => lines::yaml(text, &mut pieces),
        "toml" | "ini" | "conf" | "cfg" | "systemd" | "desktop" => lines::ini(text, &mut pieces),
        lang => words::read(text, rules::of(lang)?, &mut pieces),
    }
    Some(pieces.0)
}

/// The pieces read so far; adjacent pieces of one kind are merged.
#[derive(Default)]
struct CodePieces(Vec<CodeSpan>);

impl CodePieces {
    fn put(&mut self, kind: CodeKind, bytes: usize) {
        let Ok(bytes) = u32::try_from(bytes) else {
            return;
        };
        match self.0.last_mut() {
            _ if bytes == 0 => {}
            Some(last) if last.kind == kind => last.bytes += bytes,
            _ => self.0.push(CodeSpan { kind, bytes }),
        }
    }
}

#[cfg(test)]
mod tests;
