//! The rows whose figure is beyond a bound: "up for more than 30 days".

use super::{
    asked,
    flat_row::FlatRow,
    gather, merge,
    naming::{self, Naming},
    units,
};
use crate::{
    planner::{
        ask::{Ask, Bound, BoundUnit},
        plan::PlanContext,
        words::{meaning, parts},
    },
    texts::findings::{self, RowsBeyond},
};

/// Most names in one sentence.
const NAMED: usize = 12;

/// The first sentence where the words set a bound.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    let bound = context.ask.bound?;
    let places = context.toolbox.places.as_slice();
    let (mut names, mut all, mut label, mut nouns) = (Vec::new(), 0, None, None);
    let read = merge::by_place(super::relevant(context), context.toolbox);
    for done in read.iter().filter(|done| !done.is_error) {
        for (key, rows) in naming::spoken_of(gather::counted_lists_of(done), context.ask) {
            let naming = Naming { key: &key, places };
            for row in &rows {
                if !asked::is_meant(row, naming, context, done) {
                    continue;
                }
                all += 1;
                let Some((field, number)) = figure(row, bound, context.ask) else {
                    continue;
                };
                nouns = nouns.or_else(|| key.rsplit('.').next().map(str::to_owned));
                label = label.or_else(|| Some(units::in_words(field)));
                if bound.holds(number) {
                    names.push((
                        number,
                        naming.name_of(row),
                        units::value(field, &number.into()),
                    ));
                }
            }
        }
    }
    let (label, nouns) = (label?, nouns?.replace('_', " "));
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    let have = if label == "uptime" {
        findings::BEEN_UP_FOR.to_owned()
    } else {
        label
    };
    let limit = shown(bound);
    let told: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|(_, name, value)| format!("{name}, {value}"))
        .collect();
    Some(findings::beyond(&RowsBeyond {
        all,
        nouns: &nouns,
        have: &have,
        is_over: bound.is_over,
        limit: &limit,
        count: names.len(),
        named: &told,
    }))
}

fn shown(bound: Bound) -> String {
    let key = match bound.unit {
        BoundUnit::Seconds => "_seconds",
        BoundUnit::Bytes => "_bytes",
        BoundUnit::Percent => "_percent",
        BoundUnit::Celsius => "_celsius",
    };
    units::value(key, &bound.number.into())
}

/// The figure of a row in the unit of the bound: that which the words name, else the first.
fn figure<'r>(row: &'r FlatRow, bound: Bound, ask: &Ask) -> Option<(&'r str, f64)> {
    let ends: &[(&str, f64)] = match bound.unit {
        BoundUnit::Seconds => &[("_seconds", 1.0), ("_hours", 3_600.0)],
        BoundUnit::Bytes => &[("_bytes", 1.0)],
        BoundUnit::Percent => &[("percent", 1.0)],
        BoundUnit::Celsius => &[("celsius", 1.0)],
    };
    let mut fields = row.iter().filter_map(|(key, value)| {
        let (_, factor) = ends
            .iter()
            .find(|(end, _)| key.ends_with(end) && !key.contains("total"))?;
        Some((key.as_str(), value.as_f64()? * factor))
    });
    let is_named = |key: &str| {
        let leaf = key.rsplit('.').next().unwrap_or(key);
        parts(leaf).iter().any(|part| ask.wants(&meaning(part)))
    };
    let all: Vec<(&str, f64)> = fields.by_ref().collect();
    all.iter()
        .find(|(key, _)| is_named(key))
        .or(all.first())
        .copied()
}
