//! The contract of every store of records.

use std::sync::Arc;

use markets::{RecordKind, RecordRow, RecordStore, Time, Upserted};

fn row(id: &str, about: &str, time: i64, body: &str) -> RecordRow {
    RecordRow {
        id: id.to_owned(),
        about: about.to_owned(),
        time: Time(time),
        body: body.to_owned(),
    }
}

/// The whole contract, on a store without records.
pub async fn run(store: Arc<dyn RecordStore>) {
    let kind = RecordKind::Event;
    let rows = [
        row("b", "USD", 20, "{\"text\":\"é 'quoted'\"}"),
        row("a", "USD", 20, "{}"),
        row("c", "EUR", 10, "{}"),
        row("d", "USD", 30, "{}"),
    ];
    let counts = |written, unchanged| Upserted { written, unchanged };
    assert_eq!(store.put(kind, &rows).await.unwrap(), counts(4, 0));
    assert_eq!(store.put(kind, &rows).await.unwrap(), counts(0, 4));
    let moved = row("d", "USD", 31, "{}");
    let done = store.put(kind, &[moved.clone(), rows[0].clone()]).await;
    assert_eq!(done.unwrap(), counts(1, 1));
    let trade = row("a", "EURUSD", 5, "{}");
    store.put(RecordKind::Trade, &[trade]).await.unwrap();

    let ids = |rows: Vec<RecordRow>| rows.into_iter().map(|row| row.id).collect::<String>();
    let between = |about, from, until, most| {
        let store = Arc::clone(&store);
        async move {
            let rows = store.between(kind, about, Time(from), Time(until), most);
            ids(rows.await.unwrap())
        }
    };
    assert_eq!(between(None, 0, 99, 9).await, "cabd");
    assert_eq!(between(None, 10, 31, 9).await, "cab");
    assert_eq!(between(None, 0, 99, 2).await, "ca");
    assert_eq!(between(Some("USD"), 0, 99, 9).await, "abd");
    assert_eq!(between(Some("nothing"), 0, 99, 9).await, "");
    let newest = |about, until, count| {
        let store = Arc::clone(&store);
        async move {
            let rows = store.newest(kind, about, Time(until), count).await;
            ids(rows.unwrap())
        }
    };
    assert_eq!(newest(None, 31, 2).await, "bd");
    assert_eq!(newest(None, 30, 9).await, "cab");
    assert_eq!(newest(Some("EUR"), 99, 9).await, "c");
    assert_eq!(newest(None, 99, 0).await, "");
    // They come back unchanged.
    let whole = store.newest(kind, None, Time(99), 9).await.unwrap();
    assert_eq!(whole[2], rows[0]);
    assert_eq!(whole[3], moved);
    samples_apart(&*store).await;
}

/// Samples are there until a real row of their kind is, and can be deleted.
async fn samples_apart(store: &dyn RecordStore) {
    let ids = async |kind, about| {
        let newest = store.newest(kind, about, Time(99), 9).await.unwrap();
        let all = store
            .between(kind, about, Time(0), Time(99), 9)
            .await
            .unwrap();
        assert_eq!(newest, all);
        all.into_iter().map(|row| row.id).collect::<String>()
    };
    let made_up = |id: &str, about: &str| row(id, about, 7, "{\"synthetic\":true}");
    let samples = [made_up("x", "EUR"), made_up("y", "USD")];
    let kind = RecordKind::Headline;
    store.put(kind, &samples).await.unwrap();
    assert_eq!(ids(kind, None).await, "xy");
    let real = row("r", "EUR", 8, "{\"synthetic\":false}");
    store.put(kind, &[real]).await.unwrap();
    assert_eq!(ids(kind, None).await, "r");
    // Also where there is nothing real about the same.
    assert_eq!(ids(kind, Some("USD")).await, "");
    // One kind says nothing about another.
    store.put(RecordKind::Report, &samples).await.unwrap();
    assert_eq!(ids(RecordKind::Report, None).await, "xy");
    assert_eq!(store.forget_samples().await.unwrap(), 4);
    assert_eq!(store.forget_samples().await.unwrap(), 0);
    assert_eq!(ids(RecordKind::Report, None).await, "");
    assert_eq!(ids(kind, None).await, "r");
}
