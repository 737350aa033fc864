//! Drawings that one person alone sees: for everybody else they are not there.

use std::collections::BTreeSet;

use agent::ports::{ContextPart, ToolCall, Toolset};
use markets::{Markets, TrailFilter, drawing::DrawingReader};
use protocol::{ErrorCode, PageQuery, Reference, Timestamp, UserId};
use serde_json::{Value, json};

use crate::{
    desk::{
        board, change, data, line, markets, model, person, position, refusal, tool, trail_of, turn,
    },
    scripted::ScriptedMarket,
};

const ADA: u128 = 1;
const EVE: u128 = 2;

fn user(n: u128) -> UserId {
    UserId::new(Timestamp(1), n)
}

fn by(n: u128, mut call: ToolCall) -> ToolCall {
    call.origin.person = user(n);
    call
}

fn for_me(mut input: Value) -> Value {
    input["seen_by"] = json!("me");
    input
}

async fn page(markets: &Markets, n: u128, kind: &str) -> Value {
    let query = PageQuery {
        kind: kind.to_owned(),
        name: "all".to_owned(),
        part: String::new(),
    };
    markets.page(user(n), &query).await.unwrap()
}

fn text(parts: &[ContextPart]) -> String {
    format!("{parts:?}")
}

/// For each way of a person to read, true if it tells of a drawing.
async fn told(markets: &Markets, n: u128, id: &str) -> Vec<(&'static str, bool)> {
    let about = Reference::new("chart", "EURUSD/H1");
    let context = text(&markets.context_for(user(n), &[about]).await);
    let drawing = Reference::new("drawing", id);
    let around = text(
        &markets
            .context_for(user(n), std::slice::from_ref(&drawing))
            .await,
    );
    let positions = by(n, model(90 + n, 9, "get_positions", json!({})));
    let reader = DrawingReader::Person(user(n));
    let trail = trail_of(markets, reader, &TrailFilter::default()).await;
    vec![
        ("page", page(markets, n, "drawings").await[id].is_object()),
        (
            "trail on the page",
            page(markets, n, "trail").await.to_string().contains(id),
        ),
        ("export", trail.contains(id)),
        ("context", context.contains(id)),
        ("context of it", around.contains(id)),
        (
            "reference",
            markets.describe_for(user(n), &drawing).await.is_ok(),
        ),
        (
            "positions",
            data(markets, positions).await.to_string().contains(id),
        ),
    ]
}

#[tokio::test]
async fn a_private_drawing_is_there_for_its_person_alone() {
    let markets = markets().await;
    let draw = model(1, 1, "draw_long_position", for_me(position("long")));
    let drawn = data(&markets, by(ADA, draw)).await["drawing"].clone();
    let id = drawn["id"].as_str().unwrap();
    assert_eq!(drawn["owner"], user(ADA).to_string());
    for (way, is_told) in told(&markets, ADA, id).await {
        assert!(is_told, "{way}");
    }
    for (way, is_told) in told(&markets, EVE, id).await {
        assert!(!is_told, "{way}");
    }
    // The board is everybody's, and so is what belongs to no person.
    let shared = board(&markets).await;
    assert_eq!(shared["own/written"], 1);
    assert!(!json!(shared).to_string().contains(id));
    assert!(!text(&markets.context(&[]).await).contains(id));
    assert!(
        !trail_of(&markets, DrawingReader::Anybody, &TrailFilter::default())
            .await
            .contains(id)
    );
    let chart = Reference::new("chart", "EURUSD/H1");
    for (n, count) in [(ADA, 1), (EVE, 0)] {
        let chart = markets.describe_for(user(n), &chart).await.unwrap();
        assert_eq!(chart["drawings"], count);
    }
    // The model is told whose it is.
    let mine = Reference::new("drawing", id);
    let mine = markets.describe_for(user(ADA), &mine).await.unwrap();
    assert_eq!(mine["drawing"]["seen_by"], "this person alone");
}

/// Somebody who knows the identifier gets what one that was made up gets.
#[tokio::test]
async fn the_identifier_of_a_private_drawing_is_unknown_to_others() {
    let markets = markets().await;
    let draw = model(1, 1, "draw_horizontal_line", for_me(line(1.2)));
    let drawn = data(&markets, by(ADA, draw)).await["drawing"].clone();
    let (id, made_up) = (
        drawn["id"].as_str().unwrap(),
        "call_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    );
    let calls = |id: &str| {
        let of = |input: Value| {
            let mut input = input;
            input["id"] = json!(id);
            input
        };
        [
            (
                "update_drawing",
                change(&json!(id), 1, json!({ "label": "eve" })),
            ),
            (
                "update_drawing",
                of(
                    json!({ "expected_version": 9, "reason": "a guess", "symbol": "USDJPY",
                    "event": { "type": "accept" } }),
                ),
            ),
            (
                "remove_drawing",
                of(json!({ "expected_version": 1, "reason": "a guess" })),
            ),
            ("set_alert", json!({ "symbol": "EURUSD", "drawing": id })),
        ]
    };
    for (n, (known, guessed)) in (10..)
        .step_by(4)
        .zip(calls(id).into_iter().zip(calls(made_up)))
    {
        for is_model in [false, true] {
            let call = |number: u128, (name, input): (&str, Value)| {
                let call = if is_model {
                    model(number, 5, name, input)
                } else {
                    person(number, name, input)
                };
                by(EVE, call)
            };
            let shown = tool(&markets, known.0)
                .preview(&call(n, known.clone()))
                .await;
            let shown = shown.unwrap_err();
            let of_known = refusal(&markets, call(n, known.clone())).await;
            let (code, message) = refusal(&markets, call(n + 1, guessed.clone())).await;
            assert_eq!(
                of_known,
                (code, message.replace(made_up, id)),
                "{}",
                known.0
            );
            assert_eq!((shown.code, shown.message), of_known);
        }
    }
    let unknown = async |n: u128| {
        let of = Reference::new("drawing", if n == 0 { id } else { made_up });
        let why = markets.describe_for(user(EVE), &of).await.unwrap_err();
        why.replace(made_up, id)
    };
    assert_eq!(unknown(0).await, unknown(1).await);
    // The turn that drew it is unknown as well, and it stands.
    let undo = |group: u128| json!({ "group": turn(group).to_string() });
    let of_ada = refusal(&markets, by(EVE, person(50, "undo_turn", undo(1)))).await;
    let of_none = refusal(&markets, by(EVE, person(51, "undo_turn", undo(8)))).await;
    assert_eq!(of_ada.0, of_none.0);
    let named = |n: u128| turn(n).to_string();
    assert_eq!(of_ada.1, of_none.1.replace(&named(8), &named(1)));
    assert_eq!(page(&markets, ADA, "drawings").await[id]["version"], 1);

    // Drawing the same tells nothing either, for everybody or for oneself.
    for (n, input) in [(60, line(1.2)), (61, for_me(line(1.199)))] {
        data(&markets, by(EVE, person(n, "draw_horizontal_line", input))).await;
    }
    // An alert would tell everybody of it.
    let own_alert = json!({ "symbol": "EURUSD", "drawing": id });
    let (code, why) = refusal(&markets, by(ADA, person(70, "set_alert", own_alert))).await;
    assert_eq!(code, ErrorCode::ToolFailed);
    assert!(why.contains("one person alone sees it"), "{why}");
}

/// A private position follows the price like any other. Its notices are for its person: the board's are
/// everybody's.
#[tokio::test]
async fn a_private_position_is_told_to_its_person_alone() {
    let world = ScriptedMarket::new().await;
    world.source.says("2018-01-02T10:00:00Z", 1.2009, 1.201);
    let markets = world.start();
    let plan = for_me(position("long"));
    let drawn = by(ADA, person(1, "draw_long_position", plan));
    let id = data(&markets, drawn).await["drawing"]["id"].clone();
    let accept = json!({ "id": id, "expected_version": 1, "reason": "a good plan",
        "event": { "type": "accept" } });
    data(&markets, by(ADA, person(2, "update_drawing", accept))).await;
    let follower = markets.follower();
    assert_eq!(follower.round().await.unwrap(), 0);
    world.source.says("2018-01-02T10:00:05Z", 1.1998, 1.1999);
    assert_eq!(follower.round().await.unwrap(), 1);
    let mine = page(&markets, ADA, "drawings").await;
    assert_eq!(mine[id.as_str().unwrap()]["life"]["state"], "open");
    let picture = board(&markets).await;
    assert_eq!(picture["own/written"], 3);
    let on_board = markets.board().unwrap();
    let survey = on_board.survey(&picture, &BTreeSet::new(), Timestamp(1));
    assert!(survey.holds.iter().all(|held| held.kind != "position"));

    let told = async |n: u128| page(&markets, n, "notices").await["notices"].clone();
    let filled = told(ADA).await;
    assert_eq!(
        (&filled[0]["kind"], &filled[0]["about"], filled[1].is_null()),
        (&json!("position"), &json!("EURUSD"), true)
    );
    let text = filled[0]["text"].as_str().unwrap();
    assert!(
        text.contains("long position on EURUSD was filled"),
        "{text}"
    );
    assert_eq!(mine[id.as_str().unwrap()]["notice"], text);
    world.source.says("2018-01-02T10:00:10Z", 1.211, 1.2111);
    assert_eq!(follower.round().await.unwrap(), 1);
    // Also after a restart: it follows from the record.
    for markets in [&markets, &world.start()] {
        let closed = page(markets, ADA, "notices").await["notices"].clone();
        let text = closed[0]["text"].as_str().unwrap();
        assert!(text.contains("reached its target"), "{text}");
        assert_eq!(closed.as_array().unwrap().len(), 1);
        let of_eve = page(markets, EVE, "notices").await;
        assert_eq!(of_eve, json!({ "notices": [] }));
    }
    // Without notices of positions there is none of these either.
    let quiet = world.start().watched(&["position".to_owned()]);
    let none = page(&quiet, ADA, "notices").await;
    assert_eq!(none, json!({ "notices": [] }));
}
