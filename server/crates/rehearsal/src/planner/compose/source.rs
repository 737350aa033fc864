//! The link from the first sentence to the call that it rests on.

use super::relevant;
use crate::planner::plan::PlanContext;

/// Appends the link to a text that ends with a sentence.
pub(super) fn append(context: PlanContext<'_>, text: &mut String) {
    let rests_on = relevant(context);
    let first = rests_on.iter().find(|done| !done.is_error);
    if let Some(done) = first
        && text.ends_with('.')
    {
        text.push_str(&format!(" [{0}](/#call-{0})", done.number));
    }
}
