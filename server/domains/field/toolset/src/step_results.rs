//! Output of a step as typed fields and text, with tokens in place of values.

use field_package::{
    fields::{FieldReading, FieldUnit, StepFields, TypedField},
    script::{ProbeScript, StepsPayload},
    steps::ProbeStep,
};
use field_queue::report::JobEnding;
use serde_json::{Map, Value, json};

use crate::{ports::StepResult, texts::results as say};

/// Longest text of a step, in characters; the middle of a longer one is left out.
const MAX_TEXT: usize = 4_000;
/// Records of a step that are given to a model.
const MAX_RECORDS: usize = 60;

/// Raw facts of a step that has begun.
#[derive(Debug, Clone, Copy)]
pub struct RawStep<'a> {
    /// From 1.
    pub number: u32,
    /// With tokens in place of values, as the proposal has it.
    pub covered: &'a ProbeStep,
    pub end: Option<JobEnding>,
    /// Its run is over: a step without an end never gets one.
    pub is_over: bool,
    pub ms: Option<u64>,
    pub out: &'a [u8],
    pub err: &'a [u8],
}

/// The result of a step: its output is read as it came, and then covered.
pub fn step_result(
    payload: &[u8],
    raw: RawStep<'_>,
    mut cover: impl FnMut(&str) -> String,
) -> StepResult {
    let script = StepsPayload::read(payload).ok();
    let out = String::from_utf8_lossy(raw.out);
    let err = String::from_utf8_lossy(raw.err);
    let fields = match (raw.end, &script) {
        (None, _) if raw.is_over => Err(say::NO_END.to_owned()),
        (None, _) => Err(say::STILL_RUNNING.to_owned()),
        (Some(_), None) => Err(say::NO_STEPS.to_owned()),
        (Some(_), Some(script)) => parsed(script, raw.number, &out),
    };
    let mut text = out.clone().into_owned();
    if !err.trim().is_empty() {
        text.push_str(say::ERROR_OUTPUT);
        text.push_str(&err);
    }
    StepResult {
        number: raw.number,
        step: raw.covered.clone(),
        end: raw.end,
        ms: raw.ms,
        fields: fields.map(|mut fields| {
            cover_all(&mut fields, &mut cover);
            fields
        }),
        // Covered before it is cut: half a value is not found.
        text: without_middle(&cover(&text)),
        bytes: (raw.out.len() + raw.err.len()) as u64,
    }
}

fn parsed(script: &ProbeScript, number: u32, out: &str) -> Result<Value, String> {
    let at = usize::try_from(number)
        .ok()
        .and_then(|it| it.checked_sub(1));
    let step = at.and_then(|at| script.steps().get(at));
    let step = step.ok_or_else(|| say::NO_STEPS.to_owned())?;
    let fields = step.parse(out).map_err(|error| error.to_string())?;
    Ok(fields_json(&fields))
}

/// Fields as a model reads them: by name, with units, an unknown one with its reason.
pub fn fields_json(fields: &StepFields) -> Value {
    let mut all = object(&fields.values);
    if !fields.records.is_empty() {
        let shown = fields.records.iter().take(MAX_RECORDS);
        let records: Vec<Value> = shown.map(|it| Value::Object(object(it))).collect();
        let left_out = fields.left_out + fields.records.len() - records.len();
        all.insert("records".to_owned(), Value::Array(records));
        if left_out > 0 {
            all.insert("records_left_out".to_owned(), json!(left_out));
        }
    }
    Value::Object(all)
}

fn object(fields: &[TypedField]) -> Map<String, Value> {
    let named = fields.iter().map(|field| {
        let value = match &field.value {
            FieldReading::Number(number) => json!(number),
            FieldReading::Whole(number) => json!(number),
            FieldReading::Text(text) => json!(text),
            FieldReading::Flag(flag) => json!(flag),
            FieldReading::Unknown(reason) => {
                return (field.name.to_owned(), json!({ "unknown": reason }));
            }
        };
        let value = match field.unit {
            Some(unit) => json!({ "value": value, "unit": unit_word(unit) }),
            None => value,
        };
        (field.name.to_owned(), value)
    });
    named.collect()
}

fn unit_word(unit: FieldUnit) -> Value {
    serde_json::to_value(unit).unwrap_or_default()
}

/// Covers each text of a value. Names of fields are those of the table.
fn cover_all(value: &mut Value, cover: &mut impl FnMut(&str) -> String) {
    match value {
        Value::String(text) => *text = cover(text),
        Value::Array(items) => items.iter_mut().for_each(|item| cover_all(item, cover)),
        Value::Object(fields) => fields.values_mut().for_each(|item| cover_all(item, cover)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A third of the bound from the beginning, the rest from the end, where results stand.
fn without_middle(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_TEXT {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_TEXT / 3).collect();
    let rest = MAX_TEXT - MAX_TEXT / 3;
    let tail: String = text.chars().skip(length - rest).collect();
    format!("{head}{}{tail}", say::left_out(length - MAX_TEXT))
}
