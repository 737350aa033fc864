//! Pages of candles.

use protocol::FromJson;
use serde_json::json;

use super::check;
use crate::{CandleRow, CandlesPage, ChartTalk, ChartTalks, Symbol, Timeframe};

#[test]
fn candles() {
    let page = CandlesPage {
        symbol: Symbol::UsdJpy,
        timeframe: Timeframe::D1,
        digits: 3,
        pip: 0.01,
        source: "Stored candles.".to_owned(),
        synthetic: false,
        simulated_from: Some(1_514_584_800),
        candles: vec![CandleRow {
            time: 1_514_581_200,
            open: 112.5,
            high: 113.0,
            low: 112.125,
            close: 112.75,
            volume: 4_885_529_785,
        }],
        more: true,
    };
    check("page_candles", &page);
    let short = json!([1_514_581_200, 1.0]);
    assert_eq!(CandleRow::from_json(short), None);
    let long = json!([1_514_581_200, 1.0, 1.0, 1.0, 1.0, 1, 1]);
    assert_eq!(CandleRow::from_json(long), None);
}

#[test]
fn conversations() {
    let talk = ChartTalk {
        conversation: "cnv_01HF7YAT00000000000000000A".parse().unwrap(),
        title: "Where does it stand?".to_owned(),
        symbol: Symbol::GbpUsd,
        timeframe: Timeframe::H4,
    };
    check("page_conversations", &ChartTalks { talks: vec![talk] });
}
