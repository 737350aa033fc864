//! The drawings that the data names: what came with the message, and what results have told since.

use rehearsal::routine::{Done, View};
use serde_json::Value;

/// A time, if it has one, and a price.
pub(super) type Point = (Option<String>, f64);

/// A drawing as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) version: u64,
    pub(super) label: String,
    /// Time, where there is one, and price of its points.
    pub(super) points: Vec<Point>,
}

/// All drawings of the chart. The newest list is whole; results since then change it.
pub(super) fn drawings(view: &View<'_>) -> Vec<Known> {
    let list = view.context.iter().rev().find_map(|block| {
        let data = block.get("data").unwrap_or(block);
        data["drawings"].as_array()
    });
    let (mut known, results): (Vec<Known>, Vec<&Done>) = match list {
        Some(list) => (
            list.iter().filter_map(listed).collect(),
            view.done.iter().collect(),
        ),
        None => (Vec::new(), view.earlier.iter().chain(&view.done).collect()),
    };
    for done in results.into_iter().filter(|done| !done.is_error) {
        if done.name == super::REMOVE {
            known.retain(|one| done.input["id"] != one.id.as_str());
        } else if let Some(one) = drawn(&done.data) {
            known.retain(|other| other.id != one.id);
            known.push(one);
        }
    }
    known
}

/// The drawings of the newest run of calls that drew: one answer draws in one go.
pub(super) fn newest(view: &View<'_>) -> Vec<String> {
    let draws = |done: &&Done| done.name.starts_with("draw_");
    let calls = view.earlier.iter().rev();
    let run = calls.skip_while(|done| !draws(done)).take_while(draws);
    run.filter_map(|done| Some(drawn(&done.data)?.id)).collect()
}

/// One of a list that came with a message: its points are texts such as `2017-03-10T13:00:00Z @ 1.2`.
fn listed(one: &Value) -> Option<Known> {
    let points = one["at"].as_array().into_iter().flatten();
    let points = points.filter_map(Value::as_str).filter_map(|text| {
        let (time, price) = text.split_once("@ ")?;
        let price = price.split(' ').next()?.parse::<f64>().ok()?;
        let time = time.split(' ').rfind(|part| part.ends_with('Z'));
        Some((time.map(str::to_owned), price))
    });
    Some(Known {
        points: points.collect(),
        kind: text(&one["kind"]),
        ..named(one)?
    })
}

/// The drawing that a result tells of.
pub(super) fn drawn(data: &Value) -> Option<Known> {
    let drawing = data.get("drawing")?;
    let content = drawing.get("content").unwrap_or(drawing);
    let shape = &content["shape"];
    fn anchor(place: &Value) -> Option<(Option<&str>, f64)> {
        Some((place["time"].as_str(), place["price"].as_f64()?))
    }
    let mut points: Vec<(Option<&str>, f64)> = ["from", "to", "centre", "edge", "at"]
        .into_iter()
        .filter_map(|name| anchor(&shape[name]))
        .collect();
    let start = shape["start"].as_str();
    let prices = ["price", "entry", "stop", "target"].into_iter();
    points.extend(prices.filter_map(|name| Some((start, shape[name].as_f64()?))));
    let points = points.into_iter();
    Some(Known {
        points: points
            .map(|(time, price)| (time.map(str::to_owned), price))
            .collect(),
        kind: text(&shape["kind"]),
        label: text(&content["label"]),
        ..named(drawing)?
    })
}

fn named(one: &Value) -> Option<Known> {
    Some(Known {
        id: one["id"].as_str()?.to_owned(),
        kind: String::new(),
        version: one["version"].as_u64()?,
        label: text(&one["label"]),
        points: Vec::new(),
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
