//! Pages of candles.

use protocol::FromJson;
use serde_json::json;

use super::check;
use crate::{
    Actor, CandleRow, CandlesPage, Change, ChartTalk, ChartTalks, FieldChange, Symbol, Timeframe,
    TrailEntry, TrailPage,
};

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

#[test]
fn trail() {
    let change = Change {
        time: "2017-07-04T12:00:00Z".to_owned(),
        actor: Actor::Model,
        person: Some("ada".to_owned()),
        reason: "the high moved".to_owned(),
        changes: vec![FieldChange {
            field: "label".to_owned(),
            from: json!(""),
            to: json!("top"),
        }],
        call: Some("call_02".to_owned()),
        group: Some("trn_01".to_owned()),
        conversation: Some("cnv_01HF7YAT00000000000000000A".to_owned()),
        message: Some("msg_01".to_owned()),
    };
    let entry = TrailEntry {
        symbol: "EURUSD".to_owned(),
        drawing: "call_01".to_owned(),
        kind: "horizontal_line".to_owned(),
        is_drawn: false,
        change,
    };
    let page = TrailPage {
        entries: vec![entry],
        more: true,
        next: None,
    };
    check("page_trail", &page);
    let cursor = "2017-07-04T12:00:00Z~2~everyone~call_01".to_owned();
    let page: TrailPage = TrailPage {
        entries: Vec::new(),
        more: true,
        next: Some(cursor),
    };
    check("page_trail_next", &page);
}
