//! Reading the feed.

use serde_json::Value;

use super::FromJson;
use crate::{FeedEntry, FeedId, FeedKind, FeedPage, FeedTone, struct_from_json};

struct_from_json!(FeedEntry {
    id,
    rev,
    at,
    kind,
    tone,
    line,
    outcome,
    tier,
    target,
    person,
    source,
    conversation,
    call,
    subject,
    ended,
    details,
});
struct_from_json!(FeedPage {
    entries,
    older,
    newer,
    rev,
    days,
    now
});

impl FromJson for FeedId {
    fn from_json(json: Value) -> Option<Self> {
        json.as_str()?.parse().ok()
    }
}

impl FromJson for FeedKind {
    fn from_json(json: Value) -> Option<Self> {
        json.as_str().map(Self::from_word)
    }
}

impl FromJson for FeedTone {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::Null => Some(Self::default()),
            json => json.as_str().map(Self::from_word),
        }
    }
}
