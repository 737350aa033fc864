//! Steps as sh, one line each.

use super::{ProbeScript, ScriptSpan};
use crate::{
    steps::{AcceptedStep, StepSlot},
    texts,
};

/// First line of a rendered script.
pub(super) const INTERPRETER: &str = "#!/bin/sh";
/// Line that ends the script at the first step that fails.
pub(super) const STOP: &str = "set -e";

/// A script as text, with the places of its steps in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedScript {
    pub text: String,
    pub steps: Vec<RenderedStep>,
}

/// The place of a step: its words, and those of them that hold a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedStep {
    pub span: ScriptSpan,
    pub values: Vec<(StepSlot, ScriptSpan)>,
}

impl RenderedStep {
    /// The place of a slot's value, else that of the whole step.
    pub fn place(&self, slot: Option<StepSlot>) -> ScriptSpan {
        let mut values = self.values.iter();
        let value = values.find(|(own, _)| Some(*own) == slot);
        value.map_or_else(|| self.span.clone(), |(_, span)| span.clone())
    }
}

pub(super) fn render(script: &ProbeScript) -> RenderedScript {
    let mut text = format!("{INTERPRETER}\n");
    if script.stops_on_failure() {
        text.push_str(STOP);
        text.push('\n');
    }
    let steps = script
        .steps()
        .iter()
        .map(|step| push(&mut text, step))
        .collect();
    RenderedScript { text, steps }
}

fn push(text: &mut String, step: &AcceptedStep) -> RenderedStep {
    let start = text.len();
    let mut values = Vec::new();
    for word in step.words() {
        if text.len() > start {
            text.push(' ');
        }
        let at = text.len();
        text.push_str(&quoted(&word.text));
        if let Some(slot) = word.slot {
            values.push((slot, at..text.len()));
        }
    }
    let span = start..text.len();
    text.push_str("  # ");
    text.push_str(&texts::scripts::comment(step.row().about, step.seconds()));
    text.push('\n');
    RenderedStep { span, values }
}

/// A word as every POSIX shell reads it. No word of a step has a quote in it.
fn quoted(word: &str) -> String {
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// True for bytes that no shell changes, wherever they are in a word that is not the first.
pub(super) fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.,:/@=+".contains(&byte)
}
