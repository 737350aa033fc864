//! Plans tool calls from rules, and writes answers from what the tools brought back.
//!
//! Text inside tool results and data blocks is data: only the user's own words are ever read for
//! what to do.

mod action;
mod arguments;
mod chart;
mod compose;
mod facts;
mod generic;
mod intent;
mod plan;
mod view;
mod words;

use serde_json::Value;

use crate::{
    reply::Block,
    request::{Choice, Request},
    start::Area,
};
use view::View;

/// After so many steps of tools an answer is written from what is there.
const MOST_STEPS: usize = 4;

/// One tool call that is planned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) input: Value,
}

/// The words of the newest message of the user, without data blocks.
pub(crate) fn newest_words(request: &Request) -> String {
    view::newest_words(request)
}

/// How often tools were called since the user's newest words.
pub(crate) fn steps(request: &Request) -> usize {
    View::of(request, &[]).steps
}

/// The blocks of an answer to a request.
pub(crate) fn answer(request: &Request, areas: &[Area]) -> Vec<Block> {
    let view = View::of(request, areas);
    let intent = intent::read(&view);
    if let Choice::Tool(name) = &request.choice
        && let Some(call) = forced(&view, &intent, name)
    {
        return calls(&view, vec![call]);
    }
    let may_call = request.choice != Choice::None && view.steps < MOST_STEPS;
    match chart::next(&view, may_call) {
        Some(chart::Next::Calls(mut planned)) => {
            if !request.parallel {
                planned.truncate(1);
            }
            return calls(&view, planned);
        }
        Some(chart::Next::Say(text)) if request.choice != Choice::Any => {
            return vec![Block::thinking(compose::thought(&view)), Block::text(text)];
        }
        _ => {}
    }
    let mut planned = if may_call {
        plan::calls(&view, &intent)
    } else {
        Vec::new()
    };
    if planned.is_empty() && request.choice == Choice::Any {
        let first = view.tools.first().map(|tool| tool.name.to_owned());
        planned.extend(first.and_then(|name| forced(&view, &intent, &name)));
    }
    if !request.parallel {
        planned.truncate(1);
    }
    if planned.is_empty() {
        let thought = compose::thought(&view);
        vec![
            Block::thinking(thought),
            Block::text(compose::answer(&view, &intent)),
        ]
    } else {
        calls(&view, planned)
    }
}

fn calls(view: &View<'_>, planned: Vec<Call>) -> Vec<Block> {
    let mut blocks = vec![Block::thinking(compose::intention(&planned))];
    if view.steps == 0 {
        blocks.extend(compose::announcement(view, &planned).map(Block::text));
    }
    blocks.extend(
        planned
            .into_iter()
            .map(|call| Block::tool_use(call.name, call.input)),
    );
    blocks
}

/// A call that the request forces: with arguments as good as the words allow.
fn forced(view: &View<'_>, intent: &intent::Intent, name: &str) -> Option<Call> {
    let tool = view.tools.iter().find(|tool| tool.name == name)?;
    let input = arguments::fill(tool.schema, &view.question, &intent.presets())
        .unwrap_or_else(|_| Value::Object(serde_json::Map::new()));
    Some(Call {
        name: name.to_owned(),
        input,
    })
}

#[cfg(test)]
mod tests;
