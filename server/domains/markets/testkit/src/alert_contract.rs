//! The contract of every store of alerts.

use std::sync::Arc;

use markets::{
    Symbol, Time, TrailBody, TrailPlace, TrailRow,
    alert::{Alert, AlertState, AlertStore, AlertSubject, Crossing, Firing, LevelSide},
    drawing::{Actor, EVERYONE},
};

/// An alert that waits since 1970.
pub fn alert(id: &str) -> Alert {
    Alert {
        id: id.to_owned(),
        symbol: Symbol::EurUsd,
        subject: AlertSubject::Price { level: 1.125 },
        crossing: Crossing::Up,
        note: "é 'quoted' \"twice\"".to_owned(),
        repeats: false,
        actor: Actor::Model,
        person: None,
        call: id.to_owned(),
        conversation: None,
        created_at: Time(1),
        version: 1,
        state: AlertState::Waiting,
        since: Time(1),
        side: Some(LevelSide::Below),
        drawing_version: None,
        fired: 0,
        last: None,
        withdrawn_by: None,
    }
}

/// A row of the trail for an alert as it is.
pub fn told(alert: &Alert, reason: &str) -> TrailRow {
    TrailRow {
        place: TrailPlace {
            time: alert.since,
            drawing: alert.id.clone(),
            version: alert.version,
            owner: EVERYONE.to_owned(),
        },
        symbol: alert.symbol.name().to_owned(),
        kind: "alert".to_owned(),
        actor: alert.actor,
        body: TrailBody {
            reason: reason.to_owned(),
            ..TrailBody::default()
        },
    }
}

/// The alert after it has fired.
pub fn fired(alert: &Alert, at: Time) -> Alert {
    Alert {
        version: alert.version + 1,
        state: AlertState::Fired,
        since: at,
        side: Some(LevelSide::Above),
        fired: 1,
        last: Some(Firing {
            time: at,
            value: 1.12501,
            level: 1.125,
            way: Crossing::Up,
            after_gap: false,
        }),
        ..alert.clone()
    }
}

/// The whole contract, on a store without alerts.
pub async fn run(store: Arc<dyn AlertStore>) {
    let (one, two) = (alert("b"), alert("a"));
    assert_eq!(store.get("b").await.unwrap(), None);
    for alert in [&one, &two] {
        assert_eq!(
            store.insert(alert, &told(alert, "set")).await.unwrap(),
            *alert
        );
    }
    // Inserting again changes nothing, whatever it would insert.
    let other = Alert {
        note: "another".to_owned(),
        ..one.clone()
    };
    assert_eq!(
        store.insert(&other, &told(&other, "set")).await.unwrap(),
        one
    );
    assert_eq!(store.get("b").await.unwrap(), Some(one.clone()));

    // The same write again is the same write; another one from the same version is refused.
    let next = fired(&one, Time(100));
    assert!(store.replace(&next, None).await.unwrap());
    assert!(store.replace(&next, None).await.unwrap());
    assert!(!store.replace(&fired(&one, Time(101)), None).await.unwrap());
    assert!(
        !store
            .replace(&fired(&alert("missing"), Time(1)), None)
            .await
            .unwrap()
    );
    assert_eq!(store.get("b").await.unwrap(), Some(next.clone()));

    // What waits is listed always, what is over for a while.
    let list = async |since| store.list(Time(since)).await.unwrap();
    assert_eq!(list(100).await, [two.clone(), next]);
    assert_eq!(list(101).await, std::slice::from_ref(&two));
    one_of_many(store, &two).await;
}

/// Of many who change the same version, one does.
async fn one_of_many(store: Arc<dyn AlertStore>, before: &Alert) {
    let tasks: Vec<_> = (0..8)
        .map(|index| {
            let (store, next) = (Arc::clone(&store), fired(before, Time(index)));
            tokio::spawn(async move { store.replace(&next, None).await.unwrap() })
        })
        .collect();
    let mut won = 0;
    for task in tasks {
        won += usize::from(task.await.unwrap());
    }
    assert_eq!(won, 1);
}
