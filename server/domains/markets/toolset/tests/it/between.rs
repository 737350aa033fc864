//! Prices between two rounds: positions and alerts are judged on each of them, once.

use markets::Markets;
use serde_json::json;

use crate::{
    alerts::{set, shown},
    desk::{data, model},
    follow::{accepted, drawing},
    scripted::ScriptedMarket,
};

/// The source says prices, each with its time, bid and ask. All are read, and no round comes in between.
async fn pass(world: &ScriptedMarket, markets: &Markets, prices: &[(&str, f64, f64)]) {
    for (at, bid, ask) in prices {
        world.source.says(&format!("2018-01-02T{at}Z"), *bid, *ask);
        markets.keeper().round().await.unwrap();
    }
}

#[tokio::test]
async fn a_touch_moves_a_position_once() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let follower = markets.follower();
    let id = accepted(&markets).await;
    assert_eq!(follower.round().await.unwrap(), 0);
    let touch = [("10:00:01", 1.1999, 1.2), ("10:00:02", 1.2004, 1.2005)];
    pass(&world, &markets, &touch).await;
    assert_eq!(follower.round().await.unwrap(), 1);
    assert_eq!(
        drawing(&markets, &id).await["life"]["opened"],
        json!({ "time": "2018-01-02T10:00:01Z", "price": 120_000 })
    );

    // The ask has touched the target, and only a bid closes a long.
    let ask = [("10:00:03", 1.2099, 1.21), ("10:00:04", 1.2004, 1.2005)];
    pass(&world, &markets, &ask).await;
    assert_eq!(follower.round().await.unwrap(), 0);
    let stop = [("10:00:05", 1.195, 1.1951), ("10:00:06", 1.2004, 1.2005)];
    pass(&world, &markets, &stop).await;
    assert_eq!(follower.round().await.unwrap(), 1);
    let closed = drawing(&markets, &id).await;
    assert_eq!(
        (&closed["life"]["cause"], &closed["life"]["closed"]),
        (
            &json!("sl"),
            &json!({ "time": "2018-01-02T10:00:05Z", "price": 119_500 })
        )
    );
    // The candle says the same.
    let minute = json!({ "symbol": "EURUSD", "timeframe": "M1", "count": 1 });
    let minute = data(&markets, model(8, 1, "get_candles", minute)).await;
    assert_eq!(minute["rows"][0][3], 1.1951);

    for follower in [follower, markets.follower(), world.start().follower()] {
        assert_eq!(follower.round().await.unwrap(), 0);
    }
    assert_eq!(drawing(&markets, &id).await["version"], 4);
}

#[tokio::test]
async fn what_was_touched_first_counts() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let follower = markets.follower();
    let id = accepted(&markets).await;
    assert_eq!(follower.round().await.unwrap(), 0);
    // The entry, a jump over the target, and the stop.
    let prices = [
        ("10:00:01", 1.1999, 1.2),
        ("10:00:01", 1.2105, 1.2106),
        ("10:00:02", 1.194, 1.1941),
    ];
    pass(&world, &markets, &prices).await;
    assert_eq!(follower.round().await.unwrap(), 2);
    assert_eq!(world.start().follower().round().await.unwrap(), 0);
    let life = drawing(&markets, &id).await["life"].clone();
    assert_eq!(
        (&life["opened"], &life["closed"], &life["cause"]),
        (
            &json!({ "time": "2018-01-02T10:00:01Z", "price": 120_000 }),
            &json!({ "time": "2018-01-02T10:00:01Z", "price": 121_050 }),
            &json!("tp")
        )
    );
}

#[tokio::test]
async fn prices_from_before_and_unknown_ones_touch_nothing() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let before = [("10:00:01", 1.1999, 1.2), ("10:00:02", 1.2005, 1.2006)];
    pass(&world, &markets, &before).await;
    let id = accepted(&markets).await;
    let follower = markets.follower();
    assert_eq!(follower.round().await.unwrap(), 0);
    // Back in time, a jump that nothing confirms, and one that is read too late.
    let refused = [("10:00:01", 1.1999, 1.2), ("10:00:04", 1.15, 1.1501)];
    pass(&world, &markets, &refused).await;
    world.source.says("2018-01-02T10:00:05Z", 1.1999, 1.2);
    world.source.waits(11.0);
    markets.keeper().round().await.unwrap();
    world.source.says("2018-01-02T10:00:20Z", 1.2005, 1.2006);
    assert_eq!(follower.round().await.unwrap(), 0);
    assert_eq!(drawing(&markets, &id).await["life"]["state"], "pending");

    // One that was known counts, also if none is known by the next round.
    pass(&world, &markets, &[("10:00:21", 1.1999, 1.2)]).await;
    world.source.says_text(Err("no such file"));
    assert_eq!(follower.round().await.unwrap(), 1);
    assert_eq!(drawing(&markets, &id).await["life"]["state"], "open");
}

#[tokio::test]
async fn a_touch_fires_an_alert_once() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.1998, 1.1999);
    let markets = world.start();
    let watcher = markets.watcher();
    let first = set(&markets, 1, json!({ "level": 1.2 })).await;
    let touch = [("10:00:01", 1.2, 1.2001), ("10:00:02", 1.1998, 1.1999)];
    pass(&world, &markets, &touch).await;
    // It was set after that.
    let second = set(&markets, 2, json!({ "level": 1.2, "direction": "up" })).await;
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(
        shown(&markets, &first).await["last"],
        json!({ "time": "2018-01-02T10:00:01Z", "value": 1.2001, "level": 1.2, "way": "up",
            "after_gap": false })
    );
    assert_eq!(shown(&markets, &second).await["state"], "waiting");

    let touch = [("10:00:03", 1.2002, 1.2003), ("10:00:04", 1.1998, 1.1999)];
    pass(&world, &markets, &touch).await;
    world.source.says_text(Err("no such file"));
    assert_eq!(watcher.round().await.unwrap(), 1);
    let part = shown(&markets, &second).await;
    assert_eq!(
        (&part["last"]["value"], &part["last"]["after_gap"]),
        (&json!(1.2003), &json!(false))
    );
    world.source.says("2018-01-02T10:00:05Z", 1.2002, 1.2003);
    for watcher in [watcher, markets.watcher(), world.start().watcher()] {
        assert_eq!(watcher.round().await.unwrap(), 0);
    }
}

/// The follower changes the drawing at the price that the alert is for, before the watcher looks.
#[tokio::test]
async fn an_alert_at_a_target_fires_also_if_the_position_was_closed_there() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let (follower, watcher) = (markets.follower(), markets.watcher());
    let id = accepted(&markets).await;
    let entry = set(&markets, 3, json!({ "drawing": id, "part": "entry" })).await;
    let target = set(&markets, 4, json!({ "drawing": id, "part": "target" })).await;
    assert_eq!(watcher.round().await.unwrap(), 0);
    for (at, bid, ask, fired, level) in [
        ("10:00:05", 1.1998, 1.1999, &entry, 1.2),
        ("10:00:10", 1.2101, 1.2102, &target, 1.21),
    ] {
        world.source.says(&format!("2018-01-02T{at}Z"), bid, ask);
        assert_eq!(follower.round().await.unwrap(), 1);
        assert_eq!(watcher.round().await.unwrap(), 1);
        assert_eq!(shown(&markets, fired).await["last"]["level"], level);
    }
}
