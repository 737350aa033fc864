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

/// Returns what a price tells of the newest candle: the forming hour or, in a shorter timeframe, the price
/// alone. Of these nothing is simulated.
pub(super) fn of_price(price: &Quoted, timeframe: Timeframe) -> Option<CandleRow> {
    if timeframe >= Timeframe::H1 {
        return of_hour(&price.bar);
    }
    if price.simulated {
        return None;
    }
    let at = time::seconds(&price.at)?;
    Some(CandleRow {
        time: at - at.rem_euclid(timeframe.seconds()),
        open: price.ask,
        high: price.ask,
        low: price.ask,
        close: price.ask,
        volume: 0,
    })
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

/// Returns the newest candle with the current hour or price merged in, or the one after it; none if that
/// is older.
pub(super) fn with_hour(
    last: Option<CandleRow>,
    hour: CandleRow,
    timeframe: Timeframe,
) -> Option<CandleRow> {
    let Some(last) = last else {
        return Some(hour);
    };
    if hour.time < last.time {
        return None;
    }
    if timeframe == Timeframe::H1 {
        return Some(hour);
    }
    let length = timeframe.seconds();
    let is_within = if timeframe == Timeframe::MN {
        is_same_month(last.time, hour.time)
    } else {
        hour.time < last.time + length
    };
    if is_within {
        return Some(CandleRow {
            high: last.high.max(hour.high),
            low: last.low.min(hour.low),
            close: hour.close,
            ..last
        });
    }
    if timeframe == Timeframe::MN {
        return Some(hour);
    }
    let later = (hour.time - last.time) / length * length;
    Some(CandleRow {
        time: last.time + later,
        ..hour
    })
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
        let of = |at, frame| with_hour(Some(last), hour(at), frame);
        assert_eq!(of(10_800, Timeframe::H1), None);
        assert_eq!(of(14_400, Timeframe::H1), Some(hour(14_400)));
        assert_eq!(of(18_000, Timeframe::H1), Some(hour(18_000)));
        assert_eq!(of(18_000, Timeframe::H4), Some(candle(14_400, 3.0, 1.1)));
        assert_eq!(of(28_800, Timeframe::H4), Some(hour(28_800)));
        assert_eq!(of(46_800, Timeframe::H4), Some(hour(43_200)));
        assert_eq!(with_hour(None, hour(0), Timeframe::D1), Some(hour(0)));
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
            let of = |hour| with_hour(Some(last), candle(at(hour), 3.0, 1.1), Timeframe::MN);
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
    fn a_price_belongs_to_the_short_candle_that_it_is_in() {
        let mut price = Quoted {
            symbol: Symbol::EurUsd,
            bid: 1.2,
            ask: 1.25,
            spread_pips: 1.0,
            at: "2017-12-29T21:07:30Z".to_owned(),
            simulated: false,
            why: String::new(),
            bar: forming(),
        };
        let start = 1_514_581_200;
        let next = |last, price: &Quoted| {
            let part = of_price(price, Timeframe::M5)?;
            with_hour(Some(candle(last, 1.1, 1.0)), part, Timeframe::M5)
        };
        // Its own is that of 21:05, whatever the hour was before.
        let merged = candle(start + 300, 1.25, 1.25);
        assert_eq!(next(start + 300, &price), Some(merged));
        let alone = of_price(&price, Timeframe::M5);
        assert_eq!(next(start, &price), alone);
        assert_eq!(alone.unwrap().open, 1.25);
        assert_eq!(next(start + 600, &price), None);
        assert_eq!(of_price(&price, Timeframe::D1), of_hour(&forming()));
        price.simulated = true;
        assert_eq!(of_price(&price, Timeframe::M5), None);
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
