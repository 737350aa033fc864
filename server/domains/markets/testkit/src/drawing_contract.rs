//! The contract of every store of drawings.

use std::sync::Arc;

use markets::{
    Symbol, Time,
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
        group: None,
    };
    let next = update(drawing, &by, AT).expect("a sound change");
    next.expect("a change")
}

/// The whole contract, on a store without drawings.
pub async fn run(store: Arc<dyn DrawingStore>) {
    keeping(&*store).await;
    changing(&*store).await;
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
    assert_eq!(ids(store.list("ada", EUR, true).await.unwrap()), "ab");
    assert_eq!(
        ids(store.list("ada", Symbol::UsdJpy, false).await.unwrap()),
        "c"
    );
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
