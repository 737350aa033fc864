//! The reason for a failure, in the words of its log.

use serde_json::Value;

use super::{
    asked,
    flat_row::FlatRow,
    happenings,
    naming::{self, Naming},
    period::Period,
    trouble, units,
};
use crate::{
    planner::plan::{self, PlanContext},
    texts::findings,
};

/// The first sentence about a failure, about warnings, or whether something went well.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    let of_warnings = context.ask.wants("warning");
    let of_success = asks_of_success(context);
    if !plan::failure_of(context) && !of_warnings && !of_success {
        return None;
    }
    let (key, rows) = happenings::read(context)?;
    let places = context.toolbox.places.as_slice();
    let naming = Naming { key: &key, places };
    if of_success {
        return success(&rows, naming, context);
    }
    let is_it = |row: &&FlatRow| {
        if of_warnings {
            has_warned(row)
        } else {
            has_failed(row)
        }
    };
    let failed: Vec<&FlatRow> = rows.iter().filter(is_it).collect();
    let row = meant(&failed, context);
    if of_warnings && row.is_none() {
        return Some(findings::none_has_warnings(&key.replace('_', " ")));
    }
    let Some(row) = row else {
        return Some(findings::none_failed(&key.replace('_', " ")));
    };
    let at = happenings::at(row);
    let name = naming.name_of(row);
    if of_warnings {
        let said = reason(row).unwrap_or_else(|| findings::NO_WARNING_IN_LOG.to_owned());
        return Some(findings::warned(&name, &at, said.trim_end_matches('.')));
    }
    let reason = reason(row);
    let reason = reason.as_deref().map(|it| it.trim_end_matches('.'));
    Some(findings::failed(&name, &at, reason))
}

/// "Did the backups work?"
fn asks_of_success(context: PlanContext<'_>) -> bool {
    let ask = context.ask;
    let opens = ask.said.first().is_some_and(|word| {
        matches!(
            word.as_str(),
            "did" | "have" | "has" | "were" | "was" | "are" | "is"
        )
    });
    opens
        && ask.named.iter().all(|record| record.ids.is_empty())
        && ask.any(&[
            "work",
            "worked",
            "succeed",
            "succeeded",
            "successful",
            "fail",
            "failed",
            "through",
            "well",
        ])
        && context.toolbox.happenings().is_some_and(|card| {
            context
                .view
                .done
                .iter()
                .any(|done| done.name == card.tool.name)
        })
}

/// Says how many rows of a kind failed in the period of the question, or that none did.
fn success(rows: &[FlatRow], naming: Naming<'_>, context: PlanContext<'_>) -> Option<String> {
    let period = Period::read(&context.ask.said, context.view);
    let cutoff = period.as_ref().map(|period| period.cutoff.as_str());
    let of_kind: Vec<&FlatRow> = rows
        .iter()
        .filter(|row| asked::is_since(row, cutoff) && happenings::is_of(row, context))
        .collect();
    let what = naming::cell(of_kind.first()?, "what")
        .and_then(Value::as_str)?
        .to_lowercase();
    let failed: Vec<&&FlatRow> = of_kind.iter().filter(|row| has_failed(row)).collect();
    let span = period.map_or(String::new(), |period| period.words);
    let all = of_kind.len();
    let noun = if all == 1 { what } else { format!("{what}s") };
    let Some(row) = failed.first() else {
        return Some(findings::all_succeeded(all, &noun, &span));
    };
    let why = reason(row).map_or(String::new(), |why| {
        format!(": {}", why.trim_end_matches('.'))
    });
    let newest = format!("{}{why}", naming.name_of(row));
    Some(findings::not_all_succeeded(
        failed.len(),
        all,
        &noun,
        &span,
        &newest,
    ))
}

fn has_warned(row: &FlatRow) -> bool {
    let state = naming::state_of(row).and_then(|(_, value)| value.as_str());
    state.is_some_and(|state| state.contains("warning"))
}

fn has_failed(row: &FlatRow) -> bool {
    naming::state_of(row).is_some_and(|(key, value)| trouble::is_bad(key, value))
}

/// The failure that the words mean: the one that came with them, else the newest of what they name.
fn meant<'r>(failed: &[&'r FlatRow], context: PlanContext<'_>) -> Option<&'r FlatRow> {
    let ask = context.ask;
    if let Some((_, id)) = &ask.about {
        let has_id = |row: &&&FlatRow| {
            row.iter()
                .any(|(_, value)| value.as_str().is_some_and(|text| text == id))
        };
        return failed.iter().find(has_id).or(failed.first()).copied();
    }
    let things = ask.named.iter().filter(|record| !record.ids.is_empty());
    let things: Vec<_> = things.collect();
    let is_of = |row: &FlatRow| happenings::is_of(row, context);
    let is_about = |row: &FlatRow| things.iter().any(|record| asked::is_about(row, record));
    let told = |row: &FlatRow| {
        things.iter().any(|record| {
            let log = naming::cell(row, "log")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            let mut lines = log.filter_map(Value::as_str);
            lines.any(|line| {
                record
                    .name
                    .as_ref()
                    .is_some_and(|name| line.contains(name.as_str()))
            })
        })
    };
    let rows = || failed.iter().copied();
    rows()
        .find(|row| !things.is_empty() && (is_about(row) || told(row)) && is_of(row))
        .or_else(|| rows().find(|row| !things.is_empty() && (is_about(row) || told(row))))
        .or_else(|| rows().find(|row| is_of(row)))
        .or_else(|| rows().next())
}

/// The line of the log that says it, else the error.
pub(super) fn reason(row: &FlatRow) -> Option<String> {
    let log = naming::cell(row, "log").and_then(Value::as_array);
    let mut lines = log.into_iter().flatten().filter_map(Value::as_str);
    let says = |line: &&str| {
        let line = line.to_lowercase();
        ["error", "fail", "warn"]
            .iter()
            .any(|sign| line.contains(sign))
    };
    let error = || naming::cell(row, "error").and_then(Value::as_str);
    let line = lines.find(says).or_else(error)?;
    let line = [
        "ERROR: ",
        "INFO: ",
        "TASK ERROR: ",
        "WARNINGS: ",
        "WARN: ",
        "WARNING: ",
    ]
    .iter()
    .find_map(|sign| line.strip_prefix(sign))
    .unwrap_or(line);
    Some(units::safe(line.trim()))
}
