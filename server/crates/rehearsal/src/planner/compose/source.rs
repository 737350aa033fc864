//! The link from the first sentence to the call that it rests on.

use super::relevant;
use crate::planner::plan::Desk;

/// Appends the link to a text that ends with a sentence.
pub(super) fn append(desk: Desk<'_>, text: &mut String) {
    let rests_on = relevant(desk);
    let first = rests_on.iter().find(|done| !done.is_error);
    let place = first.and_then(|first| {
        let mut done = desk.view.done.iter();
        done.position(|done| std::ptr::eq(done, *first))
    });
    if let Some(at) = place
        && text.ends_with('.')
    {
        text.push_str(&format!(" [{0}](/#call-{0})", at + 1));
    }
}
