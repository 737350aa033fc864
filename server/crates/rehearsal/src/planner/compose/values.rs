//! Sentences about single values.

use super::{flat_row::FlatRow, naming, target::target, units};
use crate::{
    planner::{
        ask::Ask,
        plan::PlanContext,
        view::Done,
        words::{is_filler, meaning, parts},
    },
    texts::results,
};

/// A sentence about the value that the words name most plainly.
pub(super) fn value_lead(values: &FlatRow, ask: &Ask, of: Option<&str>) -> Option<String> {
    let named = |key: &str| {
        let leaf = key.rsplit('.').next().unwrap_or(key);
        let parts = parts(leaf);
        let named = parts.iter().filter(|part| {
            let part = part.as_str();
            ask.wants(&meaning(part)) && !is_filler(part)
        });
        named.count()
    };
    let values_of = || {
        values
            .iter()
            .filter(|(_, it)| it.is_number() || it.is_string())
    };
    let most = values_of().map(|(key, _)| named(key)).max()?;
    let (key, value) = values_of().find(|(key, _)| most > 0 && named(key) == most)?;
    let label = units::in_words(key);
    let stem = key.strip_suffix("used_bytes");
    let total = stem.and_then(|stem| naming::cell(values, &format!("{stem}total_bytes")));
    let whole = total.map(|total| units::value("total_bytes", total));
    let value = units::value(key, value);
    Some(results::value(&label, of, &value, whole.as_deref()))
}

/// A sentence about single values: the one that the words name, else a state, else what they are of.
pub(super) fn values_lead(
    done: &Done,
    context: PlanContext<'_>,
    scalars: &FlatRow,
) -> Option<String> {
    let ask = context.ask;
    let target = target(done, context);
    if let Some(told) = value_lead(scalars, ask, target.as_deref()) {
        return Some(told);
    }
    let target = target?;
    let mut capital = target.chars();
    let first = capital.next().map(|first| first.to_uppercase().to_string());
    let target_first = format!("{}{}", first.unwrap_or_default(), capital.as_str());
    // The figures that say most of how it fares.
    let shares = scalars
        .iter()
        .filter(|(key, value)| key.ends_with("_percent") && value.is_number());
    let mut shares: Vec<_> = shares.collect();
    shares.sort_by_key(|(key, _)| !key.contains("cpu_percent") && !key.contains("memory"));
    let shares: Vec<String> = shares
        .iter()
        .take(2)
        .map(|(key, value)| results::figure_at(&units::in_words(key), &units::value(key, value)))
        .collect();
    let figures = (!shares.is_empty()).then(|| naming::and(&shares));
    Some(match naming::state_of(scalars) {
        Some((key, value)) => {
            let state = units::value(key, value);
            results::in_state(&target_first, &state, figures.as_deref())
        }
        None => results::figures_of(&target),
    })
}
