//! Price reactions to releases, compared with the usual movement.

use std::collections::BTreeMap;

use serde::Serialize;

use super::numbers::{Figure, deviation, mean, median, quantile};
use crate::{CalendarEvent, Candle, Symbol, Time, Timeframe, session, texts};

/// Definitions of the figures.
pub const DEFINITIONS: [(&str, &str); 6] = [
    ("base", texts::maths::BASE),
    ("reaction", texts::maths::MOVE),
    ("range", texts::maths::RANGE),
    ("ratio", texts::maths::RANGE_RATIO),
    ("surprise", texts::maths::SURPRISE),
    ("hit_rate", texts::maths::AGREEMENT),
];

/// Number of releases below which statistics mean little.
pub const FEW: usize = 5;

/// The price reaction to one release.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reaction {
    pub release: Time,
    /// Moves in pips, by requested horizon; `None` beyond the last bar.
    pub moves: Vec<Option<f64>>,
    pub range: f64,
    /// Range relative to the median of the hour.
    pub ratio: Figure,
    /// Largest move above and below the base within the bar, in pips.
    pub up: f64,
    pub down: f64,
}

/// Reason that a release has no reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum NoReaction {
    #[error("the horizon is shorter than a bar")]
    ShortHorizon,
    #[error("the market was closed")]
    Closed,
    #[error("there is no bar of that time, or none before it")]
    NoBar,
    #[error("it has not happened yet")]
    Future,
}

/// Bars of one timeframe up to an instant, prepared for lookups.
pub struct Bars<'a> {
    bars: &'a [Candle],
    symbol: Symbol,
    frame: Timeframe,
    /// The median range of each hour of the day in UTC, in pips.
    usual: BTreeMap<i64, f64>,
}

impl<'a> Bars<'a> {
    /// Takes the bars that have ended by `as_of`; later ones are unknown.
    pub fn new(bars: &'a [Candle], symbol: Symbol, frame: Timeframe, as_of: Time) -> Self {
        let ended = bars.partition_point(|bar| bar.time.0 + frame.seconds() <= as_of.0);
        let bars = bars.get(..ended).unwrap_or_default();
        let mut ranges: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
        for bar in bars {
            let range = symbol.pips(bar.range());
            ranges.entry(bar.time.hour()).or_default().push(range);
        }
        let usual = ranges
            .into_iter()
            .filter_map(|(hour, ranges)| Some((hour, median(&ranges)?)));
        Self {
            bars,
            symbol,
            frame,
            usual: usual.collect(),
        }
    }

    /// The reaction to a release. Horizons are in seconds.
    ///
    /// # Errors
    /// The reason that there is none.
    pub fn reaction(&self, release: Time, horizons: &[i64]) -> Result<Reaction, NoReaction> {
        let length = self.frame.seconds();
        if horizons.iter().any(|horizon| *horizon < length) {
            return Err(NoReaction::ShortHorizon);
        }
        if !session::is_open(self.symbol, release) {
            return Err(NoReaction::Closed);
        }
        let end = |bar: &Candle| bar.time.0 + length;
        if self.bars.last().is_none_or(|last| end(last) <= release.0) {
            return Err(NoReaction::Future);
        }
        let after = self.bars.partition_point(|bar| bar.time <= release);
        let index = after.checked_sub(1).ok_or(NoReaction::NoBar)?;
        let bar = self.bars.get(index).filter(|bar| release.0 < end(bar));
        let bar = bar.ok_or(NoReaction::NoBar)?;
        let base = if bar.time == release {
            bar.open
        } else {
            let before = index.checked_sub(1).and_then(|index| self.bars.get(index));
            before.ok_or(NoReaction::NoBar)?.close
        };
        let last_end = self.bars.last().map_or(0, end);
        let moves = horizons.iter().map(|horizon| {
            let until = release.0 + horizon;
            let ended = self.bars.partition_point(|bar| end(bar) <= until);
            let bar = self.bars.get(ended.checked_sub(1)?)?;
            (last_end >= until - length).then(|| self.symbol.pips(bar.close - base))
        });
        let range = self.symbol.pips(bar.range());
        let usual = self
            .usual
            .get(&bar.time.hour())
            .copied()
            .unwrap_or_default();
        Ok(Reaction {
            release,
            moves: moves.collect(),
            range,
            ratio: Figure::ratio(range, usual, texts::maths::NO_USUAL_RANGE),
            up: self.symbol.pips(bar.high - base).max(0.0),
            down: self.symbol.pips(base - bar.low).max(0.0),
        })
    }
}

/// Distribution of values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spread {
    pub n: usize,
    pub mean: Option<f64>,
    pub median: Option<f64>,
    pub deviation: Option<f64>,
    pub lower_quartile: Option<f64>,
    pub upper_quartile: Option<f64>,
    /// True for fewer than [`FEW`] values.
    pub low_confidence: bool,
}

impl Spread {
    pub fn of(values: &[f64]) -> Self {
        Self {
            n: values.len(),
            mean: mean(values),
            median: median(values),
            deviation: deviation(values),
            lower_quartile: quantile(values, 0.25),
            upper_quartile: quantile(values, 0.75),
            low_confidence: values.len() < FEW,
        }
    }
}

/// The surprise of the last release of an event, relative to the earlier ones.
pub fn surprise(events: &[CalendarEvent]) -> Figure {
    let miss = |event: &CalendarEvent| Some(event.actual? - event.forecast?);
    let Some((last, earlier)) = events.split_last() else {
        return Figure::Unknown(texts::maths::NO_RELEASE);
    };
    let Some(now) = miss(last) else {
        return Figure::Unknown(texts::maths::NO_ACTUAL_OR_FORECAST);
    };
    let past: Vec<f64> = earlier.iter().filter_map(miss).collect();
    match deviation(&past) {
        Some(usual) => Figure::ratio(now, usual, texts::maths::EARLIER_RELEASES_NEVER_MISSED),
        None => Figure::Unknown(texts::maths::TOO_FEW_SURPRISES),
    }
}

/// The share of moves in the direction of the surprise; takes pairs of surprise and move.
pub fn hit_rate(pairs: &[(f64, f64)]) -> Figure {
    let moved = pairs.iter().filter(|(surprise, _)| *surprise != 0.0);
    let hits = moved
        .clone()
        .filter(|(surprise, pips)| surprise * pips > 0.0);
    Figure::ratio(
        hits.count() as f64,
        moved.count() as f64,
        texts::maths::NO_RELEASE_WITH_SURPRISE,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn time(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    /// On real candles: the bar of a jobs report is about three times as wide as is usual at its
    /// hour.
    #[test]
    fn jobs_days_of_2017() {
        let candles = sample::candles();
        let bars = Bars::new(&candles, Symbol::EurUsd, Timeframe::H1, Time(i64::MAX));
        let reactions: Vec<_> = sample::jobs_releases()
            .into_iter()
            .map(|release| bars.reaction(release, &[3_600, 14_400]).unwrap())
            .collect();
        assert_eq!(reactions.len(), 12);
        let ranges: Vec<_> = reactions.iter().map(|reaction| reaction.range).collect();
        assert_eq!(ranges.iter().copied().fold(f64::MAX, f64::min), 38.7);
        assert_eq!(ranges.iter().copied().fold(0.0, f64::max), 86.3);
        let ratios: Vec<_> = reactions
            .iter()
            .filter_map(|one| one.ratio.known())
            .collect();
        let middle = median(&ratios).unwrap();
        assert!((middle - 3.16).abs() < 0.005, "{middle}");
        assert!(
            reactions
                .iter()
                .all(|one| one.moves.iter().all(Option::is_some))
        );
    }

    #[test]
    fn rules() {
        let candles = sample::candles();
        let now = time("2017-03-10T15:00:00Z");
        let bars = Bars::new(&candles, Symbol::EurUsd, Timeframe::H1, now);
        let release = time("2017-03-10T13:30:00Z");
        assert_eq!(
            bars.reaction(release, &[1_800]),
            Err(NoReaction::ShortHorizon)
        );
        let closed = time("2017-03-11T13:30:00Z");
        assert_eq!(bars.reaction(closed, &[3_600]), Err(NoReaction::Closed));
        let future = time("2017-03-10T15:00:00Z");
        assert_eq!(bars.reaction(future, &[3_600]), Err(NoReaction::Future));
        // Christmas Day: open by the clock, but without a bar.
        let all = Bars::new(&candles, Symbol::EurUsd, Timeframe::H1, Time(i64::MAX));
        let holiday = time("2017-12-25T12:00:00Z");
        assert_eq!(all.reaction(holiday, &[3_600]), Err(NoReaction::NoBar));
        // The base is the close before a release within a bar, and the open at its start.
        let bar = |at: &str| *candles.iter().find(|bar| bar.time == time(at)).unwrap();
        let (before, at) = (bar("2017-03-10T12:00:00Z"), bar("2017-03-10T13:00:00Z"));
        let within = bars.reaction(release, &[3_600, 86_400]).unwrap();
        let pips = |points| Symbol::EurUsd.pips(points);
        // 14:30 has come, the next day has not.
        assert_eq!(within.moves, [Some(pips(at.close - before.close)), None]);
        let start = bars.reaction(at.time, &[3_600]).unwrap();
        assert_eq!(start.moves, [Some(pips(at.close - at.open))]);
    }

    #[test]
    fn surprises() {
        let events: Vec<_> = sample::calendar()
            .into_iter()
            .filter(|event| event.id.starts_with("us-jobs"))
            .collect();
        assert!(surprise(&events).known().is_some());
        assert_eq!(surprise(&events[..2]).known(), None);
        assert_eq!(
            hit_rate(&[(1.0, 5.0), (-1.0, 3.0), (0.0, 2.0)]),
            Figure::Known(0.5)
        );
        assert_eq!(hit_rate(&[]).known(), None);
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0]);
        assert!(spread.low_confidence);
        assert_eq!(
            (spread.median, spread.lower_quartile),
            (Some(2.5), Some(1.75))
        );
    }
}
