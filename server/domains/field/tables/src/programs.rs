//! The program of a device's runner, by the device's own report.

use sqlx::{Row, sqlite::SqliteRow};

use crate::FieldTablesError;
use crate::columns::{count, words};
use crate::error::fits;

/// Bytes of a version: three numbers of 32 bits.
const MOST_VERSION: usize = 32;
/// Tries that are counted.
const MOST_TRIES: u32 = 99;

/// The program of a runner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedProgram {
    /// Three numbers, such as `1.2.3`.
    pub version: String,
    pub failed: Option<FailedUpdate>,
}

/// An update that the device gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedUpdate {
    pub version: String,
    pub fault: UpdateFault,
    /// Trials of this version so far.
    pub tries: u32,
    /// True if the device tries it again.
    pub is_retried: bool,
}

/// Reason that an update was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpdateFault {
    /// The version ran and did not report to the server in time.
    NoReport,
    /// It ended at each start.
    NoStart,
    /// A reason of another version of the runner.
    Unknown,
}

words!(UpdateFault {
    NoReport = "no_report",
    NoStart = "no_start",
    Unknown = "unknown",
});

impl ReportedProgram {
    pub(crate) fn check(&self) -> Result<(), FieldTablesError> {
        let failed = self.failed.as_ref().map(|it| &it.version);
        for version in [Some(&self.version), failed].into_iter().flatten() {
            fits("the version of a program", version.len(), MOST_VERSION)?;
        }
        Ok(())
    }
}

impl FailedUpdate {
    /// Trials as they are stored: what a device counts beyond that is of no interest.
    pub(crate) fn stored_tries(&self) -> i64 {
        i64::from(self.tries.min(MOST_TRIES))
    }
}

/// Reads the columns of a device, None if it has not reported its program.
pub(crate) fn read(row: &SqliteRow) -> Result<Option<ReportedProgram>, FieldTablesError> {
    let Some(version) = row.try_get::<Option<String>, _>("program_version")? else {
        return Ok(None);
    };
    let failed = match row.try_get::<Option<String>, _>("failed_version")? {
        None => None,
        Some(version) => Some(FailedUpdate {
            version,
            fault: UpdateFault::read(row.try_get("failed_reason")?)?,
            tries: u32::try_from(count(row, "failed_tries")?).unwrap_or(MOST_TRIES),
            is_retried: row.try_get("failed_retried")?,
        }),
    };
    Ok(Some(ReportedProgram { version, failed }))
}
