//! A viewer's feed of others' actions: names and outcomes.

use agent::ports::Happening;
use protocol::{FeedFilter, FeedKind, FeedPlace, Role, Timestamp, UserId};
use serde_json::json;
use store::Store;

const AT: Timestamp = Timestamp(1_700_000_000_000);

#[tokio::test]
async fn a_viewer_reads_no_sentences_of_cards_and_no_values_of_settings() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let ada = UserId::new(AT, 1);
    let entry = |key: &str, kind, line: &str, details| Happening {
        outcome: Some("approved by Bob".to_owned()),
        target: Some("VM 101 on node pve".to_owned()),
        owner: Some(ada),
        details,
        ..Happening::new(key, AT, kind, line)
    };
    let sentence = "Shut down VM 101 because of pomegranate.";
    let card = json!({ "tool": "stop_vm", "request": "persimmon", "decision": "kumquat" });
    store
        .append_feed(&[
            entry("ask/1", FeedKind::Confirmation, sentence, card.clone()),
            entry("grant/1", FeedKind::Grant, sentence, card),
            Happening {
                owner: None,
                ..entry(
                    "audit/1",
                    FeedKind::Configuration,
                    "Settings changed: model",
                    json!({ "before": "tamarind", "after": { "id": "medlar" } }),
                )
            },
        ])
        .await
        .unwrap();
    let all = FeedFilter::default();
    let rows = store.feed(Role::Admin, &all, FeedPlace::Newest, 10).await;
    let rows = rows.unwrap().rows;
    let (stranger, all) = (UserId::new(AT, 9), format!("{rows:?}"));
    let told = |user, role| {
        let entries = rows.iter().map(|row| row.seen_by(user, role));
        format!("{:?}", entries.collect::<Vec<_>>())
    };
    for word in ["pomegranate", "tamarind", "medlar", "persimmon", "kumquat"] {
        assert!(all.contains(word));
        assert!(!told(stranger, Role::Viewer).contains(word), "{word}");
        assert!(!told(stranger, Role::Unknown).contains(word), "{word}");
        assert!(told(stranger, Role::Operator).contains(word), "{word}");
    }
    assert!(told(stranger, Role::Viewer).contains("approved by Bob"));
    assert!(told(stranger, Role::Viewer).contains("line: \"stop_vm\""));
    // They know their own.
    assert!(told(ada, Role::Viewer).contains("pomegranate"));
    // A search reveals nothing that is not shown.
    for (query, viewer, operator) in [
        ("q=pomegranate", 0, 2),
        ("q=pomegr", 0, 2),
        ("q=tamarind", 0, 1),
        ("q=persimmon", 0, 0),
        ("q=stop_vm", 2, 2),
        ("q=approved", 3, 3),
        ("q=settings", 1, 1),
        ("q=101+approved", 3, 3),
        ("q=shut+approved", 0, 2),
        ("kind=confirmation&q=bob", 1, 1),
    ] {
        let filter = FeedFilter::from_query(query);
        for (reader, expect) in [(Role::Viewer, viewer), (Role::Operator, operator)] {
            let found = store.feed(reader, &filter, FeedPlace::Newest, 10).await;
            assert_eq!(found.unwrap().rows.len(), expect, "{query} {reader:?}");
        }
    }
}
