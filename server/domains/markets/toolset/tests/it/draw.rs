//! The tools that draw, called through the toolset as the engine does.

use std::sync::Arc;

use agent::ports::{Audience, Recovery, Staging, ToolCall, Toolset};
use async_trait::async_trait;
use markets::{PersonNames, TrailFilter, drawing::DrawingReader};
use protocol::{CallId, ConversationId, ErrorCode, MessageId, Reference, Tier, Timestamp, UserId};
use serde_json::{Value, json};

use crate::desk::{
    DAY, board, change, data, line, markets, model, person, position, refusal, run, tool, trail_of,
    turn, wording,
};

#[tokio::test]
async fn what_the_model_reads() {
    let tools = markets().await.tools();
    let drawn = tools[9..].iter();
    let all: Vec<Value> = drawn.map(|tool| wording(&tool.spec())).collect();
    insta::assert_json_snapshot!(all);
}

#[tokio::test]
async fn what_each_tool_is() {
    let markets = markets().await;
    assert!(markets.stands_alone());
    let tools = markets.tools();
    let specs: Vec<_> = tools
        .iter()
        .map(|tool| (tool.spec(), tool.staging()))
        .collect();
    let found: Vec<_> = specs
        .iter()
        .map(|(spec, staging)| {
            let people = spec.audience == Audience::People;
            assert_eq!(people, spec.name == "undo_turn");
            (&spec.name[..], spec.tier, spec.recovery, *staging)
        })
        .collect();
    for (name, tier, recovery, staging) in &found {
        let expect = match *name {
            "scroll_chart" => (Tier::Green, Recovery::Pure, Staging::Runs),
            "undo_turn" | "set_alert" | "withdraw_alert" => {
                (Tier::Yellow, Recovery::Idempotent, Staging::None)
            }
            "list_alerts" => (Tier::Green, Recovery::Pure, Staging::None),
            name if name.starts_with("get_") => (Tier::Green, Recovery::Pure, Staging::None),
            _ => (Tier::Yellow, Recovery::Idempotent, Staging::Shows),
        };
        assert_eq!((*tier, *recovery, *staging), expect, "{name}");
    }
    let reads = found.iter().filter(|(name, ..)| name.starts_with("get_"));
    assert_eq!((reads.count(), found.len()), (10, 10 + 12 + 1 + 3));
    // The values a model draws with came from tools, but that taints nothing.
    let draw = &tools[9];
    assert!(draw.assess(&line(1.2)).values.is_empty());
    assert_eq!(draw.objects(&line(1.2)), ["chart/EURUSD"]);
}

#[tokio::test]
async fn every_drawing_is_made_changed_and_removed() {
    let markets = markets().await;
    let (from, to) = (
        json!({ "time": "2017-12-15T11:00:00Z", "price": 1.17497 }),
        json!({ "time": DAY, "price": 1.19 }),
    );
    let eur = |own: Value| {
        let mut input = json!({ "symbol": "EURUSD", "reason": "seen on the chart" });
        let fields = own.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(fields);
        input
    };
    let all = [
        ("draw_horizontal_line", line(1.2), json!({ "price": 1.201 })),
        (
            "draw_horizontal_ray",
            eur(json!({ "start": DAY, "price": 1.19 })),
            json!({ "start": "2017-12-28T12:00:00Z" }),
        ),
        (
            "draw_fibonacci",
            eur(json!({ "from": from, "to": to })),
            json!({ "levels": [0.0, 0.5, 1.0] }),
        ),
        (
            "draw_trendline",
            eur(json!({ "from": from, "to": to, "extent": "ray" })),
            json!({ "to": { "price": 1.191 } }),
        ),
        (
            "draw_rectangle",
            eur(json!({ "from": from, "to": to })),
            json!({ "from": { "price": 1.18 } }),
        ),
        (
            "draw_circle",
            eur(json!({ "centre": from, "edge": to })),
            json!({ "edge": { "price": 1.185 } }),
        ),
        (
            "draw_long_position",
            position("long"),
            json!({ "target": 1.215 }),
        ),
        (
            "draw_short_position",
            position("short"),
            json!({ "risk": { "money": 50 } }),
        ),
        (
            "draw_marker",
            eur(json!({ "at": to, "text": "a break" })),
            json!({ "text": "a false break" }),
        ),
    ];
    for (n, (tool, input, shape)) in (1..).zip(all) {
        let drawn = data(&markets, model(n, 1, tool, input)).await;
        let drawing = &drawn["drawing"];
        let id = CallId::new(Timestamp(1), n).to_string();
        assert_eq!(
            (&drawing["id"], &drawing["call"], &drawing["version"]),
            (&json!(id), &json!(id), &json!(1)),
            "{tool}"
        );
        assert_eq!(drawing["group"], turn(1).to_string());
        assert!(drawing["conversation"].is_string() && drawing["message"].is_string());
        assert!(drawn["check"]["touches"].is_number(), "{tool}: {drawn}");
        assert!(drawn["check"]["distance_pips"].is_number(), "{tool}");
        assert_eq!(
            drawn["figures"].is_object(),
            drawing["life"].is_object(),
            "{tool}"
        );

        let changes = json!({ "shape": shape, "label": "again", "tags": ["test"] });
        let input = change(&drawing["id"], 1, changes);
        let changed = data(&markets, model(100 + n, 2, "update_drawing", input)).await;
        assert_eq!(changed["drawing"]["version"], 2, "{tool}");
        assert_eq!(changed["drawing"]["content"]["label"], "again");
        let on = board(&markets).await;
        let part = &on[&format!("drawing/{id}")];
        assert_eq!(part["content"], changed["drawing"]["content"]);
        assert_eq!(part["check"]["of"], changed["check"]["of"]);

        let input = json!({ "id": id, "expected_version": 2, "reason": "it is over" });
        let gone = data(&markets, model(200 + n, 2, "remove_drawing", input)).await;
        assert_eq!(gone["drawing"]["removed"], true, "{tool}");
        assert!(!board(&markets).await.contains_key(&format!("drawing/{id}")));
        let input = change(&drawing["id"], 3, json!({ "label": "late" }));
        let late = refusal(&markets, model(300 + n, 2, "update_drawing", input)).await;
        assert_eq!(
            late,
            (
                ErrorCode::ToolFailed,
                format!("The drawing {id} was removed.")
            )
        );
    }
}

#[tokio::test]
async fn what_the_chart_says() {
    let markets = markets().await;
    // The newest close is 1.20075, and December was never above 1.21.
    let above = data(&markets, model(1, 1, "draw_horizontal_line", line(1.21075))).await;
    let check = &above["check"];
    assert_eq!(
        (
            &check["touches"],
            &check["last_touch"],
            &check["prospective"]
        ),
        (&json!(0), &Value::Null, &json!(true))
    );
    assert_eq!(check["distance_pips"], 100.0);
    let within = data(&markets, model(2, 1, "draw_horizontal_line", line(1.185))).await;
    assert!(within["check"]["touches"].as_u64() > Some(1), "{within}");
    assert!(within["definition"].as_str().unwrap().contains("touches"));

    let long = data(
        &markets,
        model(3, 1, "draw_long_position", position("long")),
    )
    .await;
    assert_eq!(
        long["figures"],
        json!({
            "reward_to_risk": 2.0, "reward_pips": 100.0, "risk_pips": 50.0, "lots": 0.2,
            "bound_by": "risk", "balance_at_target": 10_200.0, "balance_at_stop": 9_900.0,
        })
    );
}

#[tokio::test]
async fn who_changed_what_and_why() {
    let markets = markets().await;
    let drawn = data(&markets, model(1, 1, "draw_horizontal_line", line(1.2))).await;
    let id = &drawn["drawing"]["id"];
    let by_model = model(
        2,
        2,
        "update_drawing",
        change(id, 1, json!({ "shape": { "price": 1.195 } })),
    );
    let changed = data(&markets, by_model.clone()).await;
    // A call repeated after an interruption has no second effect.
    assert_eq!(data(&markets, by_model).await, changed);
    let again = model(1, 1, "draw_horizontal_line", line(1.2));
    assert_eq!(data(&markets, again).await["drawing"]["version"], 2);
    let same = change(id, 2, json!({ "shape": { "price": 1.195 } }));
    let same = data(&markets, model(3, 2, "update_drawing", same)).await;
    assert_eq!(same["drawing"]["version"], 2);

    // A drag ends between ticks, and sends the whole shape.
    let drag = json!({
        "id": id, "expected_version": 2, "reason": "dragged",
        "changes": { "shape": { "kind": "horizontal_line", "price": 1.196_004 } },
    });
    data(&markets, person(4, "update_drawing", drag)).await;
    let about = Reference::new("drawing", id.as_str().unwrap());
    let known = markets.describe(&about).await.unwrap();
    let call = |n| CallId::new(Timestamp(1), n).to_string();
    let at = drawn["drawing"]["created_at"].clone();
    assert_eq!(
        known["changes"],
        json!([
            {
                "time": at, "actor": "model", "reason": "the low moved",
                "changes": [{ "field": "shape.price", "from": 1.2, "to": 1.195 }],
                "call": call(2), "group": turn(2).to_string(),
                "conversation": ConversationId::new(Timestamp(1), 7).to_string(),
                "message": MessageId::new(Timestamp(1), 2).to_string(),
            },
            {
                "time": at, "actor": "user", "reason": "dragged",
                "changes": [{ "field": "shape.price", "from": 1.195, "to": 1.196 }],
                "call": call(4), "group": null,
            },
        ])
    );
    // A change based on the version before gets the current one.
    let late = change(id, 2, json!({ "label": "late" }));
    let late = run(&markets, model(5, 2, "update_drawing", late))
        .await
        .unwrap_err();
    assert_eq!(late.code, ErrorCode::ToolFailed);
    assert!(late.message.ends_with("is at version 3 now."), "{late:?}");
    let help = late.help.unwrap();
    assert!(
        help.contains("\"version\":3") && help.contains("1.196"),
        "{help}"
    );

    let lock = |actor: fn(u128, &str, Value) -> ToolCall, n, version, changes| {
        actor(n, "update_drawing", change(id, version, changes))
    };
    let by_model: fn(u128, &str, Value) -> ToolCall = |n, tool, input| model(n, 2, tool, input);
    let (code, message) = refusal(&markets, lock(by_model, 6, 3, json!({ "locked": true }))).await;
    assert_eq!(code, ErrorCode::ToolInputInvalid);
    assert!(message.contains("only people lock"), "{message}");
    data(&markets, lock(person, 7, 3, json!({ "locked": true }))).await;
    let (code, _) = refusal(&markets, lock(by_model, 8, 4, json!({ "label": "x" }))).await;
    assert_eq!(code, ErrorCode::ToolProtected);
}

/// Everybody is called by the number of their identifier here.
struct Numbered;

#[async_trait]
impl PersonNames for Numbered {
    async fn name(&self, person: UserId) -> Option<String> {
        let person = person.to_string();
        person.chars().last().map(|last| format!("person {last}"))
    }
}

#[tokio::test]
async fn records_name_the_people_behind_them() {
    let markets = markets().await.with_names(Arc::new(Numbered));
    let by = |mut call: ToolCall, n| {
        call.origin.person = UserId::new(Timestamp(1), n);
        call
    };
    let drawn = model(1, 1, "draw_horizontal_line", line(1.2));
    let drawn = data(&markets, by(drawn, 1)).await["drawing"].clone();
    assert_eq!(
        (&drawn["actor"], &drawn["person"]),
        (&json!("model"), &json!("person 1"))
    );
    let id = &drawn["id"];
    let moved = change(id, 1, json!({ "shape": { "price": 1.195 } }));
    data(&markets, by(person(2, "update_drawing", moved), 2)).await;

    // On the board, in what the model reads of it and around it, and in the export.
    let on_board = board(&markets).await;
    let part = &on_board[&format!("drawing/{}", id.as_str().unwrap())];
    assert_eq!(part["person"], "person 1");
    assert_eq!(part["changes"][0]["person"], "person 2");
    let about = Reference::new("drawing", id.as_str().unwrap());
    let told = markets.describe(&about).await.unwrap();
    assert_eq!(told["drawing"]["person"], "person 1");
    assert_eq!(told["changes"][0]["person"], "person 2");
    let parts = markets.context(&[]).await;
    let around = parts.iter().find(|part| part.source == "drawings").unwrap();
    let around = around.data.as_ref().unwrap();
    assert_eq!(around["data"]["drawings"][0]["person"], "person 1");
    // Undoing a turn is a change of the one who does.
    let other = model(3, 3, "draw_horizontal_line", line(1.19));
    data(&markets, by(other, 1)).await;
    let undo = person(4, "undo_turn", json!({ "group": turn(3).to_string() }));
    data(&markets, by(undo, 3)).await;
    let trail = trail_of(&markets, DrawingReader::Anybody, &TrailFilter::default()).await;
    let people = trail.lines().filter_map(|line| line.rsplit(',').next());
    assert_eq!(
        people.collect::<Vec<_>>(),
        ["person", "person 1", "person 2", "person 1", "person 3"]
    );
}

#[tokio::test]
async fn what_cannot_be_drawn() {
    let markets = markets().await;
    let weekend = json!({
        "symbol": "EURUSD", "start": "2017-12-23T12:00:00Z", "price": 1.19, "reason": "a weekend",
    });
    let expect = "shape.start: the market is closed at 2017-12-23T12:00:00Z; the nearest bar opens \
                  at 2017-12-22T21:00:00Z.";
    let refused = refusal(&markets, model(1, 1, "draw_horizontal_ray", weekend)).await;
    assert_eq!(refused, (ErrorCode::ToolInputInvalid, expect.to_owned()));
    let off = refusal(
        &markets,
        model(2, 1, "draw_horizontal_line", line(1.200_001)),
    )
    .await;
    assert!(off.1.contains("EURUSD quotes 5 decimals"), "{off:?}");
    let mut near = position("long");
    near["stop"] = json!(1.19995);
    let near = refusal(&markets, model(3, 1, "draw_long_position", near)).await;
    assert_eq!(
        near.1,
        "shape.stop: it is nearer than the spread of 1 pips."
    );

    let drawn = data(&markets, model(4, 1, "draw_horizontal_line", line(1.2))).await;
    let again = refusal(&markets, model(5, 2, "draw_horizontal_line", line(1.2))).await;
    let id = drawn["drawing"]["id"].as_str().unwrap();
    assert_eq!(
        again,
        (
            ErrorCode::ToolFailed,
            format!(
                "The very same horizontal line is on the chart already: {id} at version 1. Update \
                 it instead of drawing it again."
            )
        )
    );
    let nothing = json!({ "id": "call_0", "expected_version": 1, "reason": "it is over" });
    let nothing = refusal(&markets, model(6, 1, "remove_drawing", nothing)).await;
    assert_eq!(nothing.1, "There is no drawing \"call_0\".");
    let neither = json!({ "id": id, "expected_version": 1, "reason": "no idea" });
    let neither = refusal(&markets, model(7, 1, "update_drawing", neither)).await;
    assert_eq!(neither.1, "Give either changes or an event.");
}

#[tokio::test]
async fn a_position_lives_as_it_may() {
    let markets = markets().await;
    let drawn = data(
        &markets,
        model(1, 1, "draw_long_position", position("long")),
    )
    .await;
    let id = &drawn["drawing"]["id"];
    let tell = |n: u128, version: u64, event: Value| {
        let input = json!({
            "id": id, "expected_version": version, "reason": "it happened", "event": event,
        });
        model(n, 2, "update_drawing", input)
    };
    let early = refusal(
        &markets,
        tell(2, 1, json!({ "type": "fill", "price": 1.2 })),
    )
    .await;
    assert_eq!(
        early.1,
        "Refused: a position that is signal cannot be opened."
    );
    data(&markets, tell(3, 1, json!({ "type": "accept" }))).await;
    let bare = refusal(&markets, tell(4, 2, json!({ "type": "fill" }))).await;
    assert_eq!(bare.1, "event: a fill has a price and no cause.");
    data(
        &markets,
        tell(5, 2, json!({ "type": "fill", "price": 1.2 })),
    )
    .await;
    let close = json!({ "type": "close", "price": 1.21, "cause": "tp" });
    let closed = data(&markets, tell(6, 3, close)).await;
    assert_eq!(closed["drawing"]["life"]["cause"], "tp");
    let stop = change(id, 4, json!({ "shape": { "stop": 1.19 } }));
    let over = refusal(&markets, model(7, 2, "update_drawing", stop)).await;
    assert_eq!(
        over.1,
        "Refused: the position is closed and can no longer change."
    );
}

#[tokio::test]
async fn a_turn_is_taken_back_once() {
    let markets = markets().await;
    let old = data(&markets, model(1, 1, "draw_horizontal_line", line(1.19))).await;
    let moved = change(&old["drawing"]["id"], 1, json!({ "label": "moved" }));
    data(&markets, model(2, 2, "update_drawing", moved)).await;
    let new = data(&markets, model(3, 2, "draw_horizontal_line", line(1.2))).await;
    let input = json!({ "group": turn(2).to_string() });
    let undo = person(4, "undo_turn", input.clone());
    let mut undone = data(&markets, undo.clone()).await;
    let mut ids = [&old, &new].map(|drawn| drawn["drawing"]["id"].clone());
    ids.sort_by_key(Value::to_string);
    undone["undone"]
        .as_array_mut()
        .unwrap()
        .sort_by_key(Value::to_string);
    assert_eq!(undone, json!({ "undone": ids, "kept": [] }));
    // Repeated after an interruption it is the same; a second request is another.
    assert_eq!(
        data(&markets, undo).await["undone"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let twice = data(&markets, person(5, "undo_turn", input)).await;
    assert_eq!(twice["undone"], json!([]));
    let on = board(&markets).await;
    let left: Vec<_> = on
        .keys()
        .filter(|key| key.starts_with("drawing/"))
        .collect();
    assert_eq!(left.len(), 1);
    assert_eq!(on[left[0]]["content"]["label"], "");
}

/// The feed names what a call is on before anything is read.
#[tokio::test]
async fn a_call_is_on_the_drawing_by_its_name() {
    let markets = markets().await;
    let labelled = |price: f64, label: &str| {
        let mut input = line(price);
        input["label"] = json!(label);
        input
    };
    let low = model(1, 1, "draw_horizontal_line", labelled(1.2, "June low"));
    let low = data(&markets, low).await["drawing"]["id"].clone();
    let removal = |id: &Value, version: u64| json!({ "id": id, "expected_version": version, "reason": "it is over" });
    let remove = tool(&markets, "remove_drawing");
    let target = |input: &Value| remove.target(input).unwrap();
    assert_eq!(
        target(&removal(&low, 1)),
        "horizontal line “June low” on EURUSD"
    );
    let unnamed = change(&low, 1, json!({ "label": "" }));
    data(&markets, model(2, 1, "update_drawing", unnamed)).await;
    let input = removal(&low, 2);
    assert_eq!(target(&input), "horizontal line on EURUSD at 1.20000");
    let shown = remove.preview(&model(3, 1, "remove_drawing", input)).await;
    assert_eq!(
        shown.unwrap().target,
        "horizontal line on EURUSD at 1.20000"
    );

    // A line of the feed is everybody's.
    let mut own = labelled(1.21, "mine");
    own["seen_by"] = json!("me");
    let own = data(&markets, model(4, 1, "draw_horizontal_line", own)).await;
    let own = own["drawing"]["id"].clone();
    let input = removal(&own, 1);
    let by_id = format!("drawing {}", own.as_str().unwrap());
    assert_eq!(target(&input), by_id);
    let shown = remove.preview(&model(5, 1, "remove_drawing", input)).await;
    assert_eq!(shown.unwrap().target, by_id);
}
