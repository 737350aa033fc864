//! Rendered scripts as steps.

use super::{
    ProbeScript, ScriptRefusal,
    render::{INTERPRETER, STOP, is_plain},
};
use crate::steps::read_words;

pub(super) fn parse(text: &str) -> Result<ProbeScript, ScriptRefusal> {
    let mut steps = Vec::new();
    let mut stop_on_failure = false;
    for (at, line) in text.split('\n').enumerate() {
        let refusal = ScriptRefusal::Line { at: at + 1 };
        if at == 0 && line == INTERPRETER {
            continue;
        }
        if line == STOP && steps.is_empty() && !stop_on_failure {
            stop_on_failure = true;
            continue;
        }
        let words = words(line).ok_or_else(|| refusal.clone())?;
        if words.is_empty() {
            continue;
        }
        steps.push(read_words(&words).ok_or(refusal)?);
    }
    ProbeScript::of(steps, stop_on_failure)
}

/// The words of a line: plain or in single quotes, one space between two of them. None for anything
/// that a shell could read in another way.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        let trimmed = rest.trim_start_matches(' ');
        if trimmed.is_empty() {
            return Some(words);
        }
        if trimmed.starts_with('#') {
            // A shell ends a comment at the line's end and nowhere else.
            return (!trimmed.chars().any(char::is_control)).then_some(words);
        }
        rest = trimmed;
        let end;
        if let Some(inner) = rest.strip_prefix('\'') {
            let (word, _) = inner.split_once('\'')?;
            let printable = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
            if !word.bytes().all(printable) {
                return None;
            }
            words.push(word.to_owned());
            end = word.len() + 2;
        } else {
            end = rest.bytes().take_while(|byte| is_plain(*byte)).count();
            if end == 0 {
                return None;
            }
            words.push(rest[..end].to_owned());
        }
        rest = &rest[end..];
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
    }
}
