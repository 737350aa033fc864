//! Charts: prices, levels, drawings and alerts. It knows tools by their names and schemas and their results as
//! JSON, like all of the rehearsal model; levels and swings are computed from the rows of a result.

mod alert;
mod answer;
mod candles;
mod draw;
mod figures;
mod intent;
mod known;
mod past;
mod release;
mod report;
mod subject;

use rehearsal::routine::{Call, RoutineStep, Tool, View};
use serde_json::{Map, Value, json};

pub(super) use self::subject::asks_for_price;
use self::{
    candles::Chart,
    draw::Plan,
    intent::{Goal, Intent},
    known::Known,
    subject::Subject,
};
use crate::texts::plans;

/// Candles that levels are looked for in.
const CANDLES: u64 = 300;
/// Drawings that one step removes.
const MOST: usize = 20;

const READ_CANDLES: &str = "get_candles";
const READ_PRICE: &str = "get_current_price";
const UPDATE: &str = "update_drawing";
const REMOVE: &str = "remove_drawing";
const SCROLL: &str = "scroll_chart";

/// The next step about a chart; none if the words are about something else or no tool is for it.
pub(super) fn next(view: &View<'_>, may_call: bool) -> Option<RoutineStep> {
    let subject = Subject::of(view)?;
    let intent = intent::read(view)?;
    let mut calls = if may_call {
        calls(view, &intent, &subject)?
    } else {
        Vec::new()
    };
    // What was refused is not tried again.
    calls.retain(|call| {
        let mut done = view.done.iter();
        !done.any(|done| done.name == call.name && done.input == call.input)
    });
    if !calls.is_empty() {
        return Some(RoutineStep::Calls(calls));
    }
    Some(RoutineStep::Say(answer::text(view, &intent, &subject)))
}

/// The next calls; none when it is time to answer. Nothing at all where the tools are missing.
fn calls(view: &View<'_>, intent: &Intent, subject: &Subject) -> Option<Vec<Call>> {
    match &intent.goal {
        Goal::Price => {
            let tool = view.tool(READ_PRICE)?;
            let input = json!({ "symbol": subject.symbol });
            Some(once(view, tool, &input))
        }
        Goal::Scroll { time } => {
            let tool = view.tool(SCROLL)?;
            let mut input = json!({
                "symbol": subject.symbol, "reason": plans::ASKED_TO_SEE,
            });
            match time {
                Some(time) => input["time"] = json!(time),
                None => input["realtime"] = json!(true),
            }
            Some(once(view, tool, &input))
        }
        Goal::Remove => {
            let tool = view.tool(REMOVE)?;
            Some(removals(view, tool, intent, subject))
        }
        Goal::Alert(wish) => wish.calls(view, subject),
        Goal::Report(report) => report.calls(view, subject),
        Goal::Past(past) => past.calls(view, subject),
        Goal::Unclear(_) => Some(Vec::new()),
        Goal::Look | Goal::Draw | Goal::Update => levels(view, intent, subject),
    }
}

/// A call of a tool that has not been called since the newest words.
fn once(view: &View<'_>, tool: &Tool<'_>, input: &Value) -> Vec<Call> {
    if view.done.iter().any(|done| done.name == tool.name) {
        return Vec::new();
    }
    vec![call(tool, input)]
}

/// A call with those fields that the tool's schema knows, and the values that it takes.
fn call(tool: &Tool<'_>, input: &Value) -> Call {
    Call {
        name: tool.name.to_owned(),
        input: fitting(tool.schema, input),
    }
}

fn fitting(schema: &Value, input: &Value) -> Value {
    let (Some(fields), Some(properties)) = (input.as_object(), schema["properties"].as_object())
    else {
        return input.clone();
    };
    let mut out = Map::new();
    for (name, value) in fields {
        let Some(property) = properties.get(name) else {
            continue;
        };
        let chosen = property["enum"].as_array();
        if chosen.is_none_or(|choices| choices.contains(value)) {
            out.insert(name.clone(), fitting(property, value));
        }
    }
    Value::Object(out)
}

fn removals(view: &View<'_>, tool: &Tool<'_>, intent: &Intent, subject: &Subject) -> Vec<Call> {
    let drawings = known::drawings(view);
    let meant = drawings.iter().filter(|one| intent.means(one, view));
    meant
        .take(MOST)
        .map(|one| {
            let input = json!({
                "symbol": subject.symbol,
                "id": one.id,
                "expected_version": one.version,
                "reason": plans::ASKED_TO_REMOVE,
            });
            call(tool, &input)
        })
        .collect()
}

/// Reads candles first, then draws what they show.
fn levels(view: &View<'_>, intent: &Intent, subject: &Subject) -> Option<Vec<Call>> {
    if let (Goal::Update, Some(style)) = (&intent.goal, intent.style) {
        return restyled(view, intent, subject, style);
    }
    if let Some(price) = intent.price.filter(|_| intent.goal != Goal::Look) {
        return at_price(view, intent, subject, price);
    }
    let tool = view.tool(READ_CANDLES)?;
    let Some(chart) = chart(view) else {
        let most = tool.schema["properties"]["count"]["maximum"].as_u64();
        let input = json!({
            "symbol": subject.symbol,
            "timeframe": subject.timeframe,
            "count": most.map_or(CANDLES, |most| most.min(CANDLES)),
        });
        return Some(once(view, tool, &input));
    };
    if intent.goal == Goal::Look {
        return Some(Vec::new());
    }
    if let Some(figure) = &intent.figure
        && figure.release().is_some()
        && let Some(read) = release::call_for(view, subject)
    {
        return Some(vec![read]);
    }
    let drawings = known::drawings(view);
    let plans = draw::plans(view, &chart, intent, subject);
    Some(
        plans
            .iter()
            .filter_map(|plan| carried_out(view, intent, subject, plan, &drawings))
            .collect(),
    )
}

/// A plan as a call: a change of what is there, or a new drawing; nothing if it is there just so.
fn carried_out(
    view: &View<'_>,
    intent: &Intent,
    subject: &Subject,
    plan: &Plan,
    drawings: &[Known],
) -> Option<Call> {
    if drawings.iter().any(|one| plan.is_there(one)) {
        return None;
    }
    let same = drawings.iter().find(|one| plan.is_like(one));
    if let (Goal::Update, Some(one), Some(tool)) = (&intent.goal, same, view.tool(UPDATE)) {
        let input = json!({
            "symbol": subject.symbol,
            "id": one.id,
            "expected_version": one.version,
            "reason": plan.reason,
            "changes": { "shape": plan.shape, "label": plan.label },
        });
        return Some(call(tool, &input));
    }
    let tool = view.tool(plan.tool)?;
    Some(call(tool, &plan.input(subject)))
}

/// The drawings that the words mean in another style.
fn restyled(view: &View<'_>, intent: &Intent, subject: &Subject, style: &str) -> Option<Vec<Call>> {
    let tool = view.tool(UPDATE)?;
    let drawings = known::drawings(view);
    let meant = drawings.iter().filter(|one| intent.means(one, view));
    let calls = meant.take(MOST).map(|one| {
        let input = json!({
            "symbol": subject.symbol,
            "id": one.id,
            "expected_version": one.version,
            "reason": plans::ASKED_FOR_STYLE,
            "changes": { "style": { "line": style } },
        });
        call(tool, &input)
    });
    let is_done = view.done.iter().any(|done| done.name == tool.name);
    Some(if is_done { Vec::new() } else { calls.collect() })
}

/// A line where the words say, or the one drawing that they mean moved there.
fn at_price(view: &View<'_>, intent: &Intent, subject: &Subject, price: f64) -> Option<Vec<Call>> {
    let reason = plans::NAMED_PRICE;
    if intent.goal == Goal::Update {
        let tool = view.tool(UPDATE)?;
        let drawings = known::drawings(view);
        let mut lines = drawings
            .iter()
            .filter(|one| one.kind.starts_with("horizontal") && intent.means(one, view));
        let (Some(one), None) = (lines.next(), lines.next()) else {
            return Some(Vec::new());
        };
        let input = json!({
            "symbol": subject.symbol,
            "id": one.id,
            "expected_version": one.version,
            "reason": reason,
            "changes": { "shape": { "price": price } },
        });
        return Some(once(view, tool, &input));
    }
    let tool = view.tool("draw_horizontal_line")?;
    let label = format!("{} {price}", intent.title());
    let input = json!({
        "symbol": subject.symbol, "price": price, "label": label.trim(), "reason": reason,
    });
    Some(vec![call(tool, &input)])
}

/// The chart of the newest candles that were read since the newest words.
fn chart(view: &View<'_>) -> Option<Chart> {
    let read = view.done.iter().rev();
    read.filter(|done| done.name == READ_CANDLES && !done.is_error)
        .find_map(|done| Chart::read(&done.data))
}
