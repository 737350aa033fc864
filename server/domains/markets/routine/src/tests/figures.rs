//! Figures that the words name, placed on the candles of the other tests.

use super::{
    drawing::{asked, hour, read},
    *,
};

/// Candles and the releases among them.
fn read_with_releases() -> Vec<(String, Value, Value)> {
    let release = |name: &str, at: usize, impact: &str| json!({ "name": name, "scheduled_at": hour(at), "impact": impact });
    let releases = json!({ "events": [
        release("Nonfarm payrolls", 12, "high"),
        release("Nonfarm payrolls", 40, "high"),
        release("Retail sales", 55, "medium"),
    ] });
    let input = json!({ "symbol": "EURUSD", "hours_back": 720, "hours_ahead": 0 });
    let mut all = read();
    all.push(("get_news_events".to_owned(), input, releases));
    all
}

#[test]
fn figures_are_placed_on_what_the_candles_show() {
    for (text, name, field, expect) in [
        (
            "Draw a ray from today's high.",
            "draw_horizontal_ray",
            "price",
            json!(1.1206),
        ),
        (
            "Draw a trendline through the last two lows.",
            "draw_trendline",
            "to",
            json!({ "time": hour(60), "price": 1.1045 }),
        ),
        (
            "Circle the newest high",
            "draw_circle",
            "centre",
            json!({ "time": hour(50), "price": 1.1206 }),
        ),
        (
            "Write \"entry\" at the last low.",
            "draw_marker",
            "text",
            json!("entry"),
        ),
        (
            "Mark Nonfarm payrolls on the chart.",
            "draw_marker",
            "at",
            json!({ "time": hour(40), "price": 1.0999 }),
        ),
        (
            "Mark the range of this week.",
            "draw_rectangle",
            "to",
            json!({ "time": hour(69), "price": 1.0993 }),
        ),
    ] {
        let (calls, told) = asked(text, &json!([]), &[read_with_releases()]);
        let [(called, input)] = &calls[..] else {
            panic!("{text}: {calls:?} {told}");
        };
        assert_eq!((called.as_str(), &input[field]), (name, &expect), "{text}");
    }
    let (calls, told) = asked(
        "Mark Retail sails on the chart.",
        &json!([]),
        &[read_with_releases()],
    );
    assert_eq!(calls, []);
    assert!(
        told.starts_with("I find no release called “Retail sails”"),
        "{told}"
    );
    let there = json!([
        { "id": "t", "kind": "trendline", "at": [], "label": "", "version": 2 },
        { "id": "m", "kind": "marker", "at": [], "label": "", "version": 1 },
    ]);
    let (calls, _) = asked("Make the trendline dashed.", &there, &[]);
    assert_eq!(
        calls[0].1["changes"],
        json!({ "style": { "line": "dashed" } })
    );
    assert_eq!((calls.len(), &calls[0].1["id"]), (1, &json!("t")));
    let (calls, _) = asked("Take the marker off the chart.", &there, &[]);
    assert_eq!((calls.len(), &calls[0].1["id"]), (1, &json!("m")));
}

#[test]
fn what_happened_beside_a_chart_is_the_course_of_its_price() {
    for text in [
        "what happened today on this chart?",
        "what changed?",
        "Show the last 24 h.",
    ] {
        let (calls, _) = asked(text, &json!([]), &[]);
        let input = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 24 });
        assert_eq!(calls, [("get_candles".to_owned(), input)], "{text}");
    }
    let (_, told) = asked("what changed?", &json!([]), &[read()]);
    assert!(told.contains("EURUSD was between "), "{told}");
    // Nothing of it is about what is to come.
    let (calls, _) = asked("what will have changed tomorrow?", &json!([]), &[]);
    assert_eq!(calls, []);
}

#[test]
fn a_price_that_nobody_has_is_unknown() {
    let failed = |name: &str| {
        let problem = json!({ "message": "No candles of USDJPY are stored." });
        vec![(name.to_owned(), json!({ "symbol": "USDJPY" }), problem)]
    };
    let (_, told) = asked(
        "What is the price of USDJPY?",
        &json!([]),
        &[failed("get_current_price")],
    );
    assert_eq!(
        told,
        "That is **unknown** for USDJPY, sir. No candles of USDJPY are stored."
    );
}

#[test]
fn a_proposed_position_has_what_the_words_say_of_account_and_risk() {
    let proposed = |text| {
        let (mut calls, _) = asked(text, &json!([]), &[read()]);
        let (name, input) = calls.remove(0);
        assert_eq!((calls.len(), &*name), (0, "draw_long_position"), "{text}");
        assert!(input["stop"].as_f64() < input["entry"].as_f64(), "{input}");
        ["account", "risk", "leverage"].map(|field| input[field].clone())
    };
    let none = Value::Null;
    let expect = [none.clone(), none.clone(), none.clone()];
    assert_eq!(proposed("Propose a long."), expect);
    let expect = [none.clone(), json!({ "percent": 2.0 }), none];
    let risked = "Plan a long from here with 2 % at risk.";
    assert_eq!(proposed(risked), expect);
}

#[test]
fn a_proposed_position_names_its_prices() {
    let data = json!({
        "drawing": {
            "id": "call_1", "version": 1, "label": "Long from 1.10870",
            "shape": {
                "kind": "position", "side": "long", "start": hour(69),
                "entry": 1.1087, "stop": 1.0989, "target": 1.1087 + 2.0 * 0.0098,
            },
        },
        "check": { "touches": 3, "last_touch": hour(69), "distance_pips": 4.5, "bars": 500 },
        "figures": { "reward_to_risk": 2.0 },
    });
    let input = json!({ "symbol": "EURUSD" });
    let long = vec![("draw_long_position".to_owned(), input, data)];
    let (calls, told) = asked("Propose a long.", &json!([]), &[read(), long]);
    assert_eq!(calls, []);
    let expect = "\n- Long from 1.10870: entry **1.10870**, stop **1.09890**, target **1.12830**, 2.00 R; \
                  its entry at that close\n";
    assert!(told.contains(expect), "{told}");
    // "Follow it" is a person's to begin.
    let accept = "nothing is followed yet: it is an idea until you open it in the list of drawings";
    assert!(
        told.contains(accept) && told.contains("press **Accept**"),
        "{told}"
    );
}

#[test]
fn a_position_is_told_by_its_state_and_result() {
    for text in [
        "Tell me how the long went.",
        "Which positions are open?",
        "How is the long position on EURUSD going?",
    ] {
        let (calls, _) = asked(text, &json!([]), &[]);
        let input = json!({ "symbol": "EURUSD" });
        assert_eq!(calls, [("get_positions".to_owned(), input)], "{text}");
    }
    let brought = |positions: Value| {
        let data = json!({ "positions": positions, "more": 0 });
        let input = json!({ "symbol": "EURUSD" });
        let done = vec![("get_positions".to_owned(), input, data)];
        asked("How did the long go?", &json!([]), &[done]).1
    };
    assert_eq!(
        brought(json!([])),
        "There is no long or short position on EURUSD, sir."
    );
    let closed = json!({
        "symbol": "EURUSD", "side": "long", "state": "closed", "cause": "tp",
        "opened": { "price": 1.2001 }, "closed": { "price": 1.2111 },
        "result": { "price": 1.2111, "pips": 110.0, "r": 2.2 },
    });
    let open = json!({
        "symbol": "EURUSD", "side": "short", "state": "open", "cause": null,
        "opened": { "price": 1.2001 }, "closed": null, "result": { "unknown": "the feed is silent" },
    });
    assert_eq!(
        brought(json!([closed, open])),
        "The long position on EURUSD reached its target, sir: opened at 1.2001, closed at 1.2111, it has \
         made 110.0 pips, 2.20 R.\n\n- The short position on EURUSD is open; its result is \
         **unknown**: the feed is silent"
    );
    // The whole of it at once begins with what is to be drawn; "how long" asks for no position.
    let story =
        "Mark the levels, propose a long, follow it until it is closed, tell me how it went.";
    let (calls, _) = asked(story, &json!([]), &[]);
    assert_eq!(calls[0].0, "get_candles");
    let (calls, _) = asked("How long is the market open?", &json!([]), &[]);
    assert!(
        calls.iter().all(|(name, _)| name != "get_positions"),
        "{calls:?}"
    );
}
