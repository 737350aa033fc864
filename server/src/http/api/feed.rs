//! The feed for programs, in pages. The cursors lead to older entries, and to those that came since.

use std::borrow::Cow;

use axum::{Extension, Json, extract::State, http::StatusCode};
use protocol::{FeedEntry, FeedFilter, FeedId, FeedKind, FeedPlace, Tier, Timestamp, UserId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sign_in::SignedIn;

use super::{
    body::ApiQuery,
    conversations::{no_cursor, page_size},
    refusal::RequestRefusal,
};
use crate::{
    cursor::{cursor, place},
    http::{Http, auth::current_user},
    texts,
};

/// The names of the two directions in cursors.
const OLDER: &str = "feed";
const NEWER: &str = "feed, newer";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedQuery {
    cursor: Option<String>,
    limit: Option<usize>,
    /// Kinds, separated by commas.
    kind: Option<String>,
    /// Tiers, separated by commas.
    tier: Option<String>,
    target: Option<String>,
    person: Option<String>,
    q: Option<String>,
    from: Option<i64>,
    to: Option<i64>,
}

/// A page of the feed, newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Feed")]
pub(super) struct FeedSlice {
    entries: Vec<ShownEntry>,
    /// The cursor of older entries; none if there are none.
    next: Option<String>,
    /// The cursor of entries that came after this page, for the next time. None if it is not known yet.
    newer: Option<String>,
}

/// One entry of the feed, as the pages read it.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct ShownEntry(FeedEntry);

impl JsonSchema for ShownEntry {
    fn schema_name() -> Cow<'static, str> {
        "FeedEntry".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": texts::api::FEED_ENTRY,
            "required": ["id", "rev", "at", "kind", "tone", "line"],
            "properties": {
                "id": { "type": "string" },
                "rev": { "type": "integer", "minimum": 0 },
                "at": { "type": "integer" },
                "kind": { "type": "string" },
                "tone": { "type": "string" },
                "line": { "type": "string" }
            }
        })
    }
}

/// Returns a page of the feed, as this sign-in sees it.
pub(super) async fn list(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    ApiQuery(query): ApiQuery<FeedQuery>,
) -> Result<Json<FeedSlice>, RequestRefusal> {
    let user = current_user(&signed_in);
    let limit = page_size(query.limit)?;
    let at = match &query.cursor {
        None => FeedPlace::Newest,
        Some(cursor) => place_of(user.id, cursor).ok_or_else(no_cursor)?,
    };
    let filter = query.filter()?;
    let page = http.backend.feed(&user, &filter, at, limit).await?;
    let cursor_at = |list: &str, entry: &FeedEntry| cursor(list, user.id, entry.id.number());
    let next = page.entries.last().filter(|_| page.older);
    let next = next.map(|entry| cursor_at(OLDER, entry));
    let newer = page.entries.first();
    let newer = newer.map(|entry| cursor_at(NEWER, entry));
    // Nothing has come: the same question is asked again.
    let same = query
        .cursor
        .filter(|_| matches!(at, FeedPlace::After { .. }));
    Ok(Json(FeedSlice {
        entries: page.entries.into_iter().map(ShownEntry).collect(),
        next,
        newer: newer.or(same),
    }))
}

/// The place that a cursor of either direction names.
fn place_of(user: UserId, cursor: &str) -> Option<FeedPlace> {
    let entry = |list: &str| FeedId::from_number(place(list, user, cursor)?);
    match entry(OLDER) {
        Some(id) => Some(FeedPlace::Before { id }),
        None => entry(NEWER).map(|id| FeedPlace::After { id }),
    }
}

impl FeedQuery {
    /// The filter of a query. A word that is none is an error: it would match everything.
    fn filter(&self) -> Result<FeedFilter, RequestRefusal> {
        let kinds = words(self.kind.as_deref()).map(kind);
        let tiers = words(self.tier.as_deref()).map(tier);
        Ok(FeedFilter {
            kinds: kinds.collect::<Result<_, _>>()?,
            tiers: tiers.collect::<Result<_, _>>()?,
            target: self.target.clone().unwrap_or_default(),
            person: self.person.clone().unwrap_or_default(),
            text: self.q.clone().unwrap_or_default(),
            from: self.from.map(Timestamp),
            to: self.to.map(Timestamp),
        })
    }
}

fn words(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.into_iter().flat_map(|list| list.split(','))
}

fn kind(word: &str) -> Result<FeedKind, RequestRefusal> {
    match FeedKind::from_word(word) {
        FeedKind::Unknown => Err(no_such_word(word)),
        kind => Ok(kind),
    }
}

fn tier(word: &str) -> Result<Tier, RequestRefusal> {
    match word {
        "green" => Ok(Tier::Green),
        "yellow" => Ok(Tier::Yellow),
        "red" => Ok(Tier::Red),
        "black" => Ok(Tier::Black),
        _ => Err(no_such_word(word)),
    }
}

fn no_such_word(word: &str) -> RequestRefusal {
    let message = texts::api::no_such_filter(word);
    RequestRefusal::new(StatusCode::BAD_REQUEST, "malformed", message)
        .with_help(texts::api::SEE_OPENAPI)
}
