//! Diagnostics that are asked for: once for each call, until their time is over.

use field_tables::{CollectionPhase, CollectionRow, FieldTablesError, NewCollection};

use crate::home::{ANN, Home, T};

const UNTIL: i64 = T + 1_000;
const DEADLINE: i64 = T + 5_000;

fn new(call: &str) -> NewCollection {
    NewCollection {
        call: call.to_owned(),
        device: "dev".to_owned(),
        request: format!("request of {call}"),
        by: ANN.to_owned(),
        until_ms: UNTIL,
        deadline_ms: DEADLINE,
    }
}

async fn ask(home: &Home, call: &str) -> CollectionRow {
    home.tables.ask_collection(&new(call), T).await.unwrap()
}

async fn state(home: &Home, call: &str) -> (CollectionPhase, u64) {
    let row = home.tables.collection(call).await.unwrap().unwrap();
    (row.state, row.revision)
}

#[tokio::test]
async fn a_collection_is_taken_again_until_its_bundle_is_complete() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let first = ask(&home, "one").await;
    assert_eq!(ask(&home, "one").await, first, "once for each call");
    ask(&home, "two").await;
    for _ in 0..2 {
        let taken = home
            .tables
            .take_collection("dev", T)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(taken.request, "request of one");
    }
    let home = home.reopened().await;
    assert_eq!(state(&home, "one").await, (CollectionPhase::Taken, 2));
    let complete = home
        .tables
        .complete_collection("dev", "request of one", "bun");
    assert!(complete.await.unwrap());
    let again = home
        .tables
        .complete_collection("dev", "request of one", "other");
    assert!(!again.await.unwrap());
    let row = home.tables.collection("one").await.unwrap().unwrap();
    assert_eq!((row.bundle.as_deref(), row.revision), (Some("bun"), 3));
    let next = home
        .tables
        .take_collection("dev", T)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(next.call, "two");
    assert_eq!(home.tables.collection("three").await.unwrap(), None);
}

#[tokio::test]
async fn time_ends_what_was_not_taken_and_what_sent_nothing() {
    let home = Home::open().await;
    home.adopted("dev").await;
    ask(&home, "taken").await;
    home.tables.take_collection("dev", T).await.unwrap();
    for call in ["late", "back"] {
        ask(&home, call).await;
    }
    home.tables.stop_collection("back").await.unwrap();
    home.tables.stop_collection("taken").await.unwrap();
    assert_eq!(
        state(&home, "back").await,
        (CollectionPhase::NotDelivered, 2)
    );
    assert_eq!(home.tables.end_due_collections(UNTIL).await.unwrap(), 1);
    assert_eq!(
        state(&home, "late").await,
        (CollectionPhase::NotDelivered, 2)
    );
    assert_eq!(state(&home, "taken").await, (CollectionPhase::Taken, 2));
    let none = home.tables.take_collection("dev", DEADLINE).await.unwrap();
    assert_eq!(none, None);
    assert_eq!(state(&home, "taken").await, (CollectionPhase::Failed, 3));
}

#[tokio::test]
async fn a_device_has_a_bounded_number_of_them() {
    let home = Home::open().await;
    home.adopted("dev").await;
    for number in 0..8 {
        ask(&home, &number.to_string()).await;
    }
    let refused = home.tables.ask_collection(&new("one more"), T).await;
    assert!(matches!(refused, Err(FieldTablesError::TooMany { .. })));
    let unknown = NewCollection {
        device: "nobody".to_owned(),
        ..new("x")
    };
    let refused = home.tables.ask_collection(&unknown, T).await;
    assert!(matches!(refused, Err(FieldTablesError::NotFound)));
}

#[tokio::test]
async fn the_first_site_of_a_conversation_stays() {
    let home = Home::open().await;
    home.site("depot").await;
    let site = async |first| home.tables.site_of_conversation("c", first).await.unwrap();
    assert_eq!(site(None).await, None);
    assert_eq!(site(Some("nowhere")).await, None);
    assert_eq!(site(Some("office")).await.as_deref(), Some("office"));
    assert_eq!(site(Some("depot")).await.as_deref(), Some("office"));
    assert_eq!(site(None).await.as_deref(), Some("office"));
}
