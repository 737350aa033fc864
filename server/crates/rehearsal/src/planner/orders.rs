//! Different orders in one message: "restart truenas and then stop nextcloud".

use super::{
    Call, MOST_STEPS, action,
    area::Area,
    ask, calls, compose,
    plan::{self, PlanContext},
    told,
    toolbox::Toolbox,
    view::{Done, View},
};
use crate::{
    reply::Block,
    request::{Choice, Request},
};

/// Orders of one message; more are more than a person follows.
const MOST: usize = 4;
/// Separators of orders, the least ambiguous first.
const BETWEEN: [&str; 6] = [" and then ", ", then ", "; ", " then ", ", and ", " and "];

/// Plans or answers each order as if it stood alone; none if the words are not several orders.
pub(super) fn answer(request: &Request, areas: &[Area]) -> Option<Vec<Block>> {
    let whole = View::of(request, areas);
    let parts = parts(&whole.question)?;
    if !matches!(request.choice, Choice::Auto) || !request.parallel {
        return None;
    }
    let views: Vec<View<'_>> = parts
        .iter()
        .map(|part| alone(request, areas, part))
        .collect();
    let mut planned: Vec<Call> = Vec::new();
    let mut said = Vec::new();
    for view in &views {
        let toolbox = Toolbox::of(view);
        let ask = ask::read(view, &toolbox);
        let context = PlanContext {
            view,
            ask: &ask,
            toolbox: &toolbox,
        };
        if view.steps < MOST_STEPS {
            for call in plan::calls(context) {
                if !planned.contains(&call) {
                    planned.push(call);
                }
            }
        }
        said.push(compose::answer(context));
    }
    let toolbox = Toolbox::of(&whole);
    let reads = |call: &Call| toolbox.card(&call.name).is_some_and(|card| card.reads);
    // What has to be looked up comes first, so that all cards come together.
    if planned.iter().any(reads) {
        planned.retain(reads);
    }
    if planned.is_empty() {
        let thought = compose::thought(&whole);
        return Some(told(thought, &said.join("\n\n"), &whole));
    }
    Some(calls(planned))
}

/// The orders, if all parts are plain ones.
fn parts(question: &str) -> Option<Vec<&str>> {
    BETWEEN.iter().find_map(|between| {
        let parts: Vec<&str> = question
            .split(between)
            .map(|part| part.trim().trim_end_matches([',', '.', '!']))
            .collect();
        let fits = (2..=MOST).contains(&parts.len()) && parts.iter().all(|part| is_order(part));
        fits.then_some(parts)
    })
}

fn is_order(part: &str) -> bool {
    action::read(part).is_some_and(|action| {
        action.command.is_none() && !action.rest.is_empty() && action::doubt(&action).is_none()
    })
}

/// The conversation as if one order had been given: without what was done for the others.
fn alone<'r>(request: &'r Request, areas: &'r [Area], part: &str) -> View<'r> {
    let mut view = View::of(request, areas);
    part.clone_into(&mut view.question);
    let kept: Vec<bool> = {
        let toolbox = Toolbox::of(&view);
        let ask = ask::read(&view, &toolbox);
        let is_about = |done: &Done| {
            let fields = done.input.as_object();
            fields.into_iter().flatten().any(|(_, value)| {
                let ids = ask.named.iter().flat_map(|record| &record.ids);
                ids.clone().any(|(_, id)| value.as_i64() == Some(*id))
            })
        };
        let done = view.done.iter();
        done.map(|done| {
            let reads = toolbox.card(&done.name).is_some_and(|card| card.reads);
            reads || is_about(done)
        })
        .collect()
    };
    let mut kept = kept.into_iter();
    view.done.retain(|_| kept.next().unwrap_or(true));
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_several_plain_orders_are_taken_apart() {
        for (question, expect) in [
            (
                "restart truenas and then stop nextcloud",
                Some(vec!["restart truenas", "stop nextcloud"]),
            ),
            (
                "stop media, then start windows-11.",
                Some(vec!["stop media", "start windows-11"]),
            ),
            ("restart truenas and nextcloud", None),
            ("restart truenas and don't stop nextcloud", None),
            ("restart truenas and tell me why it failed", None),
            ("which VMs are stopped and which run?", None),
        ] {
            assert_eq!(parts(question), expect, "{question}");
        }
    }
}
