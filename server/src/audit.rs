//! `jarvis audit`: verifies and exports the audit chain, with the server stopped or running.

use std::{ops::RangeInclusive, path::Path};

use anyhow::Context;
use serde::Serialize;
use store::{AuditHash, AuditReader, AuditRow, Verified};

use crate::texts;

/// Checks the chain and prints the outcome in one line. Returns whether it is intact.
pub async fn verify(
    folder: &Path,
    expect: Option<AuditHash>,
    print: impl Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let mut reader = AuditReader::open(folder).await?;
    match reader.verify(expect).await? {
        Verified::Sound { rows, head } => {
            print(&texts::start::audit_is_intact(rows, &head))?;
            Ok(true)
        }
        Verified::Broken { seq, why } => {
            print(&texts::start::audit_is_broken(seq, &why))?;
            Ok(false)
        }
    }
}

/// A line of an export. It contains all hashed data, byte for byte.
#[derive(Serialize)]
struct Line<'a> {
    seq: i64,
    /// Milliseconds since 1970, UTC.
    at: i64,
    kind: &'a str,
    conversation: Option<&'a str>,
    person: Option<&'a str>,
    body: &'a str,
    prev: String,
    hash: String,
}

/// Prints the rows with these numbers, one JSON object per line.
pub async fn export(
    folder: &Path,
    numbers: RangeInclusive<i64>,
    print: impl Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut reader = AuditReader::open(folder).await?;
    let each = |row: AuditRow| -> anyhow::Result<()> {
        let line = Line {
            seq: row.seq,
            at: row.at.0,
            kind: &row.kind,
            conversation: row.conversation.as_deref(),
            person: row.person.as_deref(),
            body: &row.body,
            prev: row.prev.to_string(),
            hash: row.hash.to_string(),
        };
        print(&serde_json::to_string(&line).context("a row could not be written")?)
    };
    reader.rows(numbers, each).await
}
