use proptest::prelude::*;

use super::*;
use crate::{Timeframe, sample, session};

const START: f64 = 1_000_000.0;

fn sample(speed: f64) -> Simulated {
    Simulated::new(Symbol::EurUsd, &sample::candles(), START, speed).unwrap()
}

#[test]
fn it_stands_still_at_the_last_close() {
    for (still, now) in [
        (sample(0.0), START + 1e6),
        // Not yet started, a clock that was set back, and invalid speeds.
        (sample(60.0), START),
        (sample(60.0), START - 500.0),
        (sample(f64::NAN), START + 50.0),
        (sample(-3.0), START + 50.0),
        (sample(60.0), f64::NAN),
    ] {
        let quote = still.at(now);
        assert_eq!(quote.time.to_string(), "2017-12-29T22:00:00Z");
        assert_eq!(
            (quote.bid, quote.ask, quote.bar),
            (Points(120_065), Points(120_075), still.last)
        );
        assert!(still.closed(now, 10).is_empty() && still.hours(now, None, 10).is_empty());
    }
    assert!(Simulated::new(Symbol::EurUsd, &[], START, 60.0).is_none());
}

#[test]
fn it_goes_on_inside_of_sessions() {
    let live = sample(60.0);
    // The stored year ends on a Friday evening: the next bar opens on Sunday, 17:00 in New York.
    let first = live.at(START + 1.0);
    assert_eq!(first.time.to_string(), "2017-12-31T22:01:00Z");
    assert_eq!(first.bar.time.to_string(), "2017-12-31T22:00:00Z");
    assert_eq!(live.at(START + 1.0), first);
    // At an hour per minute, a week of 120 hours is over after two hours.
    let closed = live.closed(START + 7_200.0, 500);
    assert_eq!(closed.len(), 120);
    assert_eq!(closed[119].time.to_string(), "2018-01-05T21:00:00Z");
    let next = live.at(START + 7_201.0);
    assert_eq!(next.bar.time.to_string(), "2018-01-07T22:00:00Z");
    // In summer the week begins an hour earlier, and all year no bar is on a weekend.
    let year = live.closed(START + 52.0 * 7_200.0, 100_000);
    assert_eq!(year.len(), 52 * 120);
    assert!(
        year.iter()
            .any(|bar| bar.time.to_string() == "2018-07-01T21:00:00Z")
    );
    let mut close = live.last.close;
    for (pair, bar) in year.windows(2).zip(&year) {
        assert!(pair[0].time < pair[1].time);
        assert_eq!(
            bar.check(Symbol::EurUsd, Timeframe::H1),
            Ok(()),
            "{}",
            bar.time
        );
        assert!(session::is_open(Symbol::EurUsd, bar.time), "{}", bar.time);
        // No jump that the stored candles did not have from one hour to the next: theirs over weekends
        // are up to 35 pips.
        assert!(
            (bar.open - close).0.abs() < 100,
            "{} from {close:?}",
            bar.time
        );
        close = bar.close;
    }
    // Two rounds, one of them mirrored, end where they began.
    assert_eq!(year[2 * REPLAYED - 1].close, live.last.close);
    let newest = live.closed(START + 52.0 * 7_200.0, 3);
    assert_eq!(newest, year[year.len() - 3..]);
    // From the middle of a session too.
    let hours = &sample::candles()[..5_950];
    let middle = Simulated::new(Symbol::EurUsd, hours, START, 60.0).unwrap();
    let quote = middle.at(START + 60.5);
    assert_eq!(quote.time, hours[5_949].time.plus(2 * HOUR + 30));
}

#[test]
fn an_hour_replays_one_of_its_time_of_the_week() {
    let week = 7 * 24 * HOUR;
    let stored = sample::candles();
    let live = sample(60.0);
    let hours = live.closed(START + 4.0 * 7_200.0, REPLAYED);
    assert_eq!(hours.len(), REPLAYED);
    let (mut same, mut others) = (0, 0);
    for hour in &hours {
        let is_like = |weeks: i64| {
            let time = hour.time.plus(-weeks * week);
            let like = stored.iter().find(|stored| stored.time == time);
            like.is_some_and(|like| like.range() == hour.range() && like.volume == hour.volume)
        };
        // Four weeks before; on Christmas there are none.
        if is_like(4) {
            same += 1;
        } else {
            assert!((5..=7).any(is_like), "{}", hour.time);
            others += 1;
        }
    }
    assert_eq!((same, others), (465, 15));
}

#[test]
fn hours_before_an_instant() {
    let live = sample(60.0);
    let now = START + 7_290.0;
    let all = live.hours(now, None, 500);
    assert_eq!(all.len(), 122);
    assert_eq!(all[121], live.at(now).bar);
    let times = |before: Time, most: usize| -> Vec<Time> {
        let hours = live.hours(now, Some(before), most);
        hours.iter().map(|hour| hour.time).collect()
    };
    for (index, hour) in all.iter().enumerate() {
        for later in [0, 1] {
            let before = hour.time.plus(later);
            let count = index + usize::try_from(later).unwrap();
            let expect: Vec<_> = all[..count].iter().map(|hour| hour.time).collect();
            assert_eq!(times(before, 500), expect, "{before}");
            assert_eq!(
                times(before, 2),
                expect[count.saturating_sub(2)..],
                "{before}"
            );
        }
    }
    // A weekend, before all and after all.
    assert_eq!(
        times(Time::parse("2018-01-06T12:00:00Z").unwrap(), 500).len(),
        120
    );
    assert!(times(live.end(), 500).is_empty());
    assert!(times(Time(0), 500).is_empty());
    assert_eq!(times(Time(4_000_000_000), 500).len(), 122);
}

#[test]
fn it_says_what_it_is() {
    let part = sample(60.0).at(START + 90.0).part();
    assert_eq!((part.simulated, part.symbol), (true, Symbol::EurUsd));
    assert_eq!(part.spread_pips, 1.0);
    let why = part.why;
    assert!(why.contains("replayed, 60 times as fast"), "{why}");
    let why = sample(0.0).at(START).why();
    assert!(why.contains("close of the last stored hour"), "{why}");
}

proptest! {
    // Each case checks an hour minute by minute.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_candle_holds_the_path(hour in 0_i64..2_000, count in 1_usize..700) {
        let hours = sample::candles();
        let live = Simulated::new(Symbol::EurUsd, &hours[hours.len() - count..], START, 60.0);
        let live = live.unwrap();
        let whole = live.hour(hour);
        let mut so_far: Option<Candle> = None;
        for second in 1..60 {
            let quote = live.at(START + (hour * 60 + second) as f64);
            prop_assert!(quote.bid < quote.ask && quote.bid.0 > 0);
            prop_assert_eq!(quote.ask, quote.bar.close);
            prop_assert!(whole.holds(quote.ask) && quote.bar.holds(quote.ask));
            prop_assert_eq!((quote.bar.time, quote.bar.open), (whole.time, whole.open));
            prop_assert!(session::is_open(Symbol::EurUsd, quote.time));
            if let Some(before) = so_far {
                prop_assert!(before.high <= quote.bar.high && before.low >= quote.bar.low);
                prop_assert!(before.volume <= quote.bar.volume);
            }
            so_far = Some(quote.bar);
        }
        // The hour reaches both of its extremes, and its last price is the close.
        let last = so_far.unwrap();
        prop_assert_eq!((last.high, last.low), (whole.high, whole.low));
        let end = live.forming(hour, HOUR);
        prop_assert_eq!((end.1, end.2), (whole.close, whole));
    }
}
