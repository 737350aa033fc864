//! The search for a document that a call may have made.
//!
//! With a key field it is known by the id of the call. ERPNext has no key of its own, so without one it
//! is known by its maker, its time, and everything that was asked for.

use protocol::CallId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{differences::is_same, input::SourceRow, rows_in};
use crate::tools::writing::acting::WINDOW;
use crate::{
    claims,
    error::ErpError,
    identity::ErpIdentity,
    made_documents::{MadeDocumentsError, OpenDraft},
    meta::{MetaField, MetaFieldKind, TypeMeta},
    site::{Document, ErpSite, ListQuery},
    texts::{acting, draft as say},
};

/// Difference of the clocks that is allowed, in milliseconds.
const SKEW: i64 = 2_000;
/// More candidates are read for no call.
const MOST: usize = 8;
/// Quantities of rows that the ERP never rewrites.
const KEPT: [&str; 2] = ["qty", "closing_amount"];
/// Fields that the ERP sets itself if a call does not.
const REWRITTEN: [&str; 2] = ["naming_series", "title"];

/// The marks of a document that a call makes.
#[derive(Debug, Clone)]
pub(crate) struct DraftTrace {
    pub(crate) call: CallId,
    /// The field with the id of the call, if the type has it.
    pub(crate) key: Option<String>,
    /// The document that it is made from, which it names.
    pub(crate) source: Option<String>,
    /// The rows that are taken over; none for all.
    pub(crate) source_rows: Vec<SourceRow>,
    /// The cancelled document that it is made from.
    pub(crate) amended_from: Option<String>,
    /// The values that were asked for.
    pub(crate) wanted: Document,
}

/// Request of a call, as it is noted before the document is sent.
#[derive(Serialize, Deserialize)]
struct NotedDraft {
    source: Option<String>,
    source_rows: Vec<SourceRow>,
    amended_from: Option<String>,
    wanted: Document,
}

/// The findings of a search.
#[derive(Debug)]
pub(super) enum DraftSearch {
    /// Exactly one fits.
    Found(Box<Document>),
    /// None was made.
    Nothing,
    /// The reason why it cannot be told, in one sentence.
    Unclear(String),
}

impl DraftTrace {
    /// Looks for the document. `since`: start of the call by the site's clock.
    pub(super) async fn search(
        &self,
        site: &ErpSite,
        meta: &TypeMeta,
        who: &ErpIdentity,
        since: i64,
    ) -> DraftSearch {
        match self.candidates(site, meta, who, since).await {
            Ok(found) => found,
            Err(error) => DraftSearch::Unclear(acting::cannot_look(&error.reason())),
        }
    }

    /// Its request, to be noted before it is sent.
    pub(super) fn noted(&self) -> String {
        let noted = NotedDraft {
            source: self.source.clone(),
            source_rows: self.source_rows.clone(),
            amended_from: self.amended_from.clone(),
            wanted: self.wanted.clone(),
        };
        // Without content it fits every document.
        serde_json::to_string(&noted).unwrap_or_default()
    }

    /// True if another call that was sent in that time may as well have made the document.
    async fn is_anothers(
        &self,
        site: &ErpSite,
        meta: &TypeMeta,
        who: &ErpIdentity,
        document: &Document,
    ) -> Result<bool, MadeDocumentsError> {
        let others = site.claims.open_of_others(&meta.name, &who.user, self.call);
        let creation = document.get("creation").and_then(Value::as_str);
        let creation = creation.unwrap_or_default();
        let may_be = |other: &OpenDraft| {
            claims::is_of_then(other, creation, &who.time_zone, WINDOW)
                && self
                    .as_noted(other)
                    .is_none_or(|it| it.fits(meta, document))
        };
        Ok(others.await?.iter().any(may_be))
    }

    /// The marks of another call; none if they cannot be read.
    fn as_noted(&self, other: &OpenDraft) -> Option<Self> {
        let noted: NotedDraft = serde_json::from_str(&other.content).ok()?;
        Some(Self {
            source: noted.source,
            source_rows: noted.source_rows,
            amended_from: noted.amended_from,
            wanted: noted.wanted,
            ..self.clone()
        })
    }

    async fn candidates(
        &self,
        site: &ErpSite,
        meta: &TypeMeta,
        who: &ErpIdentity,
        since: i64,
    ) -> Result<DraftSearch, ErpError> {
        let query = ListQuery {
            doctype: &meta.name,
            fields: vec![json!("name"), json!("creation")],
            filters: self.filters(meta, who, since),
            order: "creation asc, name asc".to_owned(),
            limit: MOST,
            ..ListQuery::default()
        };
        let found = site.list(meta, query).await?;
        let text = |row: &Document, field: &str| {
            let text = row.get(field).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let mut names = Vec::new();
        for row in &found.rows {
            let (name, creation) = (text(row, "name"), text(row, "creation"));
            let of = site
                .claims
                .is_of_another(&meta.name, &name, &creation, self.call);
            // What another call has made is not this one's, however alike the two are.
            match of.await {
                Ok(true) => {}
                Ok(false) => names.push(name),
                Err(error) => return Ok(unreadable(&error, &name)),
            }
        }
        if names.is_empty() && !found.has_more {
            return Ok(DraftSearch::Nothing);
        }
        let unclear = || DraftSearch::Unclear(say::cannot_tell(&names.join(", ")));
        if found.has_more {
            return Ok(unclear());
        }
        let mut fitting = Vec::new();
        for name in &names {
            let document = site.document(meta, name).await?;
            if self.key.is_some() || self.fits(meta, &document) {
                fitting.push(document);
            }
        }
        // One that was made then and does not fit may be this one, changed by the ERP or a person.
        let (Some(document), true) = (fitting.pop(), fitting.is_empty()) else {
            return Ok(unclear());
        };
        if self.key.is_none() {
            let name = text(&document, "name");
            match self.is_anothers(site, meta, who, &document).await {
                Ok(false) => {}
                Ok(true) => return Ok(DraftSearch::Unclear(say::may_be_anothers(&name))),
                Err(error) => return Ok(unreadable(&error, &name)),
            }
        }
        Ok(DraftSearch::Found(Box::new(document)))
    }

    fn filters(&self, meta: &TypeMeta, who: &ErpIdentity, since: i64) -> Vec<Value> {
        if let Some(key) = &self.key {
            return vec![json!([key, "=", self.call.to_string()])];
        }
        let window = claims::local_span(since - SKEW, since + WINDOW, &who.time_zone);
        let mut filters = vec![
            json!(["owner", "=", who.user]),
            json!(["creation", "between", window]),
        ];
        if let Some(name) = &self.amended_from {
            filters.push(json!(["amended_from", "=", name]));
        }
        for name in ["company", "customer", "supplier", "party", "party_name"] {
            let is_link = meta.field(name).is_some_and(is_link);
            if let Some(value) = self.wanted.get(name).filter(|_| is_link) {
                filters.push(json!([name, "=", value]));
            }
        }
        filters
    }

    /// True if it says what was asked for, where the ERP rewrites nothing.
    fn fits(&self, meta: &TypeMeta, document: &Document) -> bool {
        let amended = document.get("amended_from").and_then(Value::as_str);
        let is_amended = self.amended_from.is_none() || amended == self.amended_from.as_deref();
        let names_source = self.source.as_ref().is_none_or(|source| {
            let tables = meta.table_fields();
            let rows = tables.flat_map(|it| rows_in(document, &it.name));
            let mut values = rows
                .filter_map(Value::as_object)
                .flat_map(|row| row.values());
            document.values().any(|it| it == source) || values.any(|it| it == source)
        });
        let takes = |table: &MetaField| {
            let rows = rows_in(document, &table.name);
            let of = |wanted: &SourceRow| {
                rows.iter().filter_map(Value::as_object).any(|row| {
                    let qty = row.get("qty").unwrap_or(&Value::Null);
                    row.values().any(|it| it == &wanted.source_row) && is_same(qty, &wanted.qty)
                })
            };
            rows.len() == self.source_rows.len() && self.source_rows.iter().all(of)
        };
        let has_source_rows = self.source_rows.is_empty() || meta.table_fields().any(takes);
        let alike = |fields: &[MetaField], wanted: &Document, stored: &Document| {
            let mut fields = fields.iter().filter(|it| {
                is_link(it) || (it.kind == MetaFieldKind::Line && !REWRITTEN.contains(&&*it.name))
            });
            fields.all(|it| match wanted.get(&it.name) {
                Some(value) => is_same(value, stored.get(&it.name).unwrap_or(&Value::Null)),
                None => true,
            })
        };
        let has_rows = meta.table_fields().all(|table| {
            let (wanted, stored) = (
                rows_in(&self.wanted, &table.name),
                rows_in(document, &table.name),
            );
            let columns = meta.rows_of(table).unwrap_or_default();
            let mut pairs = wanted.iter().zip(stored);
            // A table that was not given may be filled by the ERP, such as taxes.
            wanted.is_empty()
                || (wanted.len() == stored.len()
                    && pairs.all(|pair| match (pair.0.as_object(), pair.1.as_object()) {
                        (Some(wanted), Some(stored)) => {
                            alike(columns, wanted, stored) && has_quantities(wanted, stored)
                        }
                        _ => false,
                    }))
        });
        is_amended
            && names_source
            && has_source_rows
            && has_rows
            && alike(&meta.fields, &self.wanted, document)
    }
}

fn unreadable(error: &MadeDocumentsError, name: &str) -> DraftSearch {
    tracing::warn!(%error, "the makers of documents cannot be read");
    DraftSearch::Unclear(say::cannot_tell(name))
}

fn has_quantities(wanted: &Document, stored: &Document) -> bool {
    KEPT.iter().all(|field| match wanted.get(*field) {
        Some(wanted) => is_same(wanted, stored.get(*field).unwrap_or(&Value::Null)),
        None => true,
    })
}

fn is_link(field: &MetaField) -> bool {
    matches!(field.kind, MetaFieldKind::Link | MetaFieldKind::DynamicLink)
}
