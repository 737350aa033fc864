//! Alerts.

use protocol::FromJson;

use super::{AT, LATER, check};
use crate::{
    Actor, AlertLine, AlertPart, AlertRecord, AlertState, AlertSubject, Crossing, DrawingLevel,
    Firing, FiringLine, Indicator, LevelSide, Symbol, Timeframe,
};

fn alert(subject: AlertSubject) -> AlertRecord {
    AlertRecord {
        id: "call_01".to_owned(),
        symbol: Symbol::EurUsd,
        subject,
        crossing: Crossing::Up,
        note: "the June high".to_owned(),
        repeats: true,
        actor: Actor::Model,
        person: None,
        call: "call_01".to_owned(),
        conversation: Some("cnv_01".to_owned()),
        created_at: AT.to_owned(),
        version: 3,
        state: AlertState::Waiting,
        since: LATER.to_owned(),
        side: Some(LevelSide::Above),
        drawing_version: Some(2),
        fired: 1,
        last: Some(Firing {
            time: LATER.to_owned(),
            value: 1.10012,
            level: 1.1,
            way: Crossing::Up,
            after_gap: true,
        }),
        withdrawn_by: None,
    }
}

#[test]
fn subjects() {
    check("alert_price", &AlertSubject::Price { level: 1.1 });
    let drawing = "call_02".to_owned();
    let line = AlertSubject::Drawing {
        drawing: drawing.clone(),
        part: None,
        ratio: None,
    };
    check("alert_drawing", &line);
    let edge = AlertSubject::Drawing {
        drawing: drawing.clone(),
        part: Some(DrawingLevel::Top),
        ratio: None,
    };
    check("alert_drawing_edge", &edge);
    let level = AlertSubject::Drawing {
        drawing,
        part: None,
        ratio: Some(0.618),
    };
    check("alert_drawing_ratio", &level);
    let indicator = AlertSubject::Indicator {
        indicator: Indicator::Rsi,
        period: 14,
        timeframe: Timeframe::H4,
        level: 70.0,
    };
    check("alert_indicator", &indicator);
}

#[test]
fn an_alert() {
    let part = AlertPart {
        alert: alert(AlertSubject::Price { level: 1.1 }),
        condition: "the price goes above 1.10000".to_owned(),
        unknown: Some("the source has told nothing new".to_owned()),
        value: None,
    };
    check("board_alert", &part);
    let lost = AlertSubject::Drawing {
        drawing: "call_02".to_owned(),
        part: None,
        ratio: None,
    };
    let new = AlertPart {
        alert: AlertRecord {
            state: AlertState::Lost,
            side: None,
            last: None,
            ..alert(lost)
        },
        unknown: None,
        ..part
    };
    check("board_alert_lost", &new);
}

#[test]
fn a_page_reads_what_it_shows_of_an_alert() {
    let part = AlertPart {
        alert: alert(AlertSubject::Price { level: 1.1 }),
        condition: "the price goes above 1.10000".to_owned(),
        unknown: None,
        value: Some("1.10012".to_owned()),
    };
    check("board_alert_told", &part);
    let line = AlertLine {
        id: part.alert.id.clone(),
        symbol: part.alert.symbol,
        note: part.alert.note.clone(),
        repeats: true,
        actor: Actor::Model,
        person: None,
        state: AlertState::Waiting,
        since: LATER.to_owned(),
        fired: 1,
        last: Some(FiringLine {
            time: LATER.to_owned(),
            after_gap: true,
        }),
        condition: part.condition.clone(),
        unknown: None,
        value: part.value.clone(),
    };
    check("alert_line", &line);
    let json = serde_json::to_value(&part).unwrap();
    assert_eq!(AlertLine::from_json(json), Some(line));
}
