use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    Points, Side, Symbol,
    maths::{
        life::{Cause, Event},
        position::Risk,
    },
};

const MONDAY: &str = "2017-07-03T12:00:00Z";
const AT: Time = Time(1_499_169_600);

fn content(shape: Value) -> Content<Time> {
    serde_json::from_value(json!({ "shape": shape })).unwrap()
}

fn line(price: f64) -> Content<Time> {
    content(json!({ "kind": "horizontal_line", "price": price }))
}

fn new(content: Content<Time>, actor: Actor) -> NewDrawing {
    NewDrawing {
        id: "d1".to_owned(),
        owner: "ada".to_owned(),
        symbol: Symbol::EurUsd,
        content,
        reason: " two lows of June ".to_owned(),
        actor,
        person: None,
        call: Some("call".to_owned()),
        conversation: None,
        message: None,
        group: Some("turn".to_owned()),
        candles: vec![],
    }
}

fn drawn(content: Content<Time>) -> Drawing {
    create(new(content, Actor::Model), AT).unwrap()
}

fn change(patch: Value, version: u64, actor: Actor) -> Update {
    Update {
        patch,
        reason: "moved up".to_owned(),
        expected_version: version,
        actor,
        person: None,
        call: Some("call 2".to_owned()),
        conversation: Some("conversation 2".to_owned()),
        message: Some("message 2".to_owned()),
        group: Some("turn 2".to_owned()),
    }
}

fn position() -> Content<Time> {
    content(json!({
        "kind": "position", "side": "long", "start": MONDAY, "entry": 1.1, "stop": 1.095,
        "target": 1.11, "account": 10_000.0, "risk": { "percent": 1.0 }, "leverage": 30.0,
        "lot": 100_000.0, "lot_step": 0.01,
    }))
}

#[test]
fn every_kind_is_made_and_read_back() {
    let from = json!({ "time": MONDAY, "price": 1.1 });
    let to = json!({ "time": "2017-07-04T12:00:00Z", "price": 1.12345 });
    for shape in [
        json!({ "kind": "horizontal_line", "price": 1.1 }),
        json!({ "kind": "horizontal_ray", "start": MONDAY, "price": 1.1 }),
        json!({ "kind": "trendline", "from": from, "to": to, "extent": "arrow" }),
        json!({ "kind": "rectangle", "from": from, "to": to }),
        json!({ "kind": "circle", "centre": from, "edge": to }),
        json!({ "kind": "fibonacci", "from": from, "to": to, "levels": [0.0, 0.5, 1.0] }),
        serde_json::to_value(position().shape).unwrap(),
        json!({ "kind": "marker", "at": from, "text": "NFP" }),
    ] {
        let drawing = drawn(content(shape.clone()));
        assert_eq!(drawing.reason, "two lows of June");
        assert_eq!(drawing.life.is_some(), shape["kind"] == "position");
        assert_eq!(drawing.content.shape.kind(), shape["kind"]);
        let text = serde_json::to_string(&drawing).unwrap();
        assert_eq!(serde_json::from_str::<Drawing>(&text).unwrap(), drawing);
    }
    let plan = plan(&position().shape, Symbol::EurUsd, Points(10)).unwrap();
    assert_eq!(plan.risk, Some(Risk::Percent(1.0)));
    let lots = plan.size().unwrap().lots;
    assert_eq!((plan.side, lots), (Side::Long, Some(0.2)));
}

#[test]
fn a_name_that_the_assistant_made_of_a_price_follows_it() {
    let named = |actor: Actor| {
        let mut content = line(1.095);
        content.label = "Resistance 1.0950".to_owned();
        create(new(content, actor), AT).unwrap()
    };
    let updated = |drawing: &Drawing, patch: Value| {
        let by_hand = change(patch, drawing.version, Actor::User);
        update(drawing, &by_hand, AT).unwrap().unwrap()
    };
    let moved =
        |drawing: &Drawing, price: f64| updated(drawing, json!({ "shape": { "price": price } }));
    let once = moved(&named(Actor::Model), 1.097);
    let fields: Vec<&str> = once.changes[0]
        .changes
        .iter()
        .map(|it| &it.field[..])
        .collect();
    assert_eq!(fields, ["label", "shape.price"]);
    assert_eq!(once.content.label, "Resistance 1.0970");
    // The person who moved it has not named it.
    let twice = moved(&once, 1.09903);
    assert_eq!(twice.content.label, "Resistance 1.09903");
    // An undo of that on the page is a move back, and the next one a move again.
    let back = moved(&twice, 1.097);
    assert_eq!(back.content.label, "Resistance 1.0970");
    assert_eq!(moved(&back, 1.09903).content.label, "Resistance 1.09903");
    let renamed = updated(&twice, json!({ "label": "Mine, 1.09903" }));
    assert_eq!(moved(&renamed, 1.1).content.label, "Mine, 1.09903");
    let own = named(Actor::User);
    assert_eq!(moved(&own, 1.097).content.label, "Resistance 1.0950");
}

#[test]
fn mistakes_name_their_field() {
    let check = |shape: Value, expect: &str| {
        let content: Result<Content<Time>, _> = serde_json::from_value(json!({ "shape": shape }));
        let error = match content {
            Ok(content) => create(new(content, Actor::Model), AT)
                .unwrap_err()
                .to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(error, expect);
    };
    check(
        json!({ "kind": "horizontal_line", "price": 1.100001 }),
        "shape.price: 1.100001 is not on the tick: EURUSD quotes 5 decimals",
    );
    check(
        json!({ "kind": "horizontal_line", "price": -1.1 }),
        "shape.price: a price is above zero",
    );
    check(
        json!({ "kind": "horizontal_ray", "start": "2017-07-08T12:00:00Z", "price": 1.1 }),
        "shape.start: the market is closed at 2017-07-08T12:00:00Z; the nearest bar opens at \
         2017-07-07T20:00:00Z",
    );
    check(
        json!({ "kind": "horizontal_ray", "start": "2017-07-03 12:00", "price": 1.1 }),
        "\"2017-07-03 12:00\" is no time in UTC such as 2017-03-10T13:30:00Z",
    );
    let one = json!({ "time": MONDAY, "price": 1.1 });
    check(
        json!({ "kind": "trendline", "from": one, "to": one, "extent": "ray" }),
        "shape.to: a line needs two points, and these are one",
    );
    let mut upside_down = serde_json::to_value(position().shape).unwrap();
    upside_down["stop"] = json!(1.2);
    check(
        upside_down,
        "shape.stop: 1.20000 is not below the entry 1.10000 of a long position",
    );
    let far = json!({ "time": MONDAY, "price": 1.2 });
    check(
        json!({ "kind": "fibonacci", "from": one, "to": far, "levels": [] }),
        "shape.levels: there must be 1 to 20 levels, each between -10 and 10",
    );
    let mut vague = new(line(1.1), Actor::Model);
    vague.reason = "  ok  ".to_owned();
    let error = create(vague, AT).unwrap_err().to_string();
    assert_eq!(error, "reason: say in at least 3 characters why");
}

#[test]
fn a_change_is_kept_with_its_reason() {
    let drawing = drawn(line(1.1));
    let patch = json!({ "shape": { "price": 1.105 }, "label": "June" });
    let next = update(&drawing, &change(patch, 1, Actor::Model), AT)
        .unwrap()
        .unwrap();
    assert_eq!(next.version, 2);
    let kept = &next.changes[0];
    assert_eq!(
        (kept.actor, kept.reason.as_str()),
        (Actor::Model, "moved up")
    );
    assert_eq!(kept.call.as_deref(), Some("call 2"));
    let fields: Vec<_> = kept
        .changes
        .iter()
        .map(|c| (c.field.as_str(), &c.from, &c.to))
        .collect();
    assert_eq!(
        fields,
        [
            ("label", &json!(""), &json!("June")),
            ("shape.price", &json!(1.1), &json!(1.105)),
        ]
    );
    // A change based on the version before gets the current one.
    let late = update(&next, &change(json!({ "label": "x" }), 1, Actor::Model), AT).unwrap_err();
    assert_eq!(late, Refusal::Conflict(Box::new(next.clone())));
    // No change, no write.
    let same = change(json!({ "label": "June" }), 2, Actor::Model);
    assert_eq!(update(&next, &same, AT), Ok(None));
    // Rejected changes.
    for (patch, expect) in [
        (
            json!({ "shape": { "kind": "marker" } }),
            "changes: unknown field `price`",
        ),
        (
            json!({ "colour": "red" }),
            "changes: unknown field `colour`",
        ),
        (
            json!({ "hidden": true }),
            "locked: only people lock and hide drawings",
        ),
        (
            json!({ "shape": { "price": null } }),
            "changes: invalid type: null, expected f64",
        ),
    ] {
        let error = update(&next, &change(patch, 2, Actor::Model), AT)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(expect), "{error}");
    }
    let mut short = change(json!({ "label": "x" }), 2, Actor::Model);
    short.reason = "no".to_owned();
    assert!(update(&next, &short, AT).is_err());
}

#[test]
fn people_drag_lock_and_hide() {
    let drawing = drawn(line(1.1));
    // A click that moves nothing, and a drag that ends between ticks.
    let shape = |price| crate::drawing::Shape::HorizontalLine { price };
    assert_eq!(dragged(&drawing, shape(1.100_000_4), 1, AT), Ok(None));
    let next = dragged(&drawing, shape(1.101_237), 1, AT).unwrap().unwrap();
    assert_eq!(next.content.shape, shape(1.10124));
    assert_eq!(next.changes[0].reason, "dragged");
    assert_eq!(next.changes[0].actor, Actor::User);

    let lock = change(json!({ "locked": true }), 2, Actor::User);
    let locked = update(&next, &lock, AT).unwrap().unwrap();
    for actor in [Actor::Model, Actor::User] {
        let moved = change(json!({ "shape": { "price": 1.2 } }), 3, actor);
        assert_eq!(update(&locked, &moved, AT), Err(Refusal::Locked));
    }
    let gone = remove(&locked, &change(Value::Null, 3, Actor::Model), AT);
    assert_eq!(gone, Err(Refusal::Locked));
    let hide = change(json!({ "hidden": true, "locked": false }), 3, Actor::User);
    let hidden = update(&locked, &hide, AT).unwrap().unwrap();
    let gone = remove(&hidden, &change(Value::Null, 4, Actor::Model), AT).unwrap();
    assert!(gone.removed);
    assert_eq!(
        remove(&gone, &change(Value::Null, 5, Actor::Model), AT),
        Err(Refusal::Removed)
    );
}

#[test]
fn a_position_that_is_over_stays_as_it_was() {
    let mut drawing = drawn(position());
    let price = Points(110_000);
    let events = [
        Event::Accept,
        Event::Fill { price },
        Event::Close {
            cause: Cause::Sl,
            price: Points(109_500),
        },
    ];
    for event in events {
        let by = change(Value::Null, drawing.version, Actor::User);
        drawing = happens(&drawing, event, &by, AT, AT).unwrap();
    }
    let last = drawing.changes.last().unwrap();
    assert!(
        last.changes
            .iter()
            .any(|change| change.field == "life.state")
    );
    let stop = change(json!({ "shape": { "stop": 1.09 } }), 4, Actor::Model);
    let error = update(&drawing, &stop, AT).unwrap_err().to_string();
    assert_eq!(error, "the position is closed and can no longer change");
    let note = change(json!({ "note": "stopped out" }), 4, Actor::Model);
    assert!(update(&drawing, &note, AT).unwrap().is_some());
}

#[test]
fn a_risk_in_money_takes_the_place_of_one_in_percent() {
    let drawing = drawn(position());
    let patch = json!({ "shape": { "risk": { "money": 50.0 } } });
    let next = update(&drawing, &change(patch, 1, Actor::Model), AT).unwrap();
    let next = next.unwrap();
    let [field] = &next.changes[0].changes[..] else {
        panic!("{next:?}");
    };
    assert_eq!(
        (&field.field[..], &field.from, &field.to),
        (
            "shape.risk",
            &json!({ "percent": 1.0 }),
            &json!({ "money": 50.0 })
        )
    );
    let undone = undo(&[next], "turn 2", AT);
    assert_eq!(undone.changed[0].content, drawing.content);
}

#[test]
fn fifty_changes_are_kept_and_the_others_counted() {
    let mut drawing = drawn(line(1.1));
    for step in 1..=60 {
        let patch = json!({ "label": step.to_string() });
        let by = change(patch, drawing.version, Actor::Model);
        drawing = update(&drawing, &by, AT).unwrap().unwrap();
    }
    assert_eq!(
        (drawing.changes.len(), drawing.dropped, drawing.version),
        (50, 10, 61)
    );
    assert_eq!(drawing.changes[0].changes[0].to, json!("11"));
}

#[test]
fn a_turn_is_taken_back() {
    let by = |patch, version| change(patch, version, Actor::Model);
    let named = |id: &str, group: &str| {
        let mut drawing = drawn(line(1.1));
        (drawing.id, drawing.group) = (id.to_owned(), Some(group.to_owned()));
        drawing
    };
    let made = named("made", "turn 2");
    let before = named("changed", "turn 1");
    let one = update(&before, &by(json!({ "label": "a" }), 1), AT)
        .unwrap()
        .unwrap();
    let two = update(
        &one,
        &by(json!({ "label": "b", "shape": { "price": 1.2 } }), 2),
        AT,
    );
    let changed = two.unwrap().unwrap();
    let gone = remove(&named("gone", "turn 1"), &by(Value::Null, 1), AT).unwrap();
    let other = named("other", "turn 1");
    let dragged_since = dragged(
        &named("dragged", "turn 2"),
        Shape::HorizontalLine { price: 1.3 },
        1,
        AT,
    );
    let dragged_since = dragged_since.unwrap().unwrap();

    let all = [made, changed, gone, other, dragged_since];
    let undone = undo(&all, "turn 2", AT);
    assert_eq!(undone.kept, ["dragged"]);
    let [made, changed, gone] = &undone.changed[..] else {
        panic!("{undone:?}");
    };
    assert!(made.removed && made.version == 2);
    assert_eq!((&changed.content, changed.version), (&before.content, 4));
    assert!(!gone.removed && gone.version == 3);
    // A second undo does nothing.
    let again = undo(&undone.changed, "turn 2", AT);
    assert_eq!(again.changed, []);
}

proptest! {
    /// Applied to the old content, the changes give the new; reverted, the old one again.
    #[test]
    fn changes_tell_all(
        price in 90_000_i64..130_000,
        other in 90_000_i64..130_000,
        label in "[a-z]{0,5}",
        width in 0_u8..5,
    ) {
        let number = |price: i64| Symbol::EurUsd.number(Points(price));
        let drawing = drawn(line(number(price)));
        let patch = json!({ "shape": { "price": number(other) }, "label": label, "style": { "width": width } });
        let next = update(&drawing, &change(patch, 1, Actor::Model), AT).unwrap();
        let Some(next) = next else {
            prop_assert!(price == other && label.is_empty() && width == 0);
            return Ok(());
        };
        let undone = undo(std::slice::from_ref(&next), "turn 2", AT);
        prop_assert_eq!(&undone.changed[0].content, &drawing.content);
        let patch = change::json(&next.content).unwrap();
        let again = update(&drawing, &change(patch, 1, Actor::Model), AT).unwrap().unwrap();
        prop_assert_eq!(again, next);
    }
}
