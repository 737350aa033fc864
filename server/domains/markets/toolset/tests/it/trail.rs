//! The trail of the drawings as CSV, whole and filtered.

use markets::{
    Symbol, TrailFilter,
    drawing::{Actor, DrawingReader},
};
use serde_json::json;

use crate::desk::{change, data, line, markets, model, person, trail_of};

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
