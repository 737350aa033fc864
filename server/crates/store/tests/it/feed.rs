//! The feed: folding into it, reading and searching it, and pruning.

use agent::ports::Happening;
use protocol::{FeedFilter, FeedId, FeedKind, FeedPlace, FeedTone, Role, Timestamp, UserId};
use serde_json::json;
use store::{AuditFact, FeedRow, Store, SystemEvent};
use tempfile::TempDir;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn at(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

fn ada() -> UserId {
    UserId::new(AT, 1)
}

async fn open() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store.first_user(ada(), "Ada", AT).await.unwrap();
    (folder, store)
}

fn task(n: i64, line: &str) -> Happening {
    Happening::new(format!("task/{n}"), at(n), FeedKind::Task, line)
}

async fn page(store: &Store, query: &str, place: FeedPlace, limit: usize) -> Vec<FeedRow> {
    let filter = FeedFilter::from_query(query);
    store
        .feed(Role::Admin, &filter, place, limit)
        .await
        .unwrap()
        .rows
}

async fn lines(store: &Store, query: &str) -> Vec<String> {
    let page = page(store, query, FeedPlace::Newest, 100).await;
    page.into_iter().map(|row| row.entry.line).collect()
}

/// The only words that these tests need.
fn word(fact: &AuditFact<'_>) -> Option<Happening> {
    let key = format!("audit/{}", fact.seq);
    Some(Happening::new(key, fact.at, FeedKind::Server, fact.kind))
}

async fn fold(store: &Store) -> usize {
    let mut count = 0;
    loop {
        match store.fold_feed(Timestamp(0), 3, word).await.unwrap() {
            0 => return count,
            some => count += some,
        }
    }
}

/// A database from before the feed has a chain and no feed: the same as one that was never folded.
#[tokio::test]
async fn an_older_chain_comes_in_by_portions_whoever_folds() {
    let (_folder, store) = open().await;
    for n in 0..50 {
        let version = format!("1.{n}");
        let started = SystemEvent::Started { version };
        store.record(at(n), &started).await.unwrap();
    }
    let (one, other) = tokio::join!(fold(&store), fold(&store));
    assert!(one + other >= 50);
    assert_eq!(lines(&store, "").await.len(), 50);
    // Happenings older than the retention period do not come in, and are not read again.
    store
        .record(
            at(1),
            &SystemEvent::Started {
                version: "0".to_owned(),
            },
        )
        .await
        .unwrap();
    assert_eq!(store.fold_feed(at(2), 10, word).await.unwrap(), 1);
    assert_eq!(store.fold_feed(at(0), 10, word).await.unwrap(), 0);
    assert_eq!(lines(&store, "").await.len(), 50);
}

#[tokio::test]
async fn what_is_told_again_is_told_once_and_an_end_stays() {
    let (_folder, store) = open().await;
    let running = Happening {
        tone: FeedTone::Running,
        target: Some("VM 101".to_owned()),
        details: json!({ "upid": "U" }),
        ..task(1, "Backup")
    };
    let ended = Happening {
        tone: FeedTone::Bad,
        outcome: Some("no space left".to_owned()),
        ended: Some(at(60)),
        target: None,
        details: json!({ "code": 5 }),
        ..running.clone()
    };
    for told in [&running, &running, &ended, &running, &ended] {
        store.append_feed(std::slice::from_ref(told)).await.unwrap();
    }
    let rows = page(&store, "q=space&target=vm", FeedPlace::Newest, 10).await;
    assert_eq!(rows.len(), 1);
    let entry = &rows[0].entry;
    assert_eq!((entry.at, entry.ended), (at(1), Some(at(60))));
    assert_eq!(entry.details, json!({ "upid": "U", "code": 5 }));
    // One new entry, one changed.
    assert_eq!(store.feed_rev().await.unwrap(), 2);
    assert_eq!(store.feed_after(1, 10).await.unwrap(), rows);
    assert_eq!(store.feed_entry(entry.id).await.unwrap(), rows[0]);
    assert_eq!(lines(&store, "q=running").await.len(), 0);
}

/// However many come meanwhile, a reader who pages backwards sees all the entries that were there,
/// once.
#[tokio::test]
async fn pages_neither_lose_nor_repeat() {
    let (_folder, store) = open().await;
    // Several of one millisecond, in no order.
    for n in (0..40).rev() {
        let happening = Happening {
            at: at(n / 4),
            ..task(n, &format!("old {n}"))
        };
        store.append_feed(&[happening]).await.unwrap();
    }
    for query in ["", "kind=task"] {
        let mut place = FeedPlace::Newest;
        let mut seen = Vec::new();
        let mut late = 0;
        loop {
            let rows = page(&store, query, place, 7).await;
            let Some(last) = rows.last() else { break };
            place = FeedPlace::Before { id: last.entry.id };
            seen.extend(rows.iter().map(|row| row.entry.clone()));
            late += 1;
            let happening = Happening {
                at: at(100 + late),
                ..task(1000 * late, "late")
            };
            store
                .append_feed(&[happening.clone(), happening])
                .await
                .unwrap();
        }
        let old = seen.iter().filter(|entry| entry.line.starts_with("old"));
        assert_eq!(old.count(), 40, "{query}");
        assert!(seen.windows(2).all(|pair| pair[0].id > pair[1].id));
        // And back again.
        let oldest = seen.last().unwrap().id;
        let up = page(&store, query, FeedPlace::After { id: oldest }, 39).await;
        assert_eq!(up.last().unwrap().entry.id, seen[seen.len() - 2].id);
        let filter = FeedFilter::from_query(query);
        let around = FeedPlace::Around { id: seen[20].id };
        let around = store.feed(Role::Admin, &filter, around, 10).await.unwrap();
        assert!(around.older && around.newer);
        assert_eq!(around.rows.len(), 10);
        assert_eq!(around.rows[5].entry, seen[20]);
    }
}

#[tokio::test]
async fn what_is_old_is_forgotten_and_the_chain_stays() {
    let (folder, store) = open().await;
    for n in 0..6 {
        let version = format!("1.{n}");
        let started = SystemEvent::Started { version };
        store.record(at(n), &started).await.unwrap();
    }
    fold(&store).await;
    let many: Vec<_> = (100..700).map(|n| task(n, "backup")).collect();
    store.append_feed(&many).await.unwrap();
    let mut portions = 0;
    while store.prune_feed(at(650)).await.unwrap() {
        portions += 1;
    }
    assert!(portions > 2, "{portions}");
    assert_eq!(lines(&store, "").await.len(), 50);
    // Around one that is gone there is nothing to show: the newest are shown.
    let newest = page(&store, "", FeedPlace::Newest, 10).await;
    let id = FeedId::from_number(1).unwrap();
    assert_eq!(page(&store, "", FeedPlace::Around { id }, 10).await, newest);
    assert_eq!(lines(&store, "q=backup").await.len(), 50);
    assert_eq!(lines(&store, "kind=server").await.len(), 0);
    // The newest change is kept: numbers never start anew.
    while store.prune_feed(at(10_000)).await.unwrap() {}
    let rev = store.feed_rev().await.unwrap();
    store.append_feed(&[task(10_000, "new")]).await.unwrap();
    assert_eq!(store.feed_rev().await.unwrap(), rev + 1);
    let mut audit = store::AuditReader::open(folder.path()).await.unwrap();
    let verified = audit.verify(None).await.unwrap();
    assert!(
        matches!(verified, store::Verified::Sound { rows: 6, .. }),
        "{verified:?}"
    );
}
