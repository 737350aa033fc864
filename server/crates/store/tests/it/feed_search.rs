//! Searches of the feed with whatever a person may type.

use agent::ports::Happening;
use protocol::{FeedFilter, FeedKind, FeedPlace, Role, Timestamp};
use serde_json::json;
use store::Store;

const AT: Timestamp = Timestamp(1_700_000_000_000);

#[tokio::test]
async fn no_search_is_a_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store
        .append_feed(&[Happening::new(
            "task/1",
            AT,
            FeedKind::Task,
            "Ünïcode AND \"quoted\" NEAR(x) née-2",
        )])
        .await
        .unwrap();
    for (text, found) in [
        ("unicode", 1),
        ("and", 1),
        ("AND", 1),
        ("\"quoted\"", 1),
        ("quoted\" OR \"x", 0),
        ("NEAR(x)", 1),
        ("line:x", 0),
        ("{line} : x", 0),
        ("marks:ktask", 0),
        ("ktask", 0),
        ("x*", 1),
        ("^x", 1),
        ("nee-2", 1),
        ("' OR 1=1 --", 0),
        ("\u{0}", 0),
        ("\"", 0),
        ("a\u{0}b", 0),
        ("\u{301}\u{903}", 0),
        ("\u{1e900}\u{10d00}𞤀", 0),
        ("😀", 0),
        ("%_", 0),
    ] {
        let filter = FeedFilter {
            text: text.to_owned(),
            ..FeedFilter::default()
        };
        // A viewer finds the same in what everybody sees.
        for reader in [Role::Viewer, Role::Admin] {
            let page = store.feed(reader, &filter, FeedPlace::Newest, 10).await;
            assert_eq!(page.unwrap().rows.len(), found, "{reader:?} {text:?}");
        }
    }
    let long = FeedFilter {
        text: "unicode ".repeat(5000) + &"x".repeat(100_000),
        ..FeedFilter::default()
    };
    assert_eq!(
        store
            .feed(Role::Viewer, &long, FeedPlace::Newest, 10)
            .await
            .unwrap()
            .rows
            .len(),
        1
    );
}

#[tokio::test]
async fn a_target_in_quotes_is_the_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let targets = [
        "Customer Kestrel Cycles",
        "Customer Kestrel Cycles GmbH",
        "Supplier Kestrel Cycles",
        "Sales Invoice ACC-SINV-2026-00004",
        "Sales Invoice ACC-SINV-2026-00004-1",
        "Item A & \"B\"",
        "Customer Cafe\u{301}",
    ];
    for (n, target) in (0..).zip(targets) {
        let happening = Happening {
            target: Some(target.to_owned()),
            ..Happening::new(
                format!("call/{n}"),
                Timestamp(AT.0 + n),
                FeedKind::Call,
                "x",
            )
        };
        store.append_feed(&[happening]).await.unwrap();
    }
    let found = async |target: String| {
        let filter = FeedFilter {
            kinds: vec![FeedKind::Call],
            target,
            ..FeedFilter::default()
        };
        // As many as there may be: the limit counts the right ones.
        let page = store.feed(Role::Viewer, &filter, FeedPlace::Newest, 1);
        let rows = page.await.unwrap().rows;
        let targets = rows.into_iter().map(|row| row.entry.target.unwrap());
        targets.collect::<Vec<_>>()
    };
    for target in targets {
        assert_eq!(found(FeedFilter::whole_target(target)).await, [target]);
    }
    for none in [
        "Kestrel Cycles",
        "Customer Kestrel",
        "!",
        "\u{0}",
        "x\" OR \"Customer",
    ] {
        let rows = found(FeedFilter::whole_target(none)).await;
        assert!(rows.is_empty(), "{none:?}: {rows:?}");
    }
    let rows = found("kestrel cycles".to_owned()).await;
    assert_eq!(rows, ["Supplier Kestrel Cycles"]);
    // The call that made a thing has another target.
    let made = Happening {
        target: Some("new Customer".to_owned()),
        details: json!({ "made": "Customer Kestrel Cycles" }),
        ..Happening::new("call/made", Timestamp(AT.0 + 50), FeedKind::Call, "x")
    };
    store.append_feed(&[made]).await.unwrap();
    let whole = FeedFilter::whole_target("Customer Kestrel Cycles");
    assert_eq!(found(whole).await, ["new Customer"]);
    let other = FeedFilter::whole_target("Customer Kestrel Cycles GmbH");
    assert_eq!(found(other).await, ["Customer Kestrel Cycles GmbH"]);
}
