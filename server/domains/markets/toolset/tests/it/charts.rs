//! Data of chart pages: their candles, the board, and references to them.

use agent::ports::{Screen, Toolset};
use protocol::{ErrorCode, PageQuery, Reference, Timestamp, UserId};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{
    desk::{DAY, board, change, data, line, markets, model, refusal},
    scripted::ScriptedMarket,
};

fn anybody() -> UserId {
    UserId::new(Timestamp(1), 1)
}

#[tokio::test]
async fn the_chart_moves_only_to_where_there_is_one() {
    let markets = markets().await;
    let scroll = |input: Value| model(1, 1, "scroll_chart", input);
    let there = json!({ "symbol": "EURUSD", "timeframe": "H4", "time": DAY });
    assert_eq!(
        data(&markets, scroll(there)).await,
        json!({ "scroll": { "symbol": "EURUSD", "timeframe": "H4", "time": DAY } })
    );
    let newest = json!({ "symbol": "EURUSD", "realtime": true });
    assert_eq!(
        data(&markets, scroll(newest)).await,
        json!({ "scroll": { "symbol": "EURUSD", "timeframe": null, "time": null } })
    );
    let both = json!({ "symbol": "EURUSD", "time": DAY, "realtime": true });
    let (_, message) = refusal(&markets, scroll(both)).await;
    assert_eq!(message, "Give either a time or realtime.");
}

#[tokio::test]
async fn references_and_pages() {
    let markets = markets().await;
    for (kind, id, expect) in [
        ("chart", "EURUSD/H1", true),
        ("chart", "EURUSD/15m", false),
        ("chart", "DOGE/H1", false),
        ("chart", "EURUSD", false),
        ("drawing", "call_1", true),
        ("drawing", "a b", false),
        ("guest", "101", false),
    ] {
        assert_eq!(
            markets.refers(&Reference::new(kind, id)),
            expect,
            "{kind} {id}"
        );
    }
    let chart = markets
        .describe(&Reference::new("chart", "EURUSD/H1"))
        .await;
    assert_eq!(chart.unwrap()["timeframe"], "H1");

    let ask = |name: &str, part: &str| PageQuery {
        kind: "chart".to_owned(),
        name: name.to_owned(),
        part: part.to_owned(),
    };
    let newest = markets
        .page(anybody(), &ask("EURUSD/H1", "candles/2"))
        .await
        .unwrap();
    assert_eq!(
        (&newest["more"], &newest["digits"]),
        (&json!(true), &json!(5))
    );
    assert_eq!(newest["pip"], json!(0.0001));
    let rows = newest["candles"].as_array().unwrap();
    assert_eq!(
        rows[1],
        json!([
            1_514_581_200,
            1.19984,
            1.2013,
            1.19931,
            1.20075,
            4_885_529_785_i64
        ])
    );
    let before = format!("candles/1000/{}", rows[0][0]);
    let older = markets
        .page(anybody(), &ask("EURUSD/H1", &before))
        .await
        .unwrap();
    let older = older["candles"].as_array().unwrap();
    assert_eq!(older.len(), 1_000);
    assert!(older[999][0].as_i64() < rows[0][0].as_i64());
    let days = markets
        .page(anybody(), &ask("EURUSD/D1", "candles/1000"))
        .await
        .unwrap();
    assert_eq!(
        (days["candles"].as_array().unwrap().len(), &days["more"]),
        (260, &json!(false))
    );
    for (name, part) in [
        ("EURUSD/H1", "candles/1001"),
        ("EURUSD/H1", "candles/0"),
        ("EURUSD/H1", "candles/5/soon"),
        ("EURUSD/H1", "candles/5/9223372036854775807"),
        ("EURUSD/H1", "drawings"),
        ("DOGE/H1", "candles/5"),
    ] {
        let refused = markets.page(anybody(), &ask(name, part)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ToolInputInvalid, "{name} {part}");
    }
    let price = &board(&markets).await["price/EURUSD"];
    assert_eq!(
        (&price["ask"], &price["simulated"]),
        (&json!(1.20075), &json!(true))
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_written_is_on_the_board_at_once() {
    let markets = markets().await;
    let (sender, mut pictures) = mpsc::unbounded_channel();
    let screen = Screen::new(move |picture| drop(sender.send(picture)));
    let board = markets.board().unwrap();
    let watching = tokio::spawn(async move { board.watch(screen).await });
    assert_eq!(pictures.recv().await.unwrap().len(), 1);
    let clock = tokio::time::Instant::now();
    data(&markets, model(1, 1, "draw_horizontal_line", line(1.2))).await;
    assert_eq!(pictures.recv().await.unwrap().len(), 2);
    assert!(clock.elapsed().as_millis() < 1_000);
    watching.abort();
}

/// A replay hides what was not known at its bar: that is told in the market's time, not in the server's.
#[tokio::test]
async fn a_drawing_is_known_since_the_markets_time_of_its_newest_move() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let drawn = data(&markets, model(1, 1, "draw_horizontal_line", line(1.2))).await;
    assert_eq!(drawn["drawing"]["known_at"], Value::Null);
    let id = drawn["drawing"]["id"].clone();
    let key = format!("drawing/{}", id.as_str().unwrap());
    let known = async || board(&markets).await[&key]["known_at"].clone();
    assert_eq!(known().await, "2018-01-02T10:00:00Z");
    for (version, hour, changes, since) in [
        (1_u64, "11", json!({ "style": { "colour": "red" } }), "10"),
        (2, "12", json!({ "shape": { "price": 1.195 } }), "12"),
        (3, "13", json!({ "importance": "high" }), "12"),
    ] {
        let at = format!("2018-01-02T{hour}:00:00Z");
        world.source.says(&at, 1.2005, 1.2006);
        let call = 10 + u128::from(version);
        let changed = model(call, 2, "update_drawing", change(&id, version, changes));
        data(&markets, changed).await;
        assert_eq!(known().await, format!("2018-01-02T{since}:00:00Z"));
    }
}
