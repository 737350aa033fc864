//! What the pieces of a block of code are, for the languages that people who run systems read.
//!
//! It is a reader of words, not a parser: it goes over the text once, from left to right, never back,
//! and what it does not know is plain. So it cannot fail, and its time grows with the text alone.

mod lines;
mod rules;
mod words;

use protocol::{CodeKind, CodeSpan};

/// The pieces of a text, all of it in its order; none if the language is not known.
pub fn code_spans(lang: &str, text: &str) -> Option<Vec<CodeSpan>> {
    let lang = lang.to_ascii_lowercase();
    let mut pieces = Pieces::default();
    match &*lang {
        "diff" | "patch" => lines::diff(text, &mut pieces),
        "log" | "logs" | "journal" | "syslog" => lines::log(text, &mut pieces),
        "yaml" | "yml" => lines::yaml(text, &mut pieces),
        "toml" | "ini" | "conf" | "cfg" | "systemd" | "desktop" => lines::ini(text, &mut pieces),
        lang => words::read(text, rules::of(lang)?, &mut pieces),
    }
    Some(pieces.0)
}

/// Pieces that were read; neighbours of one kind are one piece.
#[derive(Default)]
struct Pieces(Vec<CodeSpan>);

impl Pieces {
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
