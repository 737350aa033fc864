//! Alerts: each fires once, over restarts and unknown prices; a line is followed where it goes.

use std::collections::BTreeSet;

use agent::ports::Toolset;
use markets::{Candle, CandleStore, Markets, Points, Symbol, Time, Timeframe};
use markets_wire::Indicator;
use protocol::{ErrorCode, Timestamp};
use serde_json::{Value, json};

use crate::{
    desk::{board, change, data, line, model, person, position, refusal},
    scripted::ScriptedMarket,
};

/// Sets an alert, and returns its identifier.
pub(crate) async fn set(markets: &Markets, call: u128, mut input: Value) -> String {
    input["symbol"] = json!("EURUSD");
    let set = data(markets, model(call, 1, "set_alert", input)).await;
    assert_eq!(set["alert"]["state"], "waiting", "{set}");
    set["alert"]["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn shown(markets: &Markets, id: &str) -> Value {
    board(markets).await.remove(&format!("alert/{id}")).unwrap()
}

/// The notices of alerts, with their keys.
pub(crate) async fn notices(markets: &Markets) -> Vec<(String, String)> {
    let picture = board(markets).await;
    let board = markets.board().unwrap();
    let survey = board.survey(&picture, &BTreeSet::new(), Timestamp(1));
    let holds = survey.holds.into_iter().filter(|it| it.kind == "alert");
    let told = holds.map(|held| {
        assert!(held.happened.is_some());
        (held.key, held.text)
    });
    told.collect()
}

#[tokio::test]
async fn an_alert_fires_once_also_over_a_restart() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let watcher = markets.watcher();
    let id = set(
        &markets,
        1,
        json!({ "level": 1.2, "note": "the round number" }),
    )
    .await;
    let part = shown(&markets, &id).await;
    assert_eq!(part["condition"], "the price crosses 1.20000");
    assert_eq!(watcher.round().await.unwrap(), 0);
    assert_eq!(notices(&markets).await, []);

    world.source.says("2018-01-02T10:00:05Z", 1.2, 1.2001);
    assert_eq!(watcher.round().await.unwrap(), 1);
    let part = shown(&markets, &id).await;
    assert_eq!(part["state"], "fired");
    assert_eq!(
        part["last"],
        json!({ "time": "2018-01-02T10:00:05Z", "value": 1.2001, "level": 1.2, "way": "up",
            "after_gap": false })
    );
    assert_eq!(part["value"], "1.20010");
    let told = notices(&markets).await;
    let text = "Alert on EURUSD: the price has risen to 1.20000. It was at 1.20010 at \
        2018-01-02T10:00:05Z. Note: the round number";
    assert_eq!(told, [(format!("alert/{id}/fired1"), text.to_owned())]);

    // Down and up again, here and after a restart: it rests, and the notice is the same one.
    for (at, bid, ask) in [
        ("10:00:10", 1.1998, 1.1999),
        ("10:00:15", 1.2, 1.2001),
        ("10:00:20", 1.1998, 1.1999),
    ] {
        world.source.says(&format!("2018-01-02T{at}Z"), bid, ask);
        assert_eq!(watcher.round().await.unwrap(), 0);
        assert_eq!(world.start().watcher().round().await.unwrap(), 0);
    }
    assert_eq!(notices(&world.start()).await, told);
    let (code, message) = refusal(
        &markets,
        person(9, "withdraw_alert", json!({ "alert": id })),
    )
    .await;
    assert_eq!(code, ErrorCode::ToolFailed);
    assert_eq!(
        message,
        "The alert for when the price crosses 1.20000 waits no more: it is fired."
    );
}

#[tokio::test]
async fn a_crossing_in_an_unknown_time_counts_with_the_first_price_after() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let watcher = markets.watcher();
    let up = json!({ "level": 1.2, "direction": "up" });
    let id = set(&markets, 1, up).await;
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says_text(Err("no such file"));
    assert_eq!(watcher.round().await.unwrap(), 0);
    assert_eq!(shown(&markets, &id).await["unknown"], "no such file");
    world.source.says("2018-01-02T10:05:00Z", 1.2009, 1.201);
    assert_eq!(watcher.round().await.unwrap(), 1);
    let part = shown(&markets, &id).await;
    assert_eq!(part["last"]["after_gap"], true);
    assert_eq!(part.get("unknown"), None);
    assert!(
        notices(&markets).await[0]
            .1
            .contains("exact time of the crossing is unknown")
    );

    // The same while the server was down.
    let down = json!({ "level": 1.2, "direction": "down" });
    let id = set(&markets, 2, down).await;
    world.source.says("2018-01-02T10:06:00Z", 1.1998, 1.1999);
    let markets = world.start();
    assert_eq!(markets.watcher().round().await.unwrap(), 1);
    assert_eq!(shown(&markets, &id).await["last"]["after_gap"], true);

    // Set without a price, the first one only says where it is.
    world.source.says_text(Err("no such file"));
    let id = set(&markets, 3, json!({ "level": 1.3 })).await;
    let watcher = markets.watcher();
    world.source.says("2018-01-02T10:07:00Z", 1.1998, 1.1999);
    assert_eq!(watcher.round().await.unwrap(), 0);
    let part = shown(&markets, &id).await;
    assert_eq!(
        (&part["state"], &part["side"]),
        (&json!("waiting"), &json!("below"))
    );
}

#[tokio::test]
async fn a_line_is_followed_until_it_is_removed() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let watcher = markets.watcher();
    let drawn = data(&markets, model(1, 1, "draw_horizontal_line", line(1.201))).await;
    let drawing = drawn["drawing"]["id"].clone();
    let id = set(&markets, 2, json!({ "drawing": drawing })).await;
    let part = shown(&markets, &id).await;
    let condition = "the price crosses the horizontal line on EURUSD at 1.20100";
    assert_eq!(part["condition"], condition);

    // Moved past the price, which has crossed nothing.
    let moved = change(&drawing, 1, json!({ "shape": { "price": 1.1985 } }));
    data(&markets, person(3, "update_drawing", moved)).await;
    assert_eq!(watcher.round().await.unwrap(), 0);
    let part = shown(&markets, &id).await;
    assert_eq!(
        (&part["condition"], &part["side"]),
        (
            &json!(condition.replace("1.20100", "1.19850")),
            &json!("above")
        )
    );
    // Its old place means nothing any more; the new one does.
    world.source.says("2018-01-02T10:00:05Z", 1.2011, 1.2012);
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:10Z", 1.1983, 1.1984);
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(shown(&markets, &id).await["last"]["level"], 1.1985);

    let id = set(
        &markets,
        4,
        json!({ "drawing": drawing, "direction": "up" }),
    )
    .await;
    let remove = json!({ "id": drawing, "expected_version": 2, "reason": "it does not count" });
    data(&markets, person(5, "remove_drawing", remove)).await;
    world.source.says("2018-01-02T10:00:15Z", 1.2011, 1.2012);
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(shown(&markets, &id).await["state"], "lost");
    let told = notices(&markets).await;
    let text = "The alert on EURUSD for when the price goes above the horizontal line on EURUSD at 1.19850 \
        watches nothing now: its drawing was removed.";
    assert!(
        told.contains(&(format!("alert/{id}/lost0"), text.to_owned())),
        "{told:?}"
    );
    assert_eq!(watcher.round().await.unwrap(), 0);
}

#[tokio::test]
async fn a_trendline_is_watched_where_it_is_now() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let trend = |extent: &str, to: &str| {
        json!({ "symbol": "EURUSD", "reason": "two highs", "extent": extent,
            "from": { "time": "2018-01-02T09:00:00Z", "price": 1.21 },
            "to": { "time": to, "price": 1.2 } })
    };
    // It ends before now, so no price can cross it.
    let short = trend("segment", "2018-01-02T09:30:00Z");
    let drawn = data(&markets, model(1, 1, "draw_trendline", short)).await;
    let input = json!({ "symbol": "EURUSD", "drawing": drawn["drawing"]["id"] });
    let (_, message) = refusal(&markets, model(2, 1, "set_alert", input)).await;
    assert!(message.contains("extended to the right"), "{message}");

    let ray = trend("ray", "2018-01-02T11:00:00Z");
    let drawn = data(&markets, model(3, 1, "draw_trendline", ray)).await;
    let id = set(&markets, 4, json!({ "drawing": drawn["drawing"]["id"] })).await;
    let watcher = markets.watcher();
    // At 10:30 the line is at 1.2025, at 12:00 it has come down to 1.195.
    world.source.says("2018-01-02T10:30:00Z", 1.2, 1.2001);
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says("2018-01-02T12:00:00Z", 1.1959, 1.196);
    assert_eq!(watcher.round().await.unwrap(), 1);
    let part = shown(&markets, &id).await;
    assert_eq!(
        (&part["last"]["level"], &part["last"]["way"]),
        (&json!(1.195), &json!("up"))
    );
}

#[tokio::test]
async fn the_edges_of_a_zone_and_the_prices_of_a_plan_are_watched() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let watcher = markets.watcher();
    let zone = json!({ "symbol": "EURUSD", "reason": "two highs",
        "from": { "time": "2018-01-02T08:00:00Z", "price": 1.203 },
        "to": { "time": "2018-01-02T09:00:00Z", "price": 1.201 } });
    let drawn = data(&markets, model(1, 1, "draw_rectangle", zone)).await;
    let zone = drawn["drawing"]["id"].clone();
    for input in [
        json!({ "symbol": "EURUSD", "drawing": zone }),
        json!({ "symbol": "EURUSD", "drawing": zone, "part": "stop" }),
    ] {
        let (_, message) = refusal(&markets, model(2, 1, "set_alert", input)).await;
        assert!(message.contains("one of top, bottom"), "{message}");
    }
    let edge = set(&markets, 3, json!({ "drawing": zone, "part": "bottom" })).await;
    let condition = shown(&markets, &edge).await["condition"].clone();
    let condition = condition.as_str().unwrap();
    assert!(
        condition.contains("the bottom of the rectangle on EURUSD"),
        "{condition}"
    );
    let drawn = data(
        &markets,
        model(4, 1, "draw_long_position", position("long")),
    )
    .await;
    let plan = drawn["drawing"]["id"].clone();
    let target = set(&markets, 5, json!({ "drawing": plan, "part": "target" })).await;

    world.source.says("2018-01-02T10:00:05Z", 1.2011, 1.2012);
    assert_eq!(watcher.round().await.unwrap(), 1);
    let told = notices(&markets).await;
    assert!(
        told[0].1.contains(
            "has risen to the bottom of the rectangle on EURUSD from 1.20300 to 1.20100."
        ),
        "{told:?}"
    );
    // It is followed where the plan is changed to.
    let moved = change(&plan, 1, json!({ "shape": { "target": 1.205 } }));
    data(&markets, person(6, "update_drawing", moved)).await;
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:10Z", 1.2059, 1.206);
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(shown(&markets, &target).await["last"]["level"], 1.205);
}

/// Hours of EURUSD from a time on, each with its close.
async fn closes(world: &ScriptedMarket, from: &str, closes: &[f64]) {
    let from = Time::parse(from).unwrap();
    let hours: Vec<Candle> = (0..)
        .zip(closes)
        .map(|(hour, close)| {
            let close: Points = Symbol::EurUsd.round(*close);
            Candle {
                time: from.plus(hour * 3_600),
                open: close,
                high: close,
                low: close,
                close,
                volume: 1,
            }
        })
        .collect();
    let done = world.candles.upsert(Symbol::EurUsd, Timeframe::H1, &hours);
    done.await.unwrap();
}

#[tokio::test]
async fn an_indicator_is_judged_when_its_candle_closes() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-03T10:10:00Z", 1.2, 1.2001);
    let markets = world.start();
    let watcher = markets.watcher();
    let rsi = json!({ "indicator": "rsi", "timeframe": "H1", "period": 2, "level": 70,
        "direction": "up" });
    let id = set(&markets, 1, rsi).await;
    // The sample data ends in 2017: what was then says nothing about now.
    assert_eq!(watcher.round().await.unwrap(), 0);
    let part = shown(&markets, &id).await;
    let unknown = part["unknown"].as_str().unwrap();
    assert!(unknown.contains("newest H1 candles are missing"), "{part}");
    assert_eq!(part["condition"], "the RSI of 2 H1 candles goes above 70");

    let falling: Vec<f64> = (0..24).map(|hour| 1.25 - f64::from(hour) * 0.001).collect();
    closes(&world, "2018-01-02T10:00:00Z", &falling).await;
    world.source.says("2018-01-03T10:12:00Z", 1.2, 1.2001);
    assert_eq!(watcher.round().await.unwrap(), 0);
    let part = shown(&markets, &id).await;
    assert_eq!(
        (part.get("unknown"), &part["side"]),
        (None, &json!("below"))
    );
    // The hour of 10:00 has risen, and counts once it has closed.
    closes(&world, "2018-01-03T10:00:00Z", &[1.26]).await;
    world.source.says("2018-01-03T10:59:55Z", 1.2, 1.2001);
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says("2018-01-03T11:00:05Z", 1.2, 1.2001);
    assert_eq!(watcher.round().await.unwrap(), 1);
    let last = shown(&markets, &id).await["last"].clone();
    assert!(last["value"].as_f64().unwrap() > 70.0, "{last}");
    assert_eq!(last["after_gap"], false);
}

#[tokio::test]
async fn each_indicator_of_the_chart_can_be_watched() {
    let world = ScriptedMarket::new().await;
    let falling: Vec<f64> = (0..24).map(|hour| 1.25 - f64::from(hour) * 0.001).collect();
    closes(&world, "2018-01-02T10:00:00Z", &falling).await;
    world.source.says("2018-01-03T10:12:00Z", 1.2, 1.2001);
    let markets = world.start();
    for (call, indicator) in (1..).zip(Indicator::ALL) {
        let level = match indicator {
            Indicator::Rsi => 50.0,
            Indicator::Atr => 0.001,
            Indicator::Volume => 5.0,
            Indicator::Macd | Indicator::MacdSignal | Indicator::MacdHistogram => 0.0,
            _ => 1.2,
        };
        let input = json!({ "indicator": indicator, "timeframe": "H1", "level": level });
        let id = set(&markets, call, input).await;
        let part = shown(&markets, &id).await;
        assert!(part["side"].is_string(), "{part}");
        let expect = match indicator {
            Indicator::Atr => "the ATR of 14 H1 candles crosses 0.001",
            Indicator::Macd => "the MACD (12, 26, 9) of H1 candles crosses 0",
            Indicator::Volume => "the volume of H1 candles crosses 5",
            _ => continue,
        };
        assert_eq!(part["condition"], expect);
    }
}

#[tokio::test]
async fn alerts_are_listed_withdrawn_and_refused() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let id = set(&markets, 1, json!({ "level": 1.2, "direction": "up" })).await;
    // The same call again is the same alert; another just like it is refused.
    assert_eq!(
        set(&markets, 1, json!({ "level": 1.2, "direction": "up" })).await,
        id
    );
    let again = json!({ "symbol": "EURUSD", "level": 1.2, "direction": "up" });
    let (code, message) = refusal(&markets, model(2, 1, "set_alert", again)).await;
    assert_eq!(code, ErrorCode::ToolFailed);
    assert_eq!(
        message,
        "The very same alert is waiting already: the price goes above 1.20000."
    );
    for (input, expect) in [
        (json!({}), "Give a level, a drawing, or an indicator"),
        (json!({ "level": 1.2, "drawing": "x" }), "Give a level"),
        (json!({ "level": 1.2, "timeframe": "H1" }), "Give a level"),
        (json!({ "level": 1.2, "indicator": "ema" }), "Give a level"),
        (json!({ "level": 1.234567 }), "is not on the tick"),
        (
            json!({ "drawing": "missing" }),
            "There is no drawing \"missing\".",
        ),
        (
            json!({ "level": 100, "indicator": "rsi", "timeframe": "H1" }),
            "between 0 and 100",
        ),
        (
            json!({ "level": -1, "indicator": "atr", "timeframe": "H1" }),
            "the ATR is above 0",
        ),
        (
            json!({ "level": 1, "indicator": "volume", "timeframe": "H1", "period": 9 }),
            "has no number of candles to choose",
        ),
        (
            json!({ "level": 1.3, "note": "a\u{7}" }),
            "control characters",
        ),
    ] {
        let mut input = input;
        input["symbol"] = json!("EURUSD");
        let (_, message) = refusal(&markets, model(3, 1, "set_alert", input)).await;
        assert!(message.contains(expect), "{message}");
    }
    // A person's price is put on the tick.
    let typed = json!({ "symbol": "EURUSD", "level": 1.2100004 });
    let set = data(&markets, person(4, "set_alert", typed)).await;
    assert_eq!(set["alert"]["subject"]["level"], 1.21);
    assert_eq!(set["alert"]["by"], "user");

    let list = async |symbol: &str| {
        let input = json!({ "symbol": symbol });
        let listed = data(&markets, model(5, 1, "list_alerts", input)).await;
        let alerts = listed["alerts"].as_array().unwrap().clone();
        let state = |it: &Value| it["state"].as_str().unwrap().to_owned();
        alerts.iter().map(state).collect::<Vec<_>>()
    };
    assert_eq!(list("EURUSD").await, ["waiting", "waiting"]);
    assert_eq!(list("USDJPY").await, [""; 0]);
    for _ in 0..2 {
        let withdraw = person(6, "withdraw_alert", json!({ "alert": id }));
        assert_eq!(
            data(&markets, withdraw).await["alert"]["state"],
            "withdrawn"
        );
    }
    assert_eq!(list("EURUSD").await, ["withdrawn", "waiting"]);
    world.source.says("2018-01-02T10:00:05Z", 1.2002, 1.2003);
    assert_eq!(markets.watcher().round().await.unwrap(), 0);
    let (_, message) = refusal(
        &markets,
        model(7, 1, "withdraw_alert", json!({ "alert": "x" })),
    )
    .await;
    assert_eq!(message, "There is no alert \"x\".");
}

#[tokio::test]
async fn an_indicator_fires_once_over_restarts_and_beside_an_older_server() {
    let world = ScriptedMarket::new().await;
    let falling: Vec<f64> = (0..24).map(|hour| 1.25 - f64::from(hour) * 0.001).collect();
    closes(&world, "2018-01-02T10:00:00Z", &falling).await;
    world.source.says("2018-01-03T10:12:00Z", 1.2, 1.2001);
    let rsi = json!({ "indicator": "rsi", "timeframe": "H1", "period": 2, "level": 70,
        "direction": "up" });
    let id = set(&world.start(), 1, rsi).await;
    // It has read the alert as one that waits, and judges that.
    let older = world.start().watcher();
    for _ in 0..2 {
        assert_eq!(older.round().await.unwrap(), 0);
    }

    closes(&world, "2018-01-03T10:00:00Z", &[1.26]).await;
    world.source.says("2018-01-03T11:00:05Z", 1.2, 1.2001);
    assert_eq!(world.start().watcher().round().await.unwrap(), 1);
    older.round().await.unwrap();
    assert_eq!(world.start().watcher().round().await.unwrap(), 0);
    let again = world.start();
    assert_eq!(shown(&again, &id).await["fired"], 1);
    let told = notices(&again).await;
    let keys: Vec<_> = told.into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, [format!("alert/{id}/fired1")]);
}

/// Minutes out of prices count once they have closed, and are there after a restart.
#[tokio::test]
async fn an_indicator_of_kept_minutes_waits_for_their_close() {
    let world = ScriptedMarket::new().await;
    let markets = world.start();
    let (keeper, watcher) = (markets.keeper(), markets.watcher());
    let says = async |at: &str, ask: f64| {
        world.source.says(&format!("2018-01-03T{at}Z"), 1.2, ask);
        keeper.round().await.unwrap()
    };
    assert_eq!(says("10:00:30", 1.2001).await, 0);
    assert_eq!(says("10:01:30", 1.2001).await, 1);
    assert_eq!(says("10:02:05", 1.2001).await, 1);
    let sma = json!({ "indicator": "sma", "timeframe": "M1", "period": 2, "level": 1.205,
        "direction": "up" });
    let id = set(&markets, 1, sma).await;
    assert_eq!(watcher.round().await.unwrap(), 0);
    assert_eq!(shown(&markets, &id).await.get("unknown"), None);
    // The forming minute is far above the level, and counts for nothing yet.
    assert_eq!(says("10:02:50", 1.22).await, 0);
    assert_eq!(watcher.round().await.unwrap(), 0);
    assert_eq!(says("10:03:05", 1.22).await, 1);
    let again = world.start();
    assert_eq!(again.watcher().round().await.unwrap(), 1);
    let last = shown(&again, &id).await["last"].clone();
    assert_eq!(last["value"], 1.21005);
    assert_eq!(world.start().watcher().round().await.unwrap(), 0);
}
