//! Snapshots of feed entries and pages of them.

use serde_json::{Value, json};

use super::{AT, call, check, conversation};
use crate::{FeedEntry, FeedId, FeedKind, FeedPage, FeedPlace, FeedTone, Tier};

pub(super) fn entry() -> FeedEntry {
    FeedEntry {
        id: FeedId::first_at(AT),
        rev: 12,
        at: AT,
        kind: FeedKind::Call,
        tone: FeedTone::Good,
        line: "execute_ssh".to_owned(),
        outcome: Some("done".to_owned()),
        tier: Some(Tier::Red),
        target: Some("node pve".to_owned()),
        person: Some("Ada".to_owned()),
        source: Some("homelab".to_owned()),
        conversation: Some(conversation()),
        call: Some(call()),
        subject: Some("node/pve".to_owned()),
        ended: Some(AT),
        details: json!({ "grant": "grt_1" }),
    }
}

#[test]
fn page() {
    let bare = FeedEntry {
        kind: FeedKind::Server,
        tone: FeedTone::Plain,
        line: "Jarvis started".to_owned(),
        outcome: None,
        tier: None,
        target: None,
        person: None,
        source: None,
        conversation: None,
        call: None,
        subject: None,
        ended: None,
        details: Value::Null,
        ..entry()
    };
    let page = FeedPage {
        entries: vec![entry(), bare],
        older: true,
        newer: false,
        rev: 12,
        days: 90,
        now: AT,
    };
    check("feed_page", &page);
}

#[test]
fn place() {
    let id = FeedId::first_at(AT);
    let places = [
        FeedPlace::Newest,
        FeedPlace::Before { id },
        FeedPlace::After { id },
        FeedPlace::Around { id },
    ];
    insta::with_settings!({
        prepend_module_to_snapshot => false,
        omit_expression => true,
        snapshot_path => "snapshots",
    }, {
        insta::assert_json_snapshot!("feed_places", &places);
    });
}

/// The words in addresses and in the database are those on the wire.
#[test]
fn words() {
    for kind in FeedKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        assert_eq!(FeedKind::from_word(kind.word()), kind);
    }
    for tone in [
        FeedTone::Plain,
        FeedTone::Running,
        FeedTone::Waiting,
        FeedTone::Good,
        FeedTone::Warning,
        FeedTone::Bad,
        FeedTone::Unknown,
    ] {
        assert_eq!(serde_json::to_value(tone).unwrap(), tone.word());
        assert_eq!(FeedTone::from_word(tone.word()), tone);
    }
    let newer: FeedKind = serde_json::from_value(json!("earthquake")).unwrap();
    assert_eq!(newer, FeedKind::Unknown);
}
