//! Values between the redaction and the tables.

use field_redaction::{Class, Pseudonym, RedactionError, SealedEntry};
use field_tables::VaultRow;

/// An entry as the tables keep it.
pub(super) fn row_of(entry: SealedEntry, at_ms: i64) -> VaultRow {
    VaultRow {
        class: entry.class.name().to_owned(),
        hash: entry.hash,
        token: entry.token.to_string(),
        sealed: entry.sealed.into_bytes(),
        first_seen_ms: at_ms,
        last_seen_ms: at_ms,
    }
}

/// An entry of the tables, still sealed.
pub(super) fn entry_of(row: &VaultRow) -> Result<SealedEntry, RedactionError> {
    let bad = || RedactionError::BadEntry(row.token.clone());
    Ok(SealedEntry {
        class: Class::named(&row.class).ok_or_else(bad)?,
        token: Pseudonym::parse(&row.token).ok_or_else(bad)?,
        hash: row.hash.clone(),
        sealed: String::from_utf8(row.sealed.clone()).map_err(|_| bad())?,
    })
}
