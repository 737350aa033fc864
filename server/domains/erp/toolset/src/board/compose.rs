//! The picture of the board: parts by key, from the last answers.

use agent::ports::Picture;
use erp_wire::{DocumentsPart, ErpHealthPart, ShortagesPart};
use protocol::{Known, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::{
    lists::BALANCE_DAYS,
    query::{ErpBoardAnswer, ErpBoardQuery},
    seen::{ListReading, SeenLists},
};
use crate::{
    site::ErpSite,
    texts::{board as say, site},
};

pub(super) fn picture(site: &ErpSite, seen: &SeenLists) -> Picture {
    let mut picture = Picture::new();
    for query in ErpBoardQuery::all() {
        let reading = seen.get(query).cloned().unwrap_or_default();
        // A site without such documents has no list of them.
        if let Some(key) = query.key()
            && !reading.is_absent
            && let Some(part) = part(query, reading, seen.trouble.as_ref())
        {
            picture.insert(key, part);
        }
    }
    if let Some(health) = value(&health(site, seen)) {
        picture.insert("health".to_owned(), health);
    }
    picture
}

fn part(query: ErpBoardQuery, reading: ListReading, away: Option<&String>) -> Option<Value> {
    let trouble = reading.trouble.clone().or_else(|| away.cloned());
    let reason = trouble
        .clone()
        .unwrap_or_else(|| say::NOT_READ_YET.to_owned());
    match reading.answer {
        Some(ErpBoardAnswer::Documents(listed)) => value(&DocumentsPart {
            at: reading.at,
            trouble,
            ..listed.part
        }),
        Some(ErpBoardAnswer::Shortages(part)) => value(&ShortagesPart {
            at: reading.at,
            trouble,
            ..part
        }),
        _ if query == ErpBoardQuery::Shortages => value(&ShortagesPart {
            rows: Known::unknown(reason),
            count: None,
            at: None,
            trouble: None,
        }),
        _ => value(&unread(&reason)),
    }
}

/// A list that could not be read, with the reason.
pub(crate) fn unread(reason: &str) -> DocumentsPart {
    DocumentsPart {
        rows: Known::unknown(reason),
        count: None,
        sums: Vec::new(),
        due: Vec::new(),
        lacks: Vec::new(),
        at: None,
        trouble: None,
    }
}

fn health(site: &ErpSite, seen: &SeenLists) -> ErpHealthPart {
    let user = match site.known_identity() {
        None => Known::unknown(site::NOT_READ_YET),
        Some(Err(error)) => Known::unknown(error.reason()),
        Some(Ok(who)) => Known::Value(who.user.clone()),
    };
    let mut missing: Vec<_> = ErpBoardQuery::all()
        .filter(|query| seen.get(*query).is_some_and(|it| it.is_denied))
        .map(|query| query.doctype().to_owned())
        .collect();
    missing.sort();
    missing.dedup();
    let answered = site.client.last_answer();
    ErpHealthPart {
        site: site.client.site().to_owned(),
        user,
        at: answered.map(|(_, at)| Timestamp(at)),
        trouble: seen.trouble.clone(),
        help: seen.help.clone(),
        clock_offset: Known::or(answered.map(|(offset, _)| offset / 1000), say::NOT_READ_YET),
        last_posting: figure(seen, ErpBoardQuery::LastPosting, |answer| match answer {
            ErpBoardAnswer::Posting(row) => Some(row.clone()),
            _ => None,
        }),
        balanced: figure(seen, ErpBoardQuery::Balance, |answer| match answer {
            ErpBoardAnswer::Balanced(balanced) => Some(*balanced),
            _ => None,
        }),
        balance_days: BALANCE_DAYS,
        queue_failed: figure(seen, ErpBoardQuery::Queue, |answer| match answer {
            ErpBoardAnswer::Failed(count) => Some(*count),
            _ => None,
        }),
        missing,
        companies: site.reach.companies().to_vec(),
    }
}

/// A figure of the last answer to a query. One that is not current is unknown.
fn figure<T>(
    seen: &SeenLists,
    query: ErpBoardQuery,
    of: impl Fn(&ErpBoardAnswer) -> Option<T>,
) -> Known<T> {
    let reading = seen.get(query);
    let trouble = reading.and_then(|it| it.trouble.as_ref());
    if let Some(reason) = trouble.or(seen.trouble.as_ref()) {
        return Known::unknown(reason);
    }
    let answer = reading.and_then(|it| it.answer.as_ref());
    Known::or(answer.and_then(of), say::NOT_READ_YET)
}

/// A part as JSON. Nothing in these types cannot be written.
fn value(part: &impl Serialize) -> Option<Value> {
    serde_json::to_value(part).ok()
}
