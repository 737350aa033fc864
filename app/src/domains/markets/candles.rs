//! Candles of the page, and the merge of the current price into the newest one.

use markets_wire::{CandleRow, CandlesPage, HourPart, Quoted, Timeframe};

use super::time;

/// Returns candles as the chart takes them. Numbers are the same in Rust as in JSON.
pub(super) fn page_json(page: &CandlesPage) -> String {
    let rows: Vec<_> = page.candles.iter().map(row).collect();
    let (rows, more) = (rows.join(","), page.more);
    format!(r#"{{"candles":[{rows}],"more":{more}}}"#)
}

/// Returns a candle as the chart takes it.
pub(super) fn row(candle: &CandleRow) -> String {
    let CandleRow {
        time,
        open,
        high,
        low,
        close,
        volume,
    } = candle;
    format!("[{time},{open},{high},{low},{close},{volume}]")
}

/// Takes a price into candles, oldest first: the newest minutes of its source or, if it is simulated, the forming
/// hour. Returns the candles that are new or changed.
pub(super) fn take_in(
    candles: &mut Vec<CandleRow>,
    price: &Quoted,
    timeframe: Timeframe,
) -> Vec<CandleRow> {
    let (parts, length) = if price.simulated {
        (of_hour(&price.bar).into_iter().collect(), Timeframe::H1)
    } else {
        (price.minutes.clone(), Timeframe::M1)
    };
    let before = candles.last().copied();
    let known = candles.len().saturating_sub(1);
    for part in parts {
        let last = candles.last().copied();
        let Some(next) = with_part(last, part, length, timeframe) else {
            continue;
        };
        if last.is_some_and(|last| last.time == next.time) {
            candles.pop();
        }
        candles.push(next);
    }
    let mut changed = candles.split_off(known);
    candles.extend(&changed);
    changed.retain(|candle| before != Some(*candle));
    changed
}

/// Returns the forming hour as a candle.
fn of_hour(hour: &HourPart) -> Option<CandleRow> {
    Some(CandleRow {
        time: time::seconds(&hour.time)?,
        open: hour.open,
        high: hour.high,
        low: hour.low,
        close: hour.close,
        volume: hour.volume,
    })
}

/// Returns the newest candle with a minute or an hour merged in, or the one after it; none if that is older, or
/// longer than the candles.
fn with_part(
    last: Option<CandleRow>,
    part: CandleRow,
    length: Timeframe,
    timeframe: Timeframe,
) -> Option<CandleRow> {
    if length > timeframe {
        return None;
    }
    let Some(last) = last else {
        return Some(part);
    };
    if part.time < last.time {
        return None;
    }
    if length == timeframe {
        return Some(part);
    }
    let seconds = timeframe.seconds();
    let is_within = if timeframe == Timeframe::MN {
        is_same_month(last.time, part.time)
    } else {
        part.time < last.time + seconds
    };
    if is_within {
        return Some(CandleRow {
            high: last.high.max(part.high),
            low: last.low.min(part.low),
            close: part.close,
            ..last
        });
    }
    let time = if timeframe == Timeframe::MN {
        part.time - part.time.rem_euclid(Timeframe::H1.seconds())
    } else {
        last.time + (part.time - last.time) / seconds * seconds
    };
    Some(CandleRow { time, ..part })
}

/// Returns whether an hour is in the month that opened at a time: in some zones that is in the evening
/// before its first day in UTC.
fn is_same_month(opened: i64, hour: i64) -> bool {
    let midnight = (-opened).rem_euclid(86_400);
    let shift = if midnight < 43_200 { midnight } else { 0 };
    let month = |at: i64| time::rfc3339(at + shift).get(..7).map(str::to_owned);
    month(opened) == month(hour)
}

#[cfg(test)]
mod tests {
    use markets_wire::Symbol;

    use super::*;

    fn candle(time: i64, high: f64, close: f64) -> CandleRow {
        CandleRow {
            time,
            open: 1.0,
            high,
            low: 0.5,
            close,
            volume: 1,
        }
    }

    #[test]
    fn an_hour_belongs_to_the_candle_that_it_is_in() {
        let last = candle(14_400, 2.0, 1.5);
        let hour = |at| candle(at, 3.0, 1.1);
        let of = |at, frame| with_part(Some(last), hour(at), Timeframe::H1, frame);
        assert_eq!(of(10_800, Timeframe::H1), None);
        assert_eq!(of(14_400, Timeframe::H1), Some(hour(14_400)));
        assert_eq!(of(18_000, Timeframe::H1), Some(hour(18_000)));
        assert_eq!(of(18_000, Timeframe::H4), Some(candle(14_400, 3.0, 1.1)));
        assert_eq!(of(28_800, Timeframe::H4), Some(hour(28_800)));
        assert_eq!(of(46_800, Timeframe::H4), Some(hour(43_200)));
        assert_eq!(of(14_400, Timeframe::M30), None);
        let first = with_part(None, hour(0), Timeframe::H1, Timeframe::D1);
        assert_eq!(first, Some(hour(0)));
    }

    #[test]
    fn a_month_is_as_long_as_it_is() {
        let at = |text| time::seconds(text).unwrap();
        for (opened, within, after) in [
            // Trade of currency pairs begins in the evening, also while clocks are an hour ahead.
            (
                "2017-02-28T22:00:00Z",
                "2017-03-31T20:00:00Z",
                "2017-03-31T22:00:00Z",
            ),
            (
                "2018-01-31T22:00:00Z",
                "2018-02-28T21:00:00Z",
                "2018-02-28T22:00:00Z",
            ),
            (
                "2017-03-01T00:00:00Z",
                "2017-03-31T23:00:00Z",
                "2017-04-01T00:00:00Z",
            ),
        ] {
            let last = candle(at(opened), 2.0, 1.5);
            let of = |hour| {
                let hour = candle(at(hour), 3.0, 1.1);
                with_part(Some(last), hour, Timeframe::H1, Timeframe::MN)
            };
            assert_eq!(of(within), Some(candle(at(opened), 3.0, 1.1)));
            assert_eq!(of(after), Some(candle(at(after), 3.0, 1.1)));
        }
    }

    fn forming() -> HourPart {
        HourPart {
            time: "2017-12-29T21:00:00Z".to_owned(),
            open: 1.2,
            high: 1.3,
            low: 1.1,
            close: 1.25,
            volume: 7,
        }
    }

    #[test]
    fn a_price_belongs_to_the_candles_that_its_minutes_are_in() {
        let start = 1_514_581_200;
        let (closed, forming_one) = (candle(start + 240, 2.0, 1.5), candle(start + 300, 1.4, 1.2));
        let mut price = Quoted {
            symbol: Symbol::EurUsd,
            bid: 1.1,
            ask: 1.2,
            spread_pips: 1.0,
            at: "2017-12-29T21:05:30Z".to_owned(),
            simulated: false,
            why: String::new(),
            bar: forming(),
            minutes: vec![closed, forming_one],
        };
        let taken = |last: CandleRow, price: &Quoted, timeframe| {
            let mut all = vec![last];
            let changed = take_in(&mut all, price, timeframe);
            (all, changed)
        };
        // Nobody has seen the end of the minute that has closed.
        let seen = candle(start + 240, 1.9, 1.4);
        let both = vec![closed, forming_one];
        assert_eq!(taken(seen, &price, Timeframe::M1), (both.clone(), both));
        let five = candle(start, 1.1, 1.0);
        let both = vec![candle(start, 2.0, 1.5), forming_one];
        assert_eq!(taken(five, &price, Timeframe::M5), (both.clone(), both));
        let (_, changed) = taken(five, &price, Timeframe::H1);
        assert_eq!(changed.last(), Some(&candle(start, 2.0, 1.2)));
        // What is known already changes nothing.
        let hour = candle(start, 2.0, 1.2);
        assert!(taken(hour, &price, Timeframe::H1).1.is_empty());
        assert!(taken(forming_one, &price, Timeframe::M1).1.is_empty());
        price.simulated = true;
        assert!(taken(five, &price, Timeframe::M5).1.is_empty());
        let (_, changed) = taken(five, &price, Timeframe::H1);
        assert_eq!(changed, [of_hour(&forming()).unwrap()]);
    }

    #[test]
    fn the_chart_gets_arrays() {
        let hour = of_hour(&forming()).unwrap();
        let page = CandlesPage {
            symbol: Symbol::EurUsd,
            timeframe: Timeframe::H1,
            digits: 5,
            pip: 0.0001,
            source: String::new(),
            synthetic: false,
            simulated_from: None,
            candles: vec![hour, candle(1_514_584_800, 1e-7, 1.0)],
            more: true,
        };
        let json = page_json(&page);
        let rows = "[[1514581200,1.2,1.3,1.1,1.25,7],[1514584800,1,0.0000001,0.5,1,1]]";
        assert_eq!(json, format!(r#"{{"candles":{rows},"more":true}}"#));
    }
}
