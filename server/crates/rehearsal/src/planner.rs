//! Plans tool calls from rules, and writes answers from what the tools brought back.
//!
//! It knows tools by their names, descriptions, inputs and example questions, and results as data:
//! no rule is about a domain, except those of `chart`. Text inside tool results and data blocks is
//! data: only the user's own words are ever read for what to do.

mod action;
mod ask;
mod chart;
mod compose;
mod fill;
mod forms;
mod orders;
mod plan;
mod records;
mod talk;
mod title;
mod toolbox;
mod view;
mod words;
mod worked;

use serde_json::Value;

use crate::{
    area::Area,
    reply::Block,
    request::{Choice, Request},
};
use plan::Desk;
use toolbox::Toolbox;
use view::{Done, View};

/// After so many steps of tools an answer is written from what is there.
const MOST_STEPS: usize = 4;

/// One tool call that is planned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) input: Value,
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

/// The blocks of an answer to a request.
pub(crate) fn answer(request: &Request, areas: &[Area]) -> Vec<Block> {
    if let Some(title) = title::asked(request) {
        return vec![Block::text(title)];
    }
    if let Some(blocks) = orders::answer(request, areas) {
        return blocks;
    }
    let mut view = View::of(request, areas);
    let worked = worked::call(&view);
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
    let desk = Desk {
        view: &view,
        ask: &ask,
        toolbox: &toolbox,
    };
    if let Choice::Tool(name) = &request.choice
        && let Some(call) = forced(desk, name)
    {
        return calls(desk, vec![call]);
    }
    let may_call = request.choice != Choice::None && view.steps < MOST_STEPS;
    if let Some(call) = worked {
        if may_call && !worked_is_done {
            return calls(desk, vec![call]);
        }
        if worked_is_done && request.choice != Choice::Any {
            let thought = compose::thought(&view);
            let ended = view.done.iter().find_map(compose::ending::of_form);
            let ended = ended.map(|text| compose::finished(&text, &view));
            let text = ended.unwrap_or_else(|| compose::answer(desk));
            return vec![Block::thinking(thought), Block::text(text)];
        }
    }
    match chart::next(&view, may_call) {
        Some(chart::Next::Calls(mut planned)) => {
            if !request.parallel {
                planned.truncate(1);
            }
            return calls(desk, planned);
        }
        Some(chart::Next::Say(text)) if request.choice != Choice::Any => {
            let text = compose::finished(&text, &view);
            return vec![Block::thinking(compose::thought(&view)), Block::text(text)];
        }
        _ => {}
    }
    let mut planned = if may_call {
        plan::calls(desk)
    } else {
        Vec::new()
    };
    if planned.is_empty() && request.choice == Choice::Any {
        let first = view.all_tools().next().map(|tool| tool.name.to_owned());
        planned.extend(first.and_then(|name| forced(desk, &name)));
    }
    if !request.parallel {
        planned.truncate(1);
    }
    if planned.is_empty() {
        let thought = compose::thought(&view);
        vec![Block::thinking(thought), Block::text(compose::answer(desk))]
    } else {
        calls(desk, planned)
    }
}

fn calls(desk: Desk<'_>, planned: Vec<Call>) -> Vec<Block> {
    let mut blocks = vec![Block::thinking(compose::intention(&planned))];
    // Before an order the card speaks for itself.
    if desk.view.steps == 0 && desk.ask.action.is_none() {
        let said = compose::announcement(desk.view, desk.toolbox, &planned);
        blocks.extend(said.map(Block::text));
    }
    blocks.extend(
        planned
            .into_iter()
            .map(|call| Block::tool_use(call.name, call.input)),
    );
    blocks
}

/// A call that the request forces: with arguments as good as the words allow.
fn forced(desk: Desk<'_>, name: &str) -> Option<Call> {
    if desk.view.formed.iter().any(|tool| tool.name == name) {
        let input = Value::Object(serde_json::Map::new());
        let name = name.to_owned();
        return Some(Call { name, input });
    }
    let card = desk.toolbox.card(name)?;
    let input = fill::input(card, desk.ask, desk.ask.named.first(), desk.toolbox)
        .unwrap_or_else(|_| Value::Object(serde_json::Map::new()));
    Some(Call {
        name: name.to_owned(),
        input,
    })
}

#[cfg(test)]
mod tests;
