//! Drawings: their shapes, their content, their changes.

use protocol::FromJson;
use serde_json::{Value, json};

use super::{AT, LATER, check};
use crate::{
    Actor, AlertState, Anchor, Cause, Change, Colour, Content, Crossing, Drawing, DrawingLevel,
    Extent, FieldChange, Fill, Importance, Indicator, InstrumentKind, LevelSide, Life, Line, Mark,
    MarkerKind, MarkerSize, Points, Risk, Shape, Side, State, Style, Symbol, Timeframe,
};

fn at(time: &str, price: f64) -> Anchor {
    Anchor {
        time: time.to_owned(),
        price,
    }
}

fn position() -> Shape {
    Shape::Position {
        side: Side::Long,
        start: AT.to_owned(),
        entry: 1.1,
        stop: 1.095,
        target: 1.11,
        account: Some(10_000.0),
        risk: Some(Risk::Percent(1.0)),
        leverage: Some(30.0),
        lot: 100_000.0,
        lot_step: 0.01,
    }
}

#[test]
fn shapes() {
    let (from, to) = (at(AT, 1.1), at(LATER, 1.12345));
    let shapes: [Shape; 8] = [
        Shape::HorizontalLine { price: 1.1 },
        Shape::HorizontalRay {
            start: AT.to_owned(),
            price: 1.1,
        },
        Shape::Trendline {
            from: from.clone(),
            to: to.clone(),
            extent: Extent::Arrow,
        },
        Shape::Rectangle {
            from: from.clone(),
            to: to.clone(),
            fill: None,
        },
        Shape::Circle {
            centre: from.clone(),
            edge: to.clone(),
        },
        Shape::Fibonacci {
            from: from.clone(),
            to,
            levels: vec![0.0, 0.618, 1.0],
            extend: true,
            reverse: false,
            show_prices: true,
        },
        position(),
        Shape::Marker {
            at: from,
            text: "NFP".to_owned(),
            icon: String::new(),
            form: None,
            size: None,
        },
    ];
    for shape in &shapes {
        check(&format!("shape_{}", shape.kind()), shape);
        let json = serde_json::to_value(shape).unwrap();
        assert_eq!(json["kind"], shape.kind());
    }
    assert_eq!(<Shape>::from_json(json!({ "kind": "spiral" })), None);
    check("risk_money", &Risk::Money(250.0));
}

/// Later additions, and positions with prices alone.
#[test]
fn shapes_with_what_was_added() {
    let (from, to) = (at(AT, 1.1), at(LATER, 1.12345));
    let filled: Shape = Shape::Rectangle {
        from: from.clone(),
        to,
        fill: Some(Fill::Strong),
    };
    check("shape_rectangle_filled", &filled);
    let flag: Shape = Shape::Marker {
        at: from,
        text: "NFP".to_owned(),
        icon: String::new(),
        form: Some(MarkerKind::Flag),
        size: Some(MarkerSize::Large),
    };
    check("shape_marker_flag", &flag);
    let bare: Shape = Shape::Position {
        side: Side::Short,
        start: AT.to_owned(),
        entry: 1.1,
        stop: 1.105,
        target: 1.09,
        account: None,
        risk: None,
        leverage: None,
        lot: 100_000.0,
        lot_step: 0.01,
    };
    check("shape_position_bare", &bare);
}

fn content() -> Content {
    Content {
        shape: position(),
        style: Style {
            colour: Colour::Amber,
            line: Line::Dashed,
            width: 2,
        },
        label: "June low".to_owned(),
        note: "three touches".to_owned(),
        tags: vec!["support".to_owned()],
        importance: Importance::High,
        visible_on: vec![Timeframe::H1, Timeframe::MN],
        locked: true,
        hidden: false,
    }
}

pub(super) fn drawing() -> Drawing {
    Drawing {
        id: "call_01".to_owned(),
        owner: "everyone".to_owned(),
        symbol: Symbol::EurUsd,
        content: content(),
        reason: "Two lows of June.".to_owned(),
        actor: Actor::Model,
        person: None,
        call: Some("call_01".to_owned()),
        conversation: Some("cnv_01HF7YAT00000000000000000A".to_owned()),
        message: Some("msg_01".to_owned()),
        group: Some("trn_01".to_owned()),
        candles: vec![AT.to_owned()],
        created_at: AT.to_owned(),
        known_at: None,
        life: Some(Life {
            state: State::Closed,
            since: LATER.to_owned(),
            opened: Some(Mark {
                time: AT.to_owned(),
                price: Points(110_000),
            }),
            closed: Some(Mark {
                time: LATER.to_owned(),
                price: Points(111_000),
            }),
            cause: Some(Cause::Tp),
            planned: None,
        }),
        version: 3,
        removed: false,
        changes: vec![Change {
            time: LATER.to_owned(),
            actor: Actor::User,
            person: None,
            reason: "dragged".to_owned(),
            changes: vec![FieldChange {
                field: "shape.entry".to_owned(),
                from: json!(1.099),
                to: json!(1.1),
            }],
            call: None,
            group: None,
            conversation: None,
            message: None,
        }],
        dropped: 1,
    }
}

#[test]
fn a_drawing() {
    check("drawing", &drawing());
    let known = Drawing {
        known_at: Some(LATER.to_owned()),
        ..drawing()
    };
    check("drawing_known", &known);
    check("content", &content());
    let change = Change {
        time: LATER.to_owned(),
        actor: Actor::User,
        person: Some("ada".to_owned()),
        reason: "hidden by hand".to_owned(),
        changes: Vec::new(),
        call: Some("call_02".to_owned()),
        group: None,
        conversation: None,
        message: None,
    };
    check("change_of_a_person", &change);
}

/// A record of an earlier release, whose row lacks fields that were added since.
#[test]
fn what_a_row_may_lack() {
    let row = json!({
        "id": "call_01", "owner": "everyone", "symbol": "USDJPY", "reason": "A high.",
        "content": { "shape": { "kind": "fibonacci", "levels": [0.5],
            "from": { "time": AT, "price": 111.1 }, "to": { "time": LATER, "price": 112.1 } } },
        "actor": "user", "created_at": AT, "version": 1,
    });
    let drawing: Drawing = serde_json::from_value(row).unwrap();
    let Drawing { content, life, .. } = drawing;
    assert_eq!((content.style, life), (Style::default(), None));
    assert!(content.visible_on.is_empty() && !content.locked);
    let unknown = json!({ "shape": { "kind": "horizontal_line", "price": 1.1 }, "size": 3 });
    assert!(serde_json::from_value::<Content>(unknown).is_err());
}

/// Each word is its variant in both readers, and in the tables of this crate.
#[test]
fn words() {
    fn words<T>(all: &[T], name: fn(T) -> &'static str, named: fn(&str) -> Option<T>) -> Value
    where
        T: Copy + PartialEq + std::fmt::Debug + serde::Serialize + FromJson,
    {
        for &one in all {
            assert_eq!(serde_json::to_value(one).unwrap(), name(one));
            assert_eq!(named(name(one)), Some(one));
            assert_eq!(T::from_json(name(one).into()), Some(one));
        }
        assert_eq!((named("other"), T::from_json(json!(1))), (None, None));
        json!(all)
    }
    macro_rules! of {
        ($($name:ident),*) => {
            json!({ $(stringify!($name): words(&$name::ALL, $name::name, $name::named)),* })
        };
    }
    let mut all = of!(
        Timeframe,
        Side,
        Extent,
        State,
        Cause,
        Actor,
        Importance,
        Line,
        Colour,
        Fill,
        MarkerKind,
        MarkerSize,
        Crossing,
        Indicator,
        DrawingLevel,
        AlertState,
        LevelSide,
        InstrumentKind
    );
    all["Symbol"] = words(&Symbol::all(), Symbol::name, Symbol::named);
    insta::with_settings!({
        prepend_module_to_snapshot => false,
        omit_expression => true,
        snapshot_path => "snapshots",
    }, {
        insta::assert_json_snapshot!("words", all);
    });
}
