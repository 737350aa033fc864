//! Positions follow the price: each step once, with what made it, over restarts and missed hours.

use std::collections::BTreeSet;

use agent::ports::Toolset;
use markets::Markets;
use protocol::Timestamp;
use serde_json::{Value, json};

use crate::{
    desk::{board, change, data, model, person, position},
    scripted::ScriptedMarket,
};

/// A long position of which nobody has said more than its prices, accepted by a person.
pub(crate) async fn accepted(markets: &Markets) -> Value {
    let mut input = position("long");
    for field in ["account", "risk", "leverage"] {
        input.as_object_mut().unwrap().remove(field);
    }
    let drawn = data(markets, model(1, 1, "draw_long_position", input)).await;
    assert_eq!(drawn["figures"]["reward_to_risk"], 2.0);
    assert_eq!(drawn["figures"].get("lots"), None, "{drawn}");
    let why = drawn["figures"]["unknown"].as_str().unwrap();
    assert!(why.contains("was given"), "{why}");
    let id = drawn["drawing"]["id"].clone();
    let accept = json!({ "id": id, "expected_version": 1, "reason": "a good plan",
        "event": { "type": "accept" } });
    data(markets, person(2, "update_drawing", accept)).await;
    id
}

pub(crate) async fn drawing(markets: &Markets, id: &Value) -> Value {
    let mut board = board(markets).await;
    board
        .remove(&format!("drawing/{}", id.as_str().unwrap()))
        .unwrap()
}

/// The conditions of positions on the board, by key.
async fn notices(markets: &Markets) -> Vec<String> {
    let picture = board(markets).await;
    let board = markets.board().unwrap();
    assert!(board.is_guarded());
    let survey = board.survey(&picture, &BTreeSet::new(), Timestamp(1));
    let holds = survey.holds.into_iter();
    holds
        .filter(|condition| condition.kind == "position")
        .map(|condition| {
            assert!(condition.happened.is_some());
            condition.text
        })
        .collect()
}

/// The newest position, as the model reads it.
async fn told(markets: &Markets) -> Value {
    let input = json!({ "symbol": "EURUSD" });
    data(markets, model(9, 9, "get_positions", input)).await["positions"][0].clone()
}

#[tokio::test]
async fn a_position_is_told_with_its_result_by_the_first_risk() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    assert_eq!(told(&markets).await, Value::Null);
    let id = accepted(&markets).await;
    let waiting = told(&markets).await;
    assert_eq!(
        (&waiting["state"], &waiting["result"]),
        (&json!("pending"), &Value::Null)
    );

    let follower = markets.follower();
    world.source.says("2018-01-02T10:00:06Z", 1.1999, 1.2);
    assert_eq!(follower.round().await.unwrap(), 1);
    // A stop that is moved afterwards changes no risk that was taken.
    let moved = change(&id, 3, json!({ "shape": { "stop": 1.199 } }));
    data(&markets, person(3, "update_drawing", moved)).await;
    let open = told(&markets).await;
    assert_eq!(
        (&open["state"], &open["stop"], &open["last_change"]["by"]),
        (&json!("open"), &json!(1.199), &json!("user"))
    );
    assert_eq!(
        open["result"],
        json!({ "price": 1.1999, "as_of": "2018-01-02T10:00:06Z", "pips": -1.0, "r": -0.02 })
    );
    world.source.says_text(Err("no such file"));
    let unknown = told(&markets).await["result"]["unknown"].clone();
    assert!(
        unknown.as_str().unwrap().contains("no such file"),
        "{unknown}"
    );

    world.source.says("2018-01-02T10:00:10Z", 1.211, 1.2111);
    assert_eq!(follower.round().await.unwrap(), 1);
    let closed = told(&markets).await;
    assert_eq!(
        (&closed["cause"], &closed["last_change"]["by"]),
        (&json!("tp"), &json!("price"))
    );
    assert_eq!(
        closed["result"],
        json!({ "price": 1.211, "as_of": "2018-01-02T10:00:10Z", "pips": 110.0, "r": 2.2 })
    );
}

#[tokio::test]
async fn a_position_is_filled_and_closed_by_the_price_once() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let follower = markets.follower();
    let id = accepted(&markets).await;
    assert_eq!(follower.round().await.unwrap(), 0);
    assert_eq!(drawing(&markets, &id).await["life"]["state"], "pending");
    assert_eq!(notices(&markets).await, [""; 0]);

    world.source.says("2018-01-02T10:00:05Z", 1.1998, 1.1999);
    assert_eq!(follower.round().await.unwrap(), 1);
    let open = drawing(&markets, &id).await;
    assert_eq!(
        (&open["life"]["state"], &open["life"]["opened"]),
        (
            &json!("open"),
            &json!({ "time": "2018-01-02T10:00:05Z", "price": 120_000 })
        )
    );
    let made = &open["changes"][1];
    assert_eq!(
        (&made["actor"], &made["reason"]),
        (
            &json!("price"),
            &json!("the price reached the entry: filled at 1.20000")
        )
    );
    assert_eq!(
        notices(&markets).await,
        ["The long position on EURUSD was filled at 1.20000."]
    );

    // After a restart nothing happens again; a jump beyond the target is closed where it is seen.
    let markets = world.start();
    let follower = markets.follower();
    assert_eq!(follower.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:10Z", 1.211, 1.2111);
    assert_eq!(follower.round().await.unwrap(), 1);
    let closed = drawing(&markets, &id).await;
    assert_eq!(
        (&closed["life"]["cause"], &closed["life"]["closed"]["price"]),
        (&json!("tp"), &json!(121_100))
    );
    for follower in [follower, world.start().follower()] {
        assert_eq!(follower.round().await.unwrap(), 0);
    }
    let listed = drawing(&markets, &id).await;
    assert_eq!(
        (&listed["version"], &listed["result"]),
        (&json!(4), &json!("closed at 1.21100: +110.0 pips, +2.20 R"))
    );
    assert_eq!(
        notices(&markets).await,
        ["The long position on EURUSD reached its target: closed at 1.21100."]
    );
}

#[tokio::test]
async fn hours_that_were_missed_count_from_the_plan_on() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:30:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let id = accepted(&markets).await;
    // The hour in which it was accepted may have been there before; the next two are not.
    world
        .hours(&[
            ("2018-01-02T10:00:00Z", 1.2006, 1.194),
            ("2018-01-02T11:00:00Z", 1.2004, 1.1999),
            ("2018-01-02T12:00:00Z", 1.2004, 1.1995),
        ])
        .await;
    // Meanwhile a person has moved the entry: what was there before does not reach it.
    world.source.says("2018-01-02T12:10:00Z", 1.2005, 1.2006);
    let moved = change(&id, 2, json!({ "shape": { "entry": 1.1998 } }));
    data(&markets, person(3, "update_drawing", moved)).await;
    world.source.says("2018-01-02T13:10:00Z", 1.2005, 1.2006);
    let markets = world.start();
    assert_eq!(markets.follower().round().await.unwrap(), 0);

    world
        .hours(&[
            ("2018-01-02T13:00:00Z", 1.2006, 1.1997),
            ("2018-01-02T14:00:00Z", 1.2004, 1.194),
        ])
        .await;
    world.source.says("2018-01-02T15:10:00Z", 1.2005, 1.2006);
    let markets = world.start();
    assert_eq!(markets.follower().round().await.unwrap(), 2);
    let life = drawing(&markets, &id).await["life"].clone();
    assert_eq!(
        (&life["opened"], &life["closed"], &life["cause"]),
        (
            &json!({ "time": "2018-01-02T14:00:00Z", "price": 119_980 }),
            &json!({ "time": "2018-01-02T15:00:00Z", "price": 119_390 }),
            &json!("sl")
        )
    );
}

#[tokio::test]
async fn an_unknown_or_old_price_moves_nothing() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let follower = markets.follower();
    let id = accepted(&markets).await;
    world.source.says_text(Err("no such file"));
    assert_eq!(follower.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:05Z", 1.1998, 1.1999);
    world.source.waits(3_600.0);
    assert_eq!(follower.round().await.unwrap(), 0);
    assert_eq!(drawing(&markets, &id).await["life"]["state"], "pending");
}

/// An hour out of prices says nothing new about them: with another spread it would reach the stop.
#[tokio::test]
async fn hours_out_of_prices_are_not_judged_again() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    let markets = world.start();
    let (follower, keeper) = (markets.follower(), markets.keeper());
    let id = accepted(&markets).await;
    assert_eq!(follower.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:05Z", 1.1998, 1.1999);
    assert_eq!(follower.round().await.unwrap(), 1);
    for (at, bid, ask) in [("11:10:00", 1.19502, 1.19505), ("12:10:00", 1.2, 1.20003)] {
        world.source.says(&format!("2018-01-02T{at}Z"), bid, ask);
        assert_eq!(follower.round().await.unwrap(), 0);
        keeper.round().await.unwrap();
    }
    assert_eq!(world.start().follower().round().await.unwrap(), 0);
    assert_eq!(drawing(&markets, &id).await["life"]["state"], "open");
}
