//! The parts of the board.

use protocol::FromJson;

use super::{AT, LATER, check, drawing::drawing};
use crate::{
    Bound, CandleRow, Check, DrawingKey, DrawingPart, Figures, HourPart, LastPrice, LevelSeen,
    PricePart, Quoted, Scroll, Symbol, Timeframe,
};

fn part() -> DrawingPart {
    DrawingPart {
        drawing: drawing(),
        check: Some(Check {
            of: "the nearest level, 0.618 at 1.10500".to_owned(),
            touches: 2,
            last_touch: Some(LATER.to_owned()),
            distance_pips: -12.3,
            prospective: false,
            bars: 500,
            levels: vec![LevelSeen {
                level: 0.618,
                price: 1.105,
                touches: 2,
                last_touch: None,
                distance_pips: -12.3,
            }],
        }),
        figures: Some(Figures {
            reward_to_risk: 2.0,
            reward_pips: 100.0,
            risk_pips: 50.0,
            lots: Some(0.2),
            bound_by: Some(Bound::Leverage),
            balance_at_target: Some(10_200.0),
            balance_at_stop: Some(9_900.0),
            unknown: None,
            warning: Some("the size is zero".to_owned()),
        }),
    }
}

#[test]
fn a_drawing() {
    check("board_drawing", &part());
    let bare = DrawingPart {
        check: None,
        figures: None,
        ..part()
    };
    check("board_drawing_unchecked", &bare);
    // No figure is made up.
    let unsized_figures = Figures {
        reward_to_risk: 2.0,
        reward_pips: 100.0,
        risk_pips: 50.0,
        lots: None,
        bound_by: None,
        balance_at_target: None,
        balance_at_stop: None,
        unknown: Some("no account".to_owned()),
        warning: None,
    };
    check("figures_without_size", &unsized_figures);
}

#[test]
fn a_price() {
    let quoted = Quoted {
        symbol: Symbol::EurUsd,
        bid: 1.19984,
        ask: 1.19996,
        spread_pips: 1.2,
        at: "2017-12-29T21:30:00Z".to_owned(),
        simulated: true,
        why: "There is no live source.".to_owned(),
        bar: HourPart {
            time: "2017-12-29T21:00:00Z".to_owned(),
            open: 1.2,
            high: 1.3,
            low: 1.1,
            close: 1.2,
            volume: 4_885_529_785,
        },
        minutes: Vec::new(),
    };
    let minute = |time, close| CandleRow {
        time,
        open: 1.2,
        high: 1.3,
        low: 1.1,
        close,
        volume: 0,
    };
    let told = PricePart::Known(Quoted {
        simulated: false,
        why: "It is the source's.".to_owned(),
        minutes: vec![minute(1_514_582_940, 1.25), minute(1_514_583_000, 1.2)],
        ..quoted.clone()
    });
    check("board_price_told", &told);
    let known = PricePart::Known(quoted);
    check("board_price", &known);
    let unknown: PricePart = PricePart::Unknown {
        symbol: Symbol::UsdJpy,
        unknown: "no answer".to_owned(),
        last: None,
    };
    check("board_price_unknown", &unknown);
    let silent: PricePart = PricePart::Unknown {
        symbol: Symbol::UsdJpy,
        unknown: "nothing new".to_owned(),
        last: Some(LastPrice {
            bid: 112.5,
            ask: 112.51,
            at: AT.to_owned(),
            age_s: 12,
        }),
    };
    check("board_price_silent", &silent);
}

#[test]
fn what_a_page_reads_of_results() {
    let key = DrawingKey {
        id: "call_01".to_owned(),
        symbol: Symbol::EurUsd,
        version: 3,
        removed: false,
    };
    check("drawing_key", &key);
    let record = serde_json::to_value(part()).unwrap();
    assert_eq!(DrawingKey::from_json(record), Some(key));
    let scroll: Scroll = Scroll {
        symbol: Symbol::GbpUsd,
        timeframe: Some(Timeframe::H4),
        time: Some(AT.to_owned()),
    };
    check("scroll", &scroll);
}
