//! Answers of the tools that draw.

use serde_json::{Value, json};

use super::{
    super::{Answer, ToolProblem},
    say,
};
use crate::{drawing::Drawing, texts};

/// The record with only the newest change of its history, and without what only a replay of the past compares.
pub(super) fn record(drawing: &Drawing) -> Result<Value, ToolProblem> {
    let mut short = drawing.clone();
    let surplus = short.changes.len().saturating_sub(1);
    short.changes.drain(..surplus);
    short.known_at = None;
    super::super::json(&short)
}

pub(super) fn removed(drawing: &Drawing) -> Result<Answer, ToolProblem> {
    Ok(Answer {
        summary: texts::drawings::removed(&say::a(drawing)),
        data: json!({ "drawing": record(drawing)? }),
    })
}

pub(super) fn taken_back(changed: &[&Drawing], kept: &[String]) -> Answer {
    let ids: Vec<&str> = changed.iter().map(|drawing| &drawing.id[..]).collect();
    let mut summary = texts::drawings::taken_back_drawings(ids.len());
    if !kept.is_empty() {
        summary.push_str(&texts::drawings::changed_drawings_stay(kept.len()));
    }
    Answer {
        summary,
        data: json!({ "undone": ids, "kept": kept }),
    }
}
