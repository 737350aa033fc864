//! Alerts at the levels of a Fibonacci, and drawings that have no level.

use markets::Markets;
use serde_json::json;

use crate::{
    alerts::{notices, set, shown},
    desk::{board, change, data, line, model, person, refusal, tool},
    scripted::ScriptedMarket,
};

#[tokio::test]
async fn the_levels_of_a_fibonacci_are_watched_where_they_are() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2048, 1.2049);
    let markets = world.start();
    let watcher = markets.watcher();
    let swing = json!({ "symbol": "EURUSD", "reason": "the last swing",
        "from": { "time": "2018-01-02T08:00:00Z", "price": 1.2 },
        "to": { "time": "2018-01-02T09:00:00Z", "price": 1.21 } });
    let drawn = data(&markets, model(1, 1, "draw_fibonacci", swing)).await;
    let swing = drawn["drawing"]["id"].clone();
    for own in [
        json!({}),
        json!({ "ratio": 0.7 }),
        json!({ "part": "top" }),
        json!({ "part": "top", "ratio": 0.5 }),
    ] {
        let mut input = json!({ "symbol": "EURUSD", "drawing": swing });
        let own = own.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(own);
        let (_, message) = refusal(&markets, model(2, 1, "set_alert", input)).await;
        let levels = "its ratio is one of 0, 0.236, 0.382, 0.5, 0.618, 0.786, 1,";
        assert!(message.contains(levels), "{message}");
    }
    let input = json!({ "symbol": "EURUSD", "level": 1.2, "ratio": 0.5 });
    let (_, message) = refusal(&markets, model(2, 1, "set_alert", input)).await;
    assert!(message.contains("ratio only with a drawing"), "{message}");

    let low = set(&markets, 3, json!({ "drawing": swing, "ratio": 0.618 })).await;
    let middle = set(&markets, 4, json!({ "drawing": swing, "ratio": 0.5 })).await;
    assert_eq!(
        shown(&markets, &low).await["condition"],
        "the price crosses the 61.8 % level of the fibonacci on EURUSD from 1.20000 to 1.21000"
    );
    world.source.says("2018-01-02T10:00:05Z", 1.2037, 1.2038);
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(shown(&markets, &low).await["last"]["level"], 1.20382);
    let told = notices(&markets).await;
    let text = "has fallen to the 61.8 % level of the fibonacci on EURUSD from 1.20000 to 1.21000, which was \
        at 1.20382";
    assert!(told[0].1.contains(text), "{told:?}");

    // It is followed where the swing is changed to.
    let moved = change(&swing, 1, json!({ "shape": { "to": { "price": 1.212 } } }));
    data(&markets, person(5, "update_drawing", moved)).await;
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:10Z", 1.2055, 1.2056);
    assert_eq!(watcher.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:15Z", 1.2059, 1.206);
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(shown(&markets, &middle).await["last"]["level"], 1.206);
}

#[tokio::test]
async fn a_drawing_without_a_level_is_not_watched() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2048, 1.2049);
    let markets = world.start();
    let place = |price: f64| json!({ "time": "2018-01-02T09:00:00Z", "price": price });
    for (n, tool, own, why) in [
        (
            1,
            "draw_circle",
            json!({ "centre": place(1.2), "edge": place(1.21) }),
            "a circle or a marker has no level",
        ),
        (
            2,
            "draw_marker",
            json!({ "at": place(1.2), "text": "a false break" }),
            "a circle or a marker has no level",
        ),
        (
            3,
            "draw_horizontal_line",
            json!({ "price": 1.2 }),
            "has neither part nor ratio",
        ),
    ] {
        let mut input = json!({ "symbol": "EURUSD", "reason": "seen on the chart" });
        let own = own.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(own);
        let drawn = data(&markets, model(n, 1, tool, input)).await;
        let id = drawn["drawing"]["id"].clone();
        let input = json!({ "symbol": "EURUSD", "drawing": id, "ratio": 0.5 });
        let (_, message) = refusal(&markets, model(n + 10, 1, "set_alert", input)).await;
        assert!(message.contains(why), "{message}");
    }
}

/// A line of the feed and the trail name an alert by what it watches.
#[tokio::test]
async fn an_alert_is_called_by_what_it_watches() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2048, 1.2049);
    let markets = world.start();
    let drawn = data(&markets, model(1, 1, "draw_horizontal_line", line(1.201))).await;
    let watched = json!({ "drawing": drawn["drawing"]["id"] });
    let withdrawal = json!({ "alert": set(&markets, 2, watched).await });
    let called = |markets: &Markets| tool(markets, "withdraw_alert").target(&withdrawal).unwrap();
    let name = "alert on EURUSD: the price crosses the horizontal line on EURUSD at 1.20100";
    assert_eq!(called(&markets), name);
    // After a restart it is known with the first look.
    let again = world.start();
    board(&again).await;
    assert_eq!(called(&again), name);
    let condition = world.alerts.told()[0].body.changes[0].to.clone();
    assert_eq!(
        condition["drawing"],
        "the horizontal line on EURUSD at 1.20100"
    );
}
