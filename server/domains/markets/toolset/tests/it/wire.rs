//! The bytes that pages and databases have: older tabs read them, and older rows are like them.

use agent::ports::Toolset;
use protocol::{PageQuery, Timestamp, UserId};
use serde_json::{Value, json};

use crate::desk::{DAY, board, change, data, line, markets, model, person, position};

#[tokio::test]
async fn the_wire_is_what_it_was() {
    let markets = markets().await;
    let (from, to) = (
        json!({ "time": "2017-12-15T11:00:00Z", "price": 1.17497 }),
        json!({ "time": DAY, "price": 1.19 }),
    );
    let with = |own: Value| {
        let mut input = json!({
            "symbol": "EURUSD", "reason": "seen on the chart", "label": "a label", "note": "a note",
            "tags": ["h1"], "importance": "high", "visible_on": ["H1", "D1"], "candles": [DAY],
            "style": { "colour": "amber", "line": "dashed", "width": 2 },
        });
        let fields = own.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(fields);
        input
    };
    let drawn = [
        ("draw_horizontal_line", line(1.2)),
        (
            "draw_horizontal_ray",
            with(json!({ "start": DAY, "price": 1.19 })),
        ),
        (
            "draw_fibonacci",
            with(json!({ "from": from, "to": to, "levels": [0.0, 0.618, 1.0] })),
        ),
        (
            "draw_trendline",
            with(json!({ "from": from, "to": to, "extent": "arrow" })),
        ),
        ("draw_rectangle", with(json!({ "from": from, "to": to }))),
        ("draw_circle", with(json!({ "centre": from, "edge": to }))),
        ("draw_long_position", position("long")),
        ("draw_short_position", position("short")),
        ("draw_marker", with(json!({ "at": to, "text": "a break" }))),
    ];
    let mut lines = Vec::new();
    let mut answers = Vec::new();
    for (n, (tool, input)) in (1..).zip(drawn) {
        answers.push((tool, data(&markets, model(n, 1, tool, input)).await));
    }
    let id = answers[0].1["drawing"]["id"].clone();
    let moved = change(
        &id,
        1,
        json!({ "shape": { "price": 1.201 }, "label": "top" }),
    );
    let locked = change(&id, 2, json!({ "locked": true }));
    let position = answers[6].1["drawing"]["id"].clone();
    let accepted = json!({ "id": position, "expected_version": 1, "reason": "a good plan",
        "event": { "type": "accept" } });
    let filled = json!({ "id": position, "expected_version": 2, "reason": "a good plan",
        "event": { "type": "fill", "price": 1.2 } });
    for (n, tool, input) in [
        (11, "update_drawing", moved),
        (12, "update_drawing", locked),
        (13, "update_drawing", accepted),
        (14, "update_drawing", filled),
        (
            15,
            "scroll_chart",
            json!({ "symbol": "EURUSD", "timeframe": "H4", "time": DAY }),
        ),
    ] {
        answers.push((tool, data(&markets, person(n, tool, input)).await));
    }
    for (tool, answer) in answers {
        // The meaning of a check is prose for the model.
        let mut answer = answer;
        answer.as_object_mut().unwrap().remove("definition");
        lines.push(format!("{tool} {answer}"));
    }
    for (key, part) in board(&markets).await {
        lines.push(format!("{key} {part}"));
    }
    let page = PageQuery {
        kind: "chart".to_owned(),
        name: "EURUSD/H1".to_owned(),
        part: "candles/3".to_owned(),
    };
    lines.push(format!(
        "page {}",
        markets
            .page(UserId::new(Timestamp(1), 1), &page)
            .await
            .unwrap()
    ));
    insta::assert_snapshot!(lines.join("\n"));
}
