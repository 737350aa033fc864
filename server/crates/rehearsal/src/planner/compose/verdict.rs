//! "Is that too hot?": a figure against the bound from which it is trouble.

use super::{asked, gather, merge, naming::Naming, target, trouble, units};
use crate::{planner::plan::PlanContext, texts::findings};

/// Meanings of quantities, with the ends of the fields that are judged.
const JUDGED: &[(&str, &str)] = &[
    ("temperature", "celsius"),
    ("full", "percent"),
    ("memory", "memory_percent"),
    ("cpu", "cpu_percent"),
];

/// The first sentence where it is asked whether something is too much.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    let ask = context.ask;
    if !ask.has("too") {
        return None;
    }
    let (_, end) = JUDGED.iter().find(|(meaning, _)| ask.wants(meaning))?;
    let places = context.toolbox.places.as_slice();
    let mut found: Vec<(f64, String, String)> = Vec::new();
    for done in merge::by_place(super::relevant(context), context.toolbox) {
        let whole = gather::whole(&done);
        for (key, rows) in gather::lists_of(&done).into_iter().chain(whole) {
            let naming = Naming { key: &key, places };
            for row in rows
                .iter()
                .filter(|row| asked::is_meant(row, naming, context, &done))
            {
                let figure = row.iter().find_map(|(key, value)| {
                    let leaf = key.rsplit('.').next().unwrap_or(key);
                    leaf.ends_with(end).then_some((leaf, value.as_f64()?))
                });
                if let Some((leaf, number)) = figure {
                    let name =
                        target::target(&done, context).unwrap_or_else(|| naming.name_of(row));
                    found.push((number, leaf.to_owned(), name));
                }
            }
        }
    }
    let (number, leaf, name) = found.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let limit = trouble::limit(&leaf)?;
    let shown = |number: f64| units::value(&leaf, &number.into());
    let (is, limit) = (shown((number * 10.0).round() / 10.0), shown(limit));
    let is_bad = trouble::is_bad(&leaf, &number.into());
    Some(findings::judged(&name, &is, &limit, is_bad))
}
