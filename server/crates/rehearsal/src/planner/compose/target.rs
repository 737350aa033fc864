//! The object of a call.

use super::units;
use crate::planner::{plan::PlanContext, records, view::Done};

/// The object of a call, by its input: `node pve`.
pub(super) fn target(done: &Done, context: PlanContext<'_>) -> Option<String> {
    let input = done.input.as_object()?;
    let place = input.iter().find(|(key, value)| {
        value.is_string() && context.toolbox.is_place(key) && *key != "command"
    });
    if let Some((key, value)) = place {
        return Some(format!(
            "{} {}",
            key.replace('_', " "),
            units::safe(value.as_str()?)
        ));
    }
    let (_, id) = input.iter().find(|(key, _)| records::is_id(key))?;
    let known = context.toolbox.known.iter().chain(&context.ask.named);
    let is_it = |record: &&records::Record| {
        let mut ids = record.ids.iter();
        ids.any(|(_, known)| Some(*known) == id.as_i64())
    };
    let name = known
        .filter(is_it)
        .find_map(|record| record.name.as_deref());
    Some(name.map_or_else(|| id.to_string(), units::safe))
}
