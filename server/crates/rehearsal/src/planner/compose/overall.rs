//! The overall state, in one sentence.

use super::{naming::and, summary};
use crate::{
    planner::plan::{self, PlanContext},
    texts::findings,
};

/// Troubles that the sentence names.
const NAMED: usize = 3;

/// The first sentence where it is asked whether all is well, or anything is wrong.
pub(super) fn of(
    context: PlanContext<'_>,
    lead: Option<&str>,
    troubles: &[String],
) -> Option<String> {
    if !plan::is_overall(context) || summary::is_told(context) {
        return None;
    }
    let told = lead.map(|lead| lead.trim_end_matches('.').trim_end_matches(", sir"));
    let whole = told.map(|told| {
        let mut signs = told.chars();
        let first = signs.next().map(char::to_lowercase);
        format!(
            "{}{}",
            first.into_iter().flatten().collect::<String>(),
            signs.as_str()
        )
    });
    let whole = whole.unwrap_or_else(|| findings::WHAT_WAS_READ.to_owned());
    let of_trouble = [
        "wrong",
        "problem",
        "problems",
        "issue",
        "issues",
        "attention",
        "trouble",
        "worry",
        "troubles",
        "fire",
        "concern",
        "concerns",
        "broken",
    ];
    let seeks = context.ask.any(&of_trouble);
    // Failures come before high figures.
    let is_figure = |it: &&String| it.ends_with(" %**") || it.ends_with(" °C**");
    let failed = troubles.iter().filter(|it| !is_figure(it));
    let sorted = failed.chain(troubles.iter().filter(is_figure));
    let mut named: Vec<String> = sorted.take(NAMED).map(|it| brief(it)).collect();
    let more = troubles.len().saturating_sub(named.len());
    if more > 0 {
        named.push(findings::more(more));
    }
    let named = (!troubles.is_empty()).then(|| and(&named));
    Some(findings::overall(&whole, named.as_deref(), seeks))
}

/// A trouble without the names of many things.
fn brief(trouble: &str) -> String {
    let plain = trouble.replace("**", "");
    match plain.split_once(": ") {
        Some((what, names)) if names.split(", ").count() > 2 => what.to_owned(),
        _ => plain,
    }
}
