//! What is to be drawn, and why.

use rehearsal::routine::View;
use serde_json::{Map, Value, json};

use super::{
    Subject,
    candles::{Chart, Level},
    intent::Intent,
    known::{Known, Point},
};
use crate::texts::plans::{self, LevelReason, SwingReason};

/// Levels of one side when more than the main one is wanted.
const MANY: usize = 3;
/// Openings of candles that speak for a drawing.
const EVIDENCE: usize = 20;

/// One drawing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) tool: &'static str,
    /// As drawings of its kind are called.
    pub(super) kind: &'static str,
    /// The shape, as the tool takes it.
    pub(super) shape: Value,
    pub(super) label: String,
    pub(super) reason: String,
    colour: &'static str,
    tag: &'static str,
    candles: Vec<String>,
    /// Time, where there is one, and price.
    points: Vec<Point>,
    /// So near is the same.
    near: f64,
}

/// The drawings that the words want, out of what the candles show.
pub(super) fn plans(
    view: &View<'_>,
    chart: &Chart,
    intent: &Intent,
    subject: &Subject,
) -> Vec<Plan> {
    let mut plans = Vec::new();
    let is_plan = intent.long || intent.short;
    for (wanted, is_support) in [(intent.support, true), (intent.resistance, false)] {
        let most = if intent.many { MANY } else { 1 };
        let levels = chart.levels(is_support).into_iter().take(most);
        // "A long at the support" draws no support.
        if wanted && !(is_plan && intent.at_level) {
            plans.extend(levels.map(|level| line(chart, &level, is_support, subject)));
        }
    }
    if intent.fibonacci {
        plans.extend(fibonacci(chart, subject));
    }
    let figure = intent.figure.as_ref();
    plans.extend(figure.and_then(|figure| figure.plan(chart, view)));
    for (wanted, is_long) in [(intent.long, true), (intent.short, false)] {
        if wanted {
            plans.extend(position(chart, is_long, intent));
        }
    }
    plans
}

fn line(chart: &Chart, level: &Level, is_support: bool, subject: &Subject) -> Plan {
    let (title, tag, colour, side) = if is_support {
        (plans::SUPPORT, "support", "green", "below")
    } else {
        (plans::RESISTANCE, "resistance", "red", "above")
    };
    let prices = || level.swings.iter().map(|swing| swing.price);
    let low = prices().fold(f64::INFINITY, f64::min);
    let high = prices().fold(f64::NEG_INFINITY, f64::max);
    let edge = if is_support { low } else { high };
    let last = level.swings.last().map_or("", |swing| swing.time.as_str());
    let count = level.swings.len();
    let turned = plans::turned(count, &chart.show(low), &chart.show(high));
    Plan {
        tool: "draw_horizontal_line",
        kind: "horizontal_line",
        shape: json!({ "price": level.price }),
        label: plans::level_label(title, &chart.show(level.price)),
        reason: plans::level(&LevelReason {
            turned: &turned,
            candles: chart.candles.len(),
            timeframe: &subject.timeframe,
            last,
            side,
            edge: &chart.show(edge),
        }),
        colour,
        tag,
        candles: level
            .swings
            .iter()
            .map(|swing| swing.time.clone())
            .collect(),
        points: vec![(None, level.price)],
        near: chart.mean_range() / 2.0,
    }
}

fn fibonacci(chart: &Chart, subject: &Subject) -> Option<Plan> {
    let (from, to) = chart.last_leg()?;
    let anchor =
        |swing: &super::candles::Swing| json!({ "time": swing.time, "price": swing.price });
    let way = if to.is_high { "up" } else { "down" };
    Some(Plan {
        tool: "draw_fibonacci",
        kind: "fibonacci",
        shape: json!({ "from": anchor(&from), "to": anchor(&to) }),
        label: plans::last_swing(way),
        reason: plans::swing(&SwingReason {
            way,
            timeframe: &subject.timeframe,
            from: &chart.show(from.price),
            from_time: &from.time,
            to: &chart.show(to.price),
            to_time: &to.time,
        }),
        colour: "amber",
        tag: "fibonacci",
        candles: vec![from.time.clone(), to.time.clone()],
        points: vec![(Some(from.time), from.price), (Some(to.time), to.price)],
        near: chart.mean_range() / 100.0,
    })
}

/// Entry at the last close or at the level that the words name, stop beyond the nearest level, target
/// at twice the risk. Account and leverage stay out, and so does what is at risk unless the words say it:
/// they are the person's.
fn position(chart: &Chart, is_long: bool, intent: &Intent) -> Option<Plan> {
    let last = chart.last.close;
    let distance = |level: &Level| (level.price - last).abs();
    let nearest = |is_support: bool| {
        let levels = chart.levels(is_support).into_iter();
        levels.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    let sign = if is_long { 1.0 } else { -1.0 };
    let entered = intent.at_level.then(|| nearest(intent.support)).flatten();
    let (entry, place) = match &entered {
        Some(level) => (level.price, plans::AT_LEVEL),
        None => (last, plans::AT_LAST_CLOSE),
    };
    let nearest = entered.or_else(|| nearest(is_long));
    // Where there is no level on that side, two mean ranges away.
    let nearest = nearest.unwrap_or_else(|| Level {
        price: chart.round(entry - sign * 2.0 * chart.mean_range()),
        swings: Vec::new(),
    });
    let round = |price: f64| chart.show(price).parse::<f64>().ok();
    let stop = round(nearest.price - sign * chart.mean_range() / 2.0)?;
    let target = round(entry + 2.0 * (entry - stop))?;
    let (tool, side) = if is_long {
        ("draw_long_position", "Long")
    } else {
        ("draw_short_position", "Short")
    };
    let mut shape = json!({
        "start": chart.last.time, "entry": entry, "stop": stop, "target": target,
    });
    if let Some(percent) = intent.risk {
        shape["risk"] = json!({ "percent": percent });
    }
    Some(Plan {
        tool,
        kind: "position",
        shape,
        label: plans::position_label(side, &chart.show(entry)),
        reason: plans::position(place, &chart.show(nearest.price), &chart.show(stop)),
        colour: if is_long { "green" } else { "red" },
        tag: "plan",
        candles: nearest
            .swings
            .iter()
            .map(|swing| swing.time.clone())
            .collect(),
        points: vec![
            (Some(chart.last.time.clone()), entry),
            (None, stop),
            (None, target),
        ],
        near: chart.mean_range() / 10.0,
    })
}

impl Plan {
    /// One at places that nothing else is measured by.
    pub(super) fn figure(
        tool: &'static str,
        kind: &'static str,
        shape: Value,
        label: String,
        reason: String,
        places: Vec<(String, f64)>,
    ) -> Self {
        Self {
            tool,
            kind,
            shape,
            label,
            reason,
            colour: "cyan",
            tag: "figure",
            candles: Vec::new(),
            points: places
                .into_iter()
                .map(|(time, price)| (Some(time), price))
                .collect(),
            near: 1e-9,
        }
    }

    /// All that the tool may take; what its schema does not know is left out by the caller.
    pub(super) fn input(&self, subject: &Subject) -> Value {
        let newest = self.candles.len().saturating_sub(EVIDENCE);
        let mut input = json!({
            "symbol": subject.symbol,
            "label": self.label,
            "reason": self.reason,
            "tags": [self.tag, subject.timeframe.to_lowercase()],
            "importance": "high",
            "style": { "colour": self.colour, "line": "solid", "width": 2 },
            "candles": self.candles.get(newest..).unwrap_or_default(),
        });
        let none = Map::new();
        for (name, value) in self.shape.as_object().unwrap_or(&none) {
            input[name] = value.clone();
        }
        input
    }

    /// True if a drawing is this one already.
    pub(super) fn is_there(&self, drawing: &Known) -> bool {
        let same = |(own, other): (&Point, &Point)| {
            (own.0.is_none() || own.0 == other.0) && (own.1 - other.1).abs() <= self.near
        };
        drawing.kind == self.kind
            && drawing.points.len() >= self.points.len()
            && self.points.iter().zip(&drawing.points).all(same)
    }

    /// True if a drawing is what this one would be in the place of.
    pub(super) fn is_like(&self, drawing: &Known) -> bool {
        let label = drawing.label.to_lowercase();
        let same_side = match self.tag {
            "support" | "resistance" => label.contains(self.tag),
            _ => true,
        };
        drawing.kind == self.kind && same_side
    }
}
