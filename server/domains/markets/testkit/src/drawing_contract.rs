//! The contract of every store of drawings.

use std::sync::Arc;

use markets::{
    Symbol, Time, TrailFilter, TrailRow, TrailWay,
    drawing::{
        Actor, Content, Drawing, DrawingStore, NewDrawing, ReplaceError, Update, create, update,
    },
};
use serde_json::json;

const AT: Time = Time(1_499_169_600);
const EUR: Symbol = Symbol::EurUsd;

fn drawing(owner: &str, id: &str, symbol: Symbol) -> Drawing {
    let content: Content<Time> = serde_json::from_value(json!({
        "shape": { "kind": "horizontal_line", "price": 1.125 },
        "label": "é 'quoted' \"twice\"",
    }))
    .expect("content");
    let new = NewDrawing {
        id: id.to_owned(),
        owner: owner.to_owned(),
        symbol,
        content,
        reason: "because".to_owned(),
        actor: Actor::Model,
        person: None,
        call: None,
        conversation: None,
        message: None,
        group: Some("turn".to_owned()),
        candles: vec![AT],
    };
    create(new, AT).expect("a sound drawing")
}

fn labelled(drawing: &Drawing, label: &str) -> Drawing {
    let by = Update {
        patch: json!({ "label": label }),
        reason: "because".to_owned(),
        expected_version: drawing.version,
        actor: Actor::User,
        person: None,
        call: None,
        conversation: Some("cnv_1".to_owned()),
        message: Some("msg_1".to_owned()),
        group: None,
    };
    let next = update(drawing, &by, AT).expect("a sound change");
    next.expect("a change")
}

/// The whole contract, on a store without drawings.
pub async fn run(store: Arc<dyn DrawingStore>) {
    keeping(&*store).await;
    changing(&*store).await;
    telling(&*store).await;
    one_of_many(store).await;
}

async fn keeping(store: &dyn DrawingStore) {
    let (one, two) = (drawing("ada", "b", EUR), drawing("ada", "a", EUR));
    assert_eq!(store.get("ada", "b").await.unwrap(), None);
    for drawing in [
        &one,
        &two,
        &drawing("ada", "c", Symbol::UsdJpy),
        &drawing("eve", "b", EUR),
    ] {
        store.insert(drawing).await.unwrap();
    }
    // Inserting twice is fine; another drawing under the same name is refused.
    store.insert(&one).await.unwrap();
    let mut other = one.clone();
    other.reason = "another".to_owned();
    let refused = store.insert(&other).await;
    let Err(ReplaceError::Conflict(now)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(*now, one);
    assert_eq!(store.get("ada", "b").await.unwrap(), Some(one.clone()));
    assert_eq!(store.get("eve", "a").await.unwrap(), None);
    assert_eq!(store.list("ada", EUR, true).await.unwrap(), [two, one]);
    let all = store.of_all_owners(EUR).await.unwrap();
    let all: Vec<_> = all.iter().map(|it| (&it.owner[..], &it.id[..])).collect();
    assert_eq!(all, [("ada", "a"), ("ada", "b"), ("eve", "b")]);
}

async fn changing(store: &dyn DrawingStore) {
    let ids = |drawings: Vec<Drawing>| drawings.into_iter().map(|one| one.id).collect::<String>();
    let before = store.get("ada", "b").await.unwrap().expect("kept");
    let after = labelled(&before, "new");
    store.replace(std::slice::from_ref(&after)).await.unwrap();
    // The same write again is the same write.
    store.replace(std::slice::from_ref(&after)).await.unwrap();
    assert_eq!(store.get("ada", "b").await.unwrap(), Some(after.clone()));

    // A change of an older version is refused, with everything in the same write.
    let other = store.get("ada", "a").await.unwrap().expect("kept");
    let refused = store
        .replace(&[labelled(&other, "x"), labelled(&before, "late")])
        .await;
    let Err(ReplaceError::Conflict(now)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(*now, after);
    assert_eq!(store.get("ada", "a").await.unwrap(), Some(other.clone()));
    // A missing one cannot be replaced.
    let missing = labelled(&drawing("ada", "missing", EUR), "x");
    assert!(store.replace(&[missing]).await.is_err());

    let mut gone = labelled(&other, "gone");
    gone.removed = true;
    store.replace(&[gone]).await.unwrap();
    assert_eq!(ids(store.list("ada", EUR, false).await.unwrap()), "b");
    assert_eq!(ids(store.of_all_owners(EUR).await.unwrap()), "bb");
    assert_eq!(ids(store.list("ada", EUR, true).await.unwrap()), "ab");
    assert_eq!(
        ids(store.list("ada", Symbol::UsdJpy, false).await.unwrap()),
        "c"
    );
}

/// The trail has each change once, by owner, in the order of time, as far as a filter lets it through.
async fn telling(store: &dyn DrawingStore) {
    let before = drawing("ada", "told", EUR);
    store.insert(&before).await.unwrap();
    store.insert(&before).await.unwrap();
    let after = labelled(&before, "new");
    for _ in 0..2 {
        store.replace(std::slice::from_ref(&after)).await.unwrap();
    }
    let told = async |owners: &[&str], filter: &TrailFilter, way: TrailWay, most: usize| {
        let owners: Vec<String> = owners.iter().map(|&owner| owner.to_owned()).collect();
        store.trail(&owners, filter, &way, most).await.unwrap()
    };
    let versions = |rows: &[TrailRow]| {
        let versions = rows.iter().map(|row| row.place.version);
        versions.collect::<Vec<_>>()
    };
    let of_it = TrailFilter {
        drawing: Some("told".to_owned()),
        ..TrailFilter::default()
    };
    let oldest = || TrailWay::After(None);
    let rows = told(&["ada", "eve"], &of_it, oldest(), 9).await;
    assert_eq!(versions(&rows), [1, 2]);
    let (drawn, changed) = (&rows[0], &rows[1]);
    assert_eq!((drawn.actor, changed.actor), (Actor::Model, Actor::User));
    assert_eq!(
        (&drawn.symbol[..], &drawn.kind[..]),
        ("EURUSD", "horizontal_line")
    );
    assert_eq!(drawn.place.time, AT);
    assert_eq!(drawn.body.group.as_deref(), Some("turn"));
    assert_eq!(drawn.body.changes, []);
    assert_eq!(changed.body.changes, after.changes[0].changes);
    assert_eq!(changed.body.reason, "because");
    // Each change has its own message, not that of the drawing.
    let origin = |row: &TrailRow| (row.body.conversation.clone(), row.body.message.clone());
    assert_eq!(origin(drawn), (None, None));
    let expect = (Some("cnv_1".to_owned()), Some("msg_1".to_owned()));
    assert_eq!(origin(changed), expect);

    assert_eq!(told(&["eve"], &of_it, oldest(), 9).await, []);
    assert_eq!(told(&[], &of_it, oldest(), 9).await, []);
    let rest = TrailWay::After(Some(drawn.place.clone()));
    assert_eq!(versions(&told(&["ada"], &of_it, rest, 9).await), [2]);
    let newest =
        |before: Option<&TrailRow>| TrailWay::NewestFirst(before.map(|row| row.place.clone()));
    for (before, expect) in [
        (None, vec![2, 1]),
        (Some(changed), vec![1]),
        (Some(drawn), vec![]),
    ] {
        let rows = told(&["ada"], &of_it, newest(before), 9).await;
        assert_eq!(versions(&rows), expect);
    }
    assert_eq!(versions(&told(&["ada"], &of_it, oldest(), 1).await), [1]);
    let (from, until) = (Some(AT), Some(AT.plus(1)));
    for (filter, expect) in [
        (
            TrailFilter {
                actor: Some(Actor::User),
                ..of_it.clone()
            },
            vec![2],
        ),
        (
            TrailFilter {
                from,
                until,
                ..of_it.clone()
            },
            vec![1, 2],
        ),
        (
            TrailFilter {
                until: from,
                ..of_it.clone()
            },
            vec![],
        ),
        (
            TrailFilter {
                from: until,
                ..of_it.clone()
            },
            vec![],
        ),
        (
            TrailFilter {
                symbol: Some(Symbol::UsdJpy),
                ..of_it.clone()
            },
            vec![],
        ),
        (
            TrailFilter {
                symbol: Some(EUR),
                ..of_it.clone()
            },
            vec![1, 2],
        ),
        (
            TrailFilter {
                kind: Some("marker".to_owned()),
                ..of_it.clone()
            },
            vec![],
        ),
        (
            TrailFilter {
                kind: Some("horizontal_line".to_owned()),
                ..of_it.clone()
            },
            vec![1, 2],
        ),
    ] {
        let rows = told(&["ada"], &filter, oldest(), 9).await;
        assert_eq!(versions(&rows), expect, "{filter:?}");
    }
}

/// Of many who change the same version, one does.
async fn one_of_many(store: Arc<dyn DrawingStore>) {
    let before = drawing("ada", "raced", EUR);
    store.insert(&before).await.unwrap();
    let tasks: Vec<_> = (0..8)
        .map(|index| {
            let (store, next) = (Arc::clone(&store), labelled(&before, &format!("w{index}")));
            tokio::spawn(async move { store.replace(&[next]).await.is_ok() })
        })
        .collect();
    let mut won = 0;
    for task in tasks {
        won += usize::from(task.await.unwrap());
    }
    assert_eq!(won, 1);
    let now = store.get("ada", "raced").await.unwrap().expect("kept");
    assert_eq!(now.version, 2);
}
