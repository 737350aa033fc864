//! Questions for tools that this conversation lacks, but a page of another area has.

use super::PlanContext;
use crate::planner::{
    area::Area,
    span::is_span,
    words::{close, is_filler, meaning, parts, words},
};

/// The share of the words that an example of another area has to have.
const LEAST: f64 = 0.6;

/// Title and path of the page whose tools answer what these do not.
pub(in crate::planner) fn elsewhere<'d>(context: PlanContext<'d>) -> Option<&'d (String, String)> {
    let view = context.view;
    let absent = view.areas.iter().filter(|area| {
        let mut tools = area.tools.iter();
        !tools.any(|(name, _)| view.tool(name).is_some())
    });
    let fitting = absent.filter(|area| is_meant(context, area));
    let mut pages = fitting.filter_map(|area| area.page.as_ref());
    pages.next()
}

fn is_meant(context: PlanContext<'_>, area: &Area) -> bool {
    let ask = context.ask;
    // What has a name here is not another area's.
    if ask.named.iter().any(|record| !record.ids.is_empty()) {
        return false;
    }
    if let Some(action) = &ask.action {
        let has_verb = |name: &str| {
            let name = parts(name);
            action
                .verbs
                .iter()
                .any(|verb| name.iter().any(|part| part == verb))
        };
        // A verb alone says nothing: everything can be deleted.
        return super::is_beyond(context)
            && area.tools.iter().any(|(name, _)| has_verb(name))
            && ask.said.iter().any(|word| {
                let is_object = !is_filler(word) && !action.verbs.contains(&word.as_str());
                is_object && is_of(area, word)
            });
    }
    if ask.talk.is_some() {
        return false;
    }
    let routine = area.routine;
    if routine.is_some_and(|routine| routine.is_meant(&ask.question, &area.names)) {
        return true;
    }
    let said: Vec<&String> = ask
        .said
        .iter()
        .filter(|word| !is_filler(word) && !is_span(word) && word.parse::<f64>().is_err())
        .collect();
    let share = |knows: &dyn Fn(&str) -> bool| {
        let known = said.iter().filter(|word| knows(word)).count();
        known as f64 / said.len().max(1) as f64
    };
    let there = area
        .tools
        .iter()
        .flat_map(|(_, examples)| examples)
        .map(|example| {
            let own = words(&example.question);
            let known = |word: &str| own.iter().any(|own| close(&meaning(own), &meaning(word)));
            share(&known)
        });
    let there = there.fold(0.0, f64::max);
    let here = share(&|word: &str| {
        context.toolbox.knows(word)
            || context.toolbox.knows(&meaning(word))
            || ask.named.iter().any(|record| record.is_called(word))
    });
    there >= LEAST && there > here
}

/// True for a word of the area's examples.
fn is_of(area: &Area, word: &str) -> bool {
    let mut examples = area.tools.iter().flat_map(|(_, examples)| examples);
    examples.any(|example| {
        let own = words(&example.question);
        own.iter()
            .any(|own| !is_filler(own) && close(&meaning(own), &meaning(word)))
    })
}
