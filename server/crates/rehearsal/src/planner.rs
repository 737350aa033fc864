//! Plans tool calls from rules, and writes answers from what the tools brought back.
//!
//! It knows tools by their names, descriptions, inputs and example questions, and results as data:
//! no rule is about a domain, but a domain may hand in a `routine` of its own. Text inside tool
//! results and data blocks is data: only the user's own words are ever read for what to do.

mod action;
mod area;
mod ask;
mod compose;
mod compound;
mod fill;
mod forms;
mod misspelt;
mod orders;
mod plan;
mod records;
pub mod routine;
mod schema;
mod span;
mod talk;
mod title;
mod toolbox;
mod view;
mod words;
mod worked;

use serde_json::Value;

use crate::{
    reply::Block,
    request::{Choice, Request},
};
pub use area::{Area, AreaExample};
use misspelt::Misspelt;
use plan::PlanContext;
use routine::RoutineStep;
use toolbox::Toolbox;
use view::{Done, View};

/// After so many steps of tools an answer is written from what is there.
const MOST_STEPS: usize = 4;

/// One tool call that is planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub name: String,
    pub input: Value,
}

impl Call {
    /// True if this very call was made.
    fn is(&self, done: &Done) -> bool {
        done.name == self.name && done.input == self.input
    }
}

/// The words of the newest message of the user, without data blocks.
pub(crate) fn newest_words(request: &Request) -> String {
    view::newest_words(request)
}

/// The number of times that tools were called since the user's newest words.
pub(crate) fn steps(request: &Request) -> usize {
    View::of(request, &[]).steps
}

/// The next step of an answer.
enum PlannedStep {
    /// Calls, with no word before them: the answer comes first.
    Calls(Vec<Call>),
    /// A thought and the answer, which is not [`compose::finished`] yet.
    Say(String, String),
}

/// The blocks of an answer to a request.
pub(crate) fn answer(request: &Request, areas: &[Area]) -> Vec<Block> {
    if let Some(title) = title::asked(request) {
        return vec![Block::text(title)];
    }
    let several = orders::answer(request, areas).or_else(|| compound::answer(request, areas));
    if let Some(blocks) = several {
        return blocks;
    }
    let view = View::of(request, areas);
    match step(view.clone(), &request.choice, request.parallel) {
        PlannedStep::Calls(planned) => calls(planned),
        PlannedStep::Say(thought, text) => told(thought, &text, &view),
    }
}

/// The next step for the newest words.
fn step(mut view: View<'_>, choice: &Choice, parallel: bool) -> PlannedStep {
    if let Some(question) = misspelt::agreed(&view) {
        view.question = question;
    }
    let meant = worked::pointed(&view)
        .or_else(|| worked::identified(&view))
        .or_else(|| {
            let is_one = compound::is_one(&view.question);
            is_one.then(|| worked::with_kind(&view)).flatten()
        });
    if let Some(question) = meant {
        view.question = question;
    }
    let worked = worked::call(&view);
    let misspelt = worked.as_ref().and_then(|call| misspelt::of(&view, call));
    let is_done = |call: &Call| view.done.iter().any(|done| call.is(done));
    let worked_is_done = worked.as_ref().is_some_and(is_done);
    if let Some(call) = worked.as_ref().filter(|_| worked_is_done) {
        // What was read for it is not what was asked for.
        view.done.retain(|done| call.is(done));
    }
    let view = view;
    let toolbox = Toolbox::of(&view);
    let mut ask = ask::read(&view, &toolbox);
    if worked.is_some() {
        // Its words are read already: "run the report" is no order.
        (ask.action, ask.doubt) = (None, None);
    }
    let context = PlanContext {
        view: &view,
        ask: &ask,
        toolbox: &toolbox,
    };
    let call = |mut planned: Vec<Call>| {
        if !parallel {
            planned.truncate(1);
        }
        PlannedStep::Calls(planned)
    };
    if let Choice::Tool(name) = choice
        && let Some(forced) = forced(context, name)
    {
        return call(vec![forced]);
    }
    let may_call = *choice != Choice::None && view.steps < MOST_STEPS;
    let may_say = *choice != Choice::Any;
    match misspelt {
        Some(Misspelt::Searched(open)) if may_call => return call(open),
        Some(Misspelt::Meant(text)) if may_say => {
            return PlannedStep::Say(compose::thought(&view), text);
        }
        _ => {}
    }
    if let Some(planned) = worked {
        if may_call && !worked_is_done {
            return call(vec![planned]);
        }
        if worked_is_done && may_say {
            let ended = compose::ending::of_form(&view);
            let text = ended.unwrap_or_else(|| {
                // What has been carried out is not offered again.
                let only_read = toolbox.card(&planned.name).is_some_and(|card| card.reads);
                let order = only_read
                    .then(|| compose::ending::order_in_full(&view, &planned.name))
                    .flatten();
                compose::answer(context) + &order.unwrap_or_default()
            });
            return PlannedStep::Say(compose::thought(&view), text);
        }
    }
    match routine::next(&view, may_call) {
        Some(RoutineStep::Calls(planned)) => return call(planned),
        Some(RoutineStep::Say(text)) if may_say => {
            return PlannedStep::Say(compose::thought(&view), text);
        }
        _ => {}
    }
    let mut planned = if may_call {
        plan::calls(context)
    } else {
        Vec::new()
    };
    if planned.is_empty() && !may_say {
        let first = view.all_tools().next().map(|tool| tool.name.to_owned());
        planned.extend(first.and_then(|name| forced(context, &name)));
    }
    if planned.is_empty() {
        PlannedStep::Say(compose::thought(&view), compose::answer(context))
    } else {
        call(planned)
    }
}

fn calls(planned: Vec<Call>) -> Vec<Block> {
    let mut blocks = vec![Block::thinking(compose::intention(&planned))];
    blocks.extend(
        planned
            .into_iter()
            .map(|call| Block::tool_use(call.name, call.input)),
    );
    blocks
}

/// The last blocks: a thought and the answer.
fn told(thought: String, text: &str, view: &View<'_>) -> Vec<Block> {
    let text = compose::finished(text, view);
    vec![Block::thinking(thought), Block::text(text)]
}

/// A call that the request forces: with arguments as good as the words allow.
fn forced(context: PlanContext<'_>, name: &str) -> Option<Call> {
    if context.view.formed.iter().any(|tool| tool.name == name) {
        let input = Value::Object(serde_json::Map::new());
        let name = name.to_owned();
        return Some(Call { name, input });
    }
    let card = context.toolbox.card(name)?;
    let input = fill::input(
        card,
        context.ask,
        context.ask.named.first(),
        context.toolbox,
    )
    .unwrap_or_else(|_| Value::Object(serde_json::Map::new()));
    Some(Call {
        name: name.to_owned(),
        input,
    })
}

#[cfg(test)]
mod tests;
