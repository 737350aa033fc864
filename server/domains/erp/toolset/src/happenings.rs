//! Events of the ERP for the feed: documents of the watched types that changed.
//!
//! One list for each type and look, of what was modified since the last one. Every event has a key,
//! so reporting it twice does no harm, and the name of its document as subject, so that a call of
//! Jarvis and what it did there are about the same thing.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use agent::ports::{Happening, Happenings, Teller};
use async_trait::async_trait;
use erp_wire::DocumentRow;
use jiff::tz::TimeZone;
use protocol::{FeedKind, FeedTone};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    cell,
    error::ErpError,
    refer, shown,
    site::{Document, ErpSite, ListQuery},
    texts::happenings as say,
    tools::outline,
};

/// Types whose changes are told.
const WATCHED: [&str; 8] = [
    "Sales Order",
    "Delivery Note",
    "Sales Invoice",
    "Purchase Order",
    "Purchase Receipt",
    "Purchase Invoice",
    "Payment Entry",
    "Journal Entry",
];
/// Intervals of the board between two looks.
const PACES: u32 = 4;
/// Documents read per type and look, and at the first look.
const MOST: usize = 50;
const FIRST: usize = 10;
/// Longest pause after failed looks.
const MAX_PAUSE: Duration = Duration::from_secs(900);
/// Documents of which the last state is known.
const MOST_KNOWN: usize = 2_000;
const SOURCE: &str = "erp";

pub(crate) struct ErpHappenings {
    site: Arc<ErpSite>,
}

/// The progress of a follower.
#[derive(Default)]
struct Followed {
    /// The newest `modified` that was told, by type.
    until: BTreeMap<&'static str, String>,
    /// The docstatus seen last, by reference.
    states: HashMap<String, i64>,
}

/// The changes of a type since the last look.
struct TypeChanges {
    /// The oldest first.
    told: Vec<Happening>,
    states: Vec<(String, i64)>,
    until: Option<String>,
}

/// A document in a list of changes.
struct ChangedDocument<'a> {
    row: &'a Document,
    outlined: DocumentRow,
    /// The id of its reference.
    id: String,
    /// The docstatus seen last.
    before: Option<i64>,
    /// The newest `modified` of the last look.
    since: Option<&'a str>,
}

impl ErpHappenings {
    /// Builds the follower; makes no request.
    pub(crate) fn new(site: Arc<ErpSite>) -> Self {
        Self { site }
    }

    /// Tells what changed since the last look. False if something was not told.
    async fn look(&self, followed: &mut Followed, teller: &Teller) -> bool {
        let mut is_safe = true;
        for doctype in WATCHED {
            match self.changed(followed, doctype).await {
                Ok(changes) => {
                    if !teller.tell(changes.told).await {
                        is_safe = false;
                        continue;
                    }
                    // Only now: what was not stored is told again, as the same event.
                    followed.states.extend(changes.states);
                    let until = changes.until.map(|until| (doctype, until));
                    followed.until.extend(until);
                }
                // A type that the key may not read is the board's to say.
                Err(error) if error.kind().is_some() => {
                    tracing::debug!(doctype, reason = error.reason(), "type not followed");
                }
                Err(error) => {
                    tracing::debug!(doctype, reason = error.reason(), "ERP not followed");
                    return false;
                }
            }
        }
        is_safe
    }

    async fn changed(
        &self,
        followed: &Followed,
        doctype: &'static str,
    ) -> Result<TypeChanges, ErpError> {
        let site = &self.site;
        let meta = site.readable_type(doctype).await?;
        let zone = site.identity().await?.time_zone.clone();
        let since = followed.until.get(doctype).map(String::as_str);
        let mut columns = outline::columns(&meta);
        columns.extend(["creation", "modified", "modified_by"]);
        let query = ListQuery {
            doctype,
            fields: columns.iter().map(|column| json!(column)).collect(),
            filters: since
                .iter()
                .map(|it| json!(["modified", ">", it]))
                .collect(),
            // At first the newest of all, then the oldest of what is new: no gap between looks.
            order: if since.is_some() {
                "modified asc, name asc".to_owned()
            } else {
                "modified desc, name asc".to_owned()
            },
            limit: if since.is_some() { MOST } else { FIRST },
            ..ListQuery::default()
        };
        let is_first = since.is_none();
        let mut rows = site.list(&meta, query).await?.rows;
        if is_first {
            rows.reverse();
        }
        let until = rows.last().and_then(|row| text(row, "modified"));
        let currencies = site.known_currencies().await;
        let changed = rows.iter().map(|row| {
            let outlined = shown::row(&outline::with_currency(&meta, row, &currencies));
            let id = format!("{doctype}/{}", outlined.name);
            ChangedDocument {
                row,
                before: followed.states.get(&id).copied(),
                since,
                outlined,
                id,
            }
        });
        let changed: Vec<_> = changed.collect();
        let states = changed.iter().map(|it| (it.id.clone(), docstatus(it.row)));
        Ok(TypeChanges {
            states: states.collect(),
            told: changed.iter().filter_map(|it| event(it, &zone)).collect(),
            until,
        })
    }
}

#[async_trait]
impl Happenings for ErpHappenings {
    async fn follow(&self, teller: Teller) {
        let mut followed = Followed::default();
        let pace = Duration::from_millis(self.site.config.board_ms) * PACES;
        let mut pause = pace;
        loop {
            if followed.states.len() > MOST_KNOWN {
                followed.states.clear();
            }
            let is_safe = Box::pin(self.look(&mut followed, &teller)).await;
            pause = if is_safe {
                pace
            } else {
                (pause * 2).min(MAX_PAUSE.max(pace))
            };
            sleep(pause).await;
        }
    }
}

fn text(row: &Document, field: &str) -> Option<String> {
    row.get(field)?.as_str().map(str::to_owned)
}

fn docstatus(row: &Document) -> i64 {
    row.get("docstatus")
        .and_then(Value::as_i64)
        .unwrap_or_default()
}

/// The event of a document, from its state now and before. A list says what a document is, not what
/// was done to it: without the state before, an event that could be several is a change.
fn event(changed: &ChangedDocument<'_>, zone: &TimeZone) -> Option<Happening> {
    let ChangedDocument {
        row, outlined, id, ..
    } = changed;
    let (creation, modified) = (text(row, "creation")?, text(row, "modified")?);
    // Times of the site are texts in the order of time.
    let is_new =
        creation == modified || changed.since.is_some_and(|since| creation.as_str() > since);
    let (word, tone) = match (changed.before, docstatus(row)) {
        (Some(0), 1) => (say::SUBMITTED, FeedTone::Good),
        (Some(0 | 1), 2) => (say::CANCELLED, FeedTone::Warning),
        (None, 0) if is_new => (say::CREATED, FeedTone::Plain),
        (None, 1) if is_new => (say::CREATED_AND_SUBMITTED, FeedTone::Good),
        _ => (say::CHANGED, FeedTone::Plain),
    };
    let amount = outlined.amount.as_ref().map(shown::in_words);
    let line = say::line(&outlined.doctype, &outlined.name, word, amount.as_deref());
    Some(Happening {
        tone,
        outcome: outlined.state.clone(),
        target: Some(format!("{} {}", outlined.doctype, outlined.name)),
        person: text(row, "modified_by"),
        source: Some(SOURCE.to_owned()),
        subject: Some(format!("{}/{id}", refer::KIND)),
        details: json!({
            "party": outlined.party,
            "docstatus": cell::docstatus(row.get("docstatus").unwrap_or(&Value::Null)),
        }),
        ..Happening::new(
            format!("{}/{id}/{modified}", refer::KIND),
            shown::moment(&modified, zone)?,
            FeedKind::Log,
            line,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_what_two_states_prove() {
        let told = |before, docstatus: i64, creation: &str| {
            let row = json!({
                "name": "A/1", "docstatus": docstatus, "creation": creation,
                "modified": "2026-11-21 16:30:04.000001", "modified_by": "anna@example.org",
            });
            let outlined = DocumentRow {
                doctype: "Sales Invoice".to_owned(),
                name: "A/1".to_owned(),
                amount: Some(shown::amount(1190.into(), Some("EUR"))),
                ..DocumentRow::default()
            };
            let changed = ChangedDocument {
                row: row.as_object().unwrap(),
                outlined,
                id: "Sales Invoice/A/1".to_owned(),
                before,
                since: Some("2026-11-21 16:00:00"),
            };
            event(&changed, &TimeZone::UTC).unwrap()
        };
        let (now, earlier) = ("2026-11-21 16:30:04.000001", "2026-11-20 09:00:00");
        for (before, docstatus, creation, word) in [
            (Some(0), 1, earlier, "submitted"),
            (Some(1), 2, earlier, "cancelled"),
            (Some(1), 1, earlier, "changed"),
            (None, 0, now, "created"),
            (None, 0, earlier, "changed"),
            (None, 1, now, "created and submitted"),
            // It may have been submitted long ago.
            (None, 1, earlier, "changed"),
            (None, 2, earlier, "changed"),
        ] {
            let line = told(before, docstatus, creation).line;
            assert_eq!(line, format!("Sales Invoice A/1 {word}, 1,190.00 EUR"));
        }
        let told = told(Some(0), 1, earlier);
        assert_eq!(
            told.key,
            "document/Sales Invoice/A/1/2026-11-21 16:30:04.000001"
        );
        assert_eq!(told.subject.as_deref(), Some("document/Sales Invoice/A/1"));
        assert_eq!(told.person.as_deref(), Some("anna@example.org"));
    }
}
