//! Hourly candles of EUR/USD in 2017. `data/README.md` names their source, and
//! `data/make_candles.py` the format of the text.

use crate::{Candle, Points, Time};

const TEXT: &str = include_str!("../../data/eurusd-h1-2017.txt");

/// The candles, oldest first.
pub fn candles() -> Vec<Candle> {
    let (mut hour, mut close) = (0, 0);
    let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
    // Every line is a candle; a test counts them.
    lines
        .filter_map(|line| {
            let mut values = line.split(' ').map(str::parse::<i64>);
            let mut next = || values.next()?.ok();
            hour += next()?;
            let open = close + next()?;
            let (above, below, body, volume) = (next()?, next()?, next()?, next()?);
            close = open + body;
            Some(Candle {
                time: Time(hour * 3_600),
                open: Points(open),
                high: Points(open.max(close) + above),
                low: Points(open.min(close) - below),
                close: Points(close),
                volume,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symbol, Timeframe, aggregate, session};

    #[test]
    fn a_year_of_sound_candles() {
        let all = candles();
        assert_eq!(all.len(), 6_225);
        let (first, last) = (all[0], all[6_224]);
        assert_eq!(first.time.to_string(), "2017-01-01T22:00:00Z");
        assert_eq!(
            [first.open, first.high, first.low, first.close].map(|points| points.0),
            [105_236, 105_253, 105_221, 105_227]
        );
        assert_eq!(first.volume, 143_539_993);
        assert_eq!(last.time.to_string(), "2017-12-29T21:00:00Z");
        assert_eq!(
            [last.open, last.high, last.low, last.close].map(|points| points.0),
            [119_984, 120_130, 119_931, 120_075]
        );
        for candle in &all {
            assert_eq!(
                candle.check(Symbol::EurUsd, Timeframe::H1),
                Ok(()),
                "{}",
                candle.time
            );
            assert!(
                session::is_open(Symbol::EurUsd, candle.time),
                "{}",
                candle.time
            );
            assert!(candle.range() > Points(0), "{}", candle.time);
        }
        let gaps = all.windows(2).filter_map(|pair| {
            let hours = (pair[1].time.0 - pair[0].time.0) / 3_600 - 1;
            (hours > 0).then_some(hours)
        });
        let gaps: Vec<_> = gaps.collect();
        assert_eq!(gaps.iter().filter(|hours| **hours >= 40).count(), 51);
        assert_eq!(
            gaps.iter().filter(|hours| **hours < 40).count(),
            1,
            "{gaps:?}"
        );
        // Christmas Day: 15 hours from one to the next.
        assert!(gaps.contains(&14));
    }

    #[test]
    fn longer_candles() {
        let count = |into| {
            let longer = aggregate(Symbol::EurUsd, candles(), Timeframe::H1, into);
            longer.unwrap().len()
        };
        // 52 weeks from Sunday to Friday; no day is missing.
        assert_eq!(count(Timeframe::D1), 260);
        assert_eq!(count(Timeframe::W1), 52);
        assert_eq!(count(Timeframe::MN), 12);
    }
}
