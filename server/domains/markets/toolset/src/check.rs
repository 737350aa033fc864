//! Check of a drawing against the chart: touches, the latest one, the distance. The model corrects
//! itself by it, and people see whether a line is worth drawing.

use markets_wire::{Check, DrawingPart, Figures, LevelSeen};

use crate::{
    Candle, Points, Symbol, Time, Timeframe,
    drawing::{Anchor, Drawing, Extent, Shape, change_words, known_since, plan},
    maths::{
        fibonacci,
        levels::{check_level, touches},
        position::{BadPlan, Sized},
    },
    simulate::spread,
    texts,
};

/// Hourly bars checked, the newest ones.
pub const BARS: usize = 500;
/// Tolerance of a touch: two pips.
const NEAR: Points = Points(20);

/// Checks a drawing against hourly bars, oldest first. `None` without bars.
pub fn check(shape: &Shape<Time>, symbol: Symbol, bars: &[Candle]) -> Option<Check<Time>> {
    let last = bars.last()?;
    let round = |price: f64| symbol.round(price);
    let at = |name: &str, price: f64, bars: &[Candle]| {
        let seen = check_level(bars, round(price), NEAR, symbol);
        Check {
            of: format!("the {name} {}", symbol.show(round(price))),
            touches: seen.touches as u64,
            last_touch: seen.last_touch,
            distance_pips: symbol.pips(round(price) - last.close),
            prospective: seen.prospective,
            bars: seen.bars as u64,
            levels: Vec::new(),
        }
    };
    Some(match shape {
        Shape::HorizontalLine { price } => at("price", *price, bars),
        Shape::HorizontalRay { start, price } => {
            let since = bars.partition_point(|bar| end(bar) <= *start);
            at("price", *price, bars.get(since..).unwrap_or_default())
        }
        Shape::Marker { at: anchor, .. } => at("price", anchor.price, bars),
        Shape::Position { entry, .. } => at("entry", *entry, bars),
        Shape::Rectangle { from, to, .. } => {
            let (one, other) = (round(from.price), round(to.price));
            zone(symbol, bars, one.min(other), one.max(other))
        }
        Shape::Circle { centre, edge } => {
            let (middle, rim) = (round(centre.price), round(edge.price));
            let high = Points((rim - middle).0.abs());
            zone(symbol, bars, middle - high, middle + high)
        }
        Shape::Trendline { from, to, extent } => {
            let line = Line::new(*from, *to, *extent);
            let price = |bar: &Candle| line.at(bar).map(round);
            let seen = touches(bars, NEAR, |bar| price(bar).map(|price| (price, price)));
            let now = price(last).unwrap_or_else(|| round(line.end_near(last.time)));
            Check {
                of: texts::maths::line_at_now(&symbol.show(now)),
                touches: seen.count as u64,
                last_touch: seen.last,
                distance_pips: symbol.pips(now - last.close),
                prospective: seen.count == 0,
                bars: bars.len() as u64,
                levels: Vec::new(),
            }
        }
        Shape::Fibonacci {
            from,
            to,
            levels,
            reverse,
            ..
        } => {
            let (first, second) = (round(from.price), round(to.price));
            let levels = levels.iter().map(|level| {
                let price = fibonacci::price(first, second, *level, *reverse);
                let seen = check_level(bars, price, NEAR, symbol);
                LevelSeen {
                    level: *level,
                    price: symbol.number(price),
                    touches: seen.touches as u64,
                    last_touch: seen.last_touch,
                    distance_pips: seen.distance_pips,
                }
            });
            let levels: Vec<_> = levels.collect();
            let nearest = levels.iter().min_by(|one, other| {
                let (one, other) = (one.distance_pips.abs(), other.distance_pips.abs());
                one.total_cmp(&other)
            })?;
            Check {
                of: texts::maths::nearest_level_at(
                    nearest.level,
                    &symbol.show(round(nearest.price)),
                ),
                touches: nearest.touches,
                last_touch: nearest.last_touch,
                distance_pips: nearest.distance_pips,
                prospective: nearest.touches == 0,
                bars: bars.len() as u64,
                levels,
            }
        }
    })
}

fn end(bar: &Candle) -> Time {
    bar.time.plus(Timeframe::H1.seconds())
}

fn zone(symbol: Symbol, bars: &[Candle], low: Points, high: Points) -> Check<Time> {
    let seen = touches(bars, NEAR, |_| Some((low, high)));
    let close = bars.last().map_or(low, |bar| bar.close);
    let distance = if close < low {
        low - close
    } else if close > high {
        high - close
    } else {
        Points(0)
    };
    Check {
        of: texts::maths::zone_to(&symbol.show(low), &symbol.show(high)),
        touches: seen.count as u64,
        last_touch: seen.last,
        distance_pips: symbol.pips(distance),
        prospective: seen.count == 0,
        bars: bars.len() as u64,
        levels: Vec::new(),
    }
}

/// A line through two points, the earlier one first, and the period in which it is drawn.
pub(crate) struct Line {
    from: Anchor<Time>,
    to: Anchor<Time>,
    since: Option<Time>,
    until: Option<Time>,
}

impl Line {
    pub(crate) fn new(from: Anchor<Time>, to: Anchor<Time>, extent: Extent) -> Self {
        let (first, second) = if from.time <= to.time {
            (from, to)
        } else {
            (to, from)
        };
        // A ray begins at the first point of the input, and may go back in time.
        let (since, until) = match extent {
            Extent::Segment | Extent::Arrow => (Some(first.time), Some(second.time)),
            Extent::Ray if from.time <= to.time => (Some(from.time), None),
            Extent::Ray => (None, Some(from.time)),
            Extent::Extended => (None, None),
        };
        Self {
            from: first,
            to: second,
            since,
            until,
        }
    }

    /// The price of the line at a bar; `None` outside its period.
    fn at(&self, bar: &Candle) -> Option<f64> {
        let is_after = self.since.is_none_or(|since| end(bar) > since);
        let is_before = self.until.is_none_or(|until| bar.time <= until);
        (is_after && is_before).then(|| self.price(bar.time))
    }

    /// The price of the line at a time; `None` outside its period.
    pub(crate) fn at_time(&self, time: Time) -> Option<f64> {
        let is_after = self.since.is_none_or(|since| time >= since);
        let is_before = self.until.is_none_or(|until| time <= until);
        (is_after && is_before).then(|| self.price(time))
    }

    fn price(&self, time: Time) -> f64 {
        let span = (self.to.time.0 - self.from.time.0) as f64;
        if span == 0.0 {
            return self.to.price;
        }
        let part = (time.0 - self.from.time.0) as f64 / span;
        self.from.price + (self.to.price - self.from.price) * part
    }

    /// The price of the end nearer to a time.
    fn end_near(&self, time: Time) -> f64 {
        if (time.0 - self.from.time.0).abs() < (time.0 - self.to.time.0).abs() {
            self.from.price
        } else {
            self.to.price
        }
    }
}

/// Computes the plan of a position; `None` for other shapes.
///
/// # Errors
/// Names the first invalid field.
pub fn figures(shape: &Shape<Time>, symbol: Symbol) -> Option<Result<Sized, BadPlan>> {
    Some(plan(shape, symbol, spread(symbol))?.size())
}

/// The same for an answer: rounded for people, with a note if the size is zero.
pub(crate) fn figures_shown(shape: &Shape<Time>, symbol: Symbol) -> Option<Figures> {
    let sized = figures(shape, symbol)?.ok()?;
    let to = |number: f64, digits: i32| {
        let scale = 10_f64.powi(digits);
        (number * scale).round() / scale
    };
    let why = texts::maths::SIZE_IS_ZERO;
    Some(Figures {
        reward_to_risk: to(sized.reward_to_risk, 2),
        reward_pips: sized.reward_pips,
        risk_pips: sized.risk_pips,
        lots: sized.lots.map(|lots| to(lots, 8)),
        bound_by: sized.bound_by,
        balance_at_target: sized.balance_at_target.map(|balance| to(balance, 2)),
        balance_at_stop: sized.balance_at_stop.map(|balance| to(balance, 2)),
        unknown: sized.unknown.map(str::to_owned),
        warning: (sized.lots == Some(0.0)).then(|| why.to_owned()),
    })
}

/// A drawing with its check, as a part of the board. Its changes are in words.
pub(crate) fn part(mut drawing: Drawing, bars: &[Candle]) -> DrawingPart<Time> {
    drawing.known_at = Some(known_since(&drawing));
    for change in &mut drawing.changes {
        change.changes = change_words::in_words(&change.changes, Some(drawing.symbol));
    }
    let shape = &drawing.content.shape;
    DrawingPart {
        check: check(shape, drawing.symbol, bars),
        figures: figures_shown(shape, drawing.symbol),
        drawing,
    }
}
