//! The trail of the drawings: as CSV, whole and filtered, and in pages.

use std::sync::Arc;

use agent::ports::Toolset;
use markets::{
    Live, Markets, Symbol, Time, TrailFilter,
    drawing::{Actor, DrawingReader, DrawingStore, EVERYONE, NewDrawing, create},
};
use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryRecords};
use protocol::{ErrorCode, PageQuery, Timestamp, UserId};
use serde_json::json;
use testkit::FixedEnv;

use crate::{
    desk::{change, data, line, markets, model, person, trail_of},
    scripted::ScriptedMarket,
};

#[tokio::test]
async fn the_trail_has_every_change() {
    let markets = markets().await;
    let drawn = data(&markets, model(1, 1, "draw_horizontal_line", line(1.2))).await;
    let id = &drawn["drawing"]["id"];
    let moved = change(
        id,
        1,
        json!({ "shape": { "price": 1.195 }, "label": "=1+1" }),
    );
    data(&markets, person(2, "update_drawing", moved)).await;
    let gone = json!({ "id": id, "expected_version": 2, "reason": "it is, over" });
    data(&markets, model(3, 2, "remove_drawing", gone)).await;
    let lines = async |filter: TrailFilter| {
        let text = trail_of(&markets, DrawingReader::Anybody, &filter).await;
        let lines = text.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.splitn(5, ',').collect();
            assert_eq!(
                cells[..4],
                [cells[0], "EURUSD", id.as_str().unwrap(), "horizontal_line"]
            );
            cells[4].split(",call_").next().unwrap().to_owned()
        });
        lines.collect::<Vec<_>>()
    };
    let all = lines(TrailFilter::default()).await;
    assert_eq!(all.len(), 4, "{all:?}");
    assert!(
        all[0].starts_with("model,two lows of December,drawn,,,cnv_"),
        "{all:?}"
    );
    assert_eq!(
        all[1..3],
        [
            "user,the low moved,label,,'=1+1,,",
            "user,the low moved,shape.price,1.2,1.195,,",
        ]
    );
    // A change leads to the message of its own call, also in another turn.
    let (told, gone) = (model(1, 1, "", json!({})), model(3, 2, "", json!({})));
    let origin = |call: agent::ports::ToolCall| {
        let message = call.origin.message.map(|message| message.to_string());
        format!("{},{}", call.origin.conversation, message.unwrap())
    };
    assert!(all[0].ends_with(&origin(told)), "{all:?}");
    let removal = format!("model,\"it is, over\",removed,false,true,{}", origin(gone));
    assert_eq!(all[3], removal);
    let by_people = TrailFilter {
        actor: Some(Actor::User),
        ..TrailFilter::default()
    };
    assert_eq!(lines(by_people).await, all[1..3]);
    let elsewhere = TrailFilter {
        symbol: Some(Symbol::UsdJpy),
        ..TrailFilter::default()
    };
    assert_eq!(lines(elsewhere).await, [""; 0]);
    for (kind, count) in [("horizontal_line", 4), ("trendline", 0)] {
        let of_kind = TrailFilter {
            kind: Some(kind.to_owned()),
            ..TrailFilter::default()
        };
        assert_eq!(lines(of_kind).await.len(), count, "{kind}");
    }
}

/// A line that everybody sees.
fn drawn(number: i64) -> NewDrawing {
    let shape = json!({ "kind": "horizontal_line", "price": 1.2 });
    NewDrawing {
        id: format!("call_{number}"),
        owner: EVERYONE.to_owned(),
        symbol: Symbol::EurUsd,
        content: serde_json::from_value(json!({ "shape": shape })).unwrap(),
        reason: "two swings".to_owned(),
        actor: Actor::Model,
        person: None,
        call: None,
        conversation: None,
        message: None,
        group: None,
        candles: Vec::new(),
    }
}

/// The pages have what the export has, in the other order: each change once, also where many have one time.
#[tokio::test]
async fn pages_lead_to_the_end_of_the_trail() {
    let drawings = MemoryDrawings::default();
    for number in 0..450 {
        let drawing = create(drawn(number), Time(number / 150)).unwrap();
        drawings.insert(&drawing).await.unwrap();
    }
    let markets = Markets::new(
        Live::still(Arc::new(MemoryCandles::default())),
        Arc::new(MemoryRecords::default()),
        Arc::new(drawings),
        Arc::new(MemoryAlerts::default()),
        Arc::new(FixedEnv::default()),
    );
    let page = async |part: &str| {
        let query = PageQuery {
            kind: "trail".to_owned(),
            name: "all".to_owned(),
            part: part.to_owned(),
        };
        markets.page(UserId::new(Timestamp(1), 1), &query).await
    };
    let (mut listed, mut sizes) = (Vec::new(), Vec::new());
    let mut part = "symbol=EURUSD".to_owned();
    loop {
        let answer = page(&part).await.unwrap();
        let entries = answer["entries"].as_array().unwrap();
        let ids = entries.iter().map(|it| it["drawing"].as_str().unwrap());
        listed.extend(ids.map(str::to_owned));
        sizes.push(entries.len());
        assert_eq!(answer["more"], answer["next"].is_string());
        let Some(next) = answer["next"].as_str() else {
            break;
        };
        part = format!("symbol=EURUSD&before={next}");
    }
    assert_eq!(sizes, [200, 200, 50]);
    let export = trail_of(&markets, DrawingReader::Anybody, &TrailFilter::default()).await;
    let ids = export.lines().skip(1).map(|line| line.split(',').nth(2));
    let mut exported: Vec<_> = ids.map(|id| id.unwrap().to_owned()).collect();
    exported.reverse();
    assert_eq!(listed, exported);
    let refused = page("before=yesterday").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ToolInputInvalid);
}

/// The trail says who set an alert, when it fired and who withdrew it. An evaluation that changes nothing adds no row.
#[tokio::test]
async fn alerts_leave_a_trail() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let watcher = markets.watcher();
    let at = |level: f64| json!({ "symbol": "EURUSD", "level": level, "note": "a round number" });
    let first = data(&markets, model(1, 1, "set_alert", at(1.2))).await;
    let second = data(&markets, person(2, "set_alert", at(1.21))).await;
    for (time, bid, ask) in [("10:00:05", 1.1999, 1.2), ("10:00:10", 1.2, 1.2001)] {
        world.source.says(&format!("2018-01-02T{time}Z"), bid, ask);
        watcher.round().await.unwrap();
    }
    let gone = json!({ "alert": second["alert"]["id"] });
    data(&markets, person(3, "withdraw_alert", gone)).await;
    let told = world.alerts.told();
    let told: Vec<_> = told
        .iter()
        .map(|row| {
            assert_eq!((&row.kind[..], &row.symbol[..]), ("alert", "EURUSD"));
            let fields = row.body.changes.iter().map(|it| &it.field[..]);
            let fields: Vec<&str> = fields.collect();
            let id = &row.place.drawing[..];
            (id, row.actor, &row.body.reason[..], fields)
        })
        .collect();
    let id = |alert: &serde_json::Value| alert["alert"]["id"].as_str().unwrap().to_owned();
    let (first, second) = (id(&first), id(&second));
    let set = "set: a round number";
    assert_eq!(
        told,
        [
            (&first[..], Actor::Model, set, vec!["condition"]),
            (&second[..], Actor::User, set, vec!["condition"]),
            (
                &first[..],
                Actor::Price,
                "fired: the price crosses 1.20000",
                vec!["fired", "value", "level"]
            ),
            (
                &second[..],
                Actor::User,
                "withdrawn: the price crosses 1.21000",
                vec!["state"]
            ),
        ]
    );
}
