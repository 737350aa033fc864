//! The tables, from version to version.
//!
//! sqlx has a macro that embeds a folder; it would make every build compile SQLite and half of sqlx
//! twice, once for the compiler.

use std::path::Path;

use sqlx::{
    SqlStr, SqliteConnection,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use crate::Error;

macro_rules! files {
    ($($version:literal $name:literal)*) => {
        [$((
            $version,
            $name,
            include_str!(concat!("../migrations/", $version, "_", $name, ".sql")),
        )),*]
    };
}

/// Version, name and statements of each, as in its file name.
const FILES: &[(&str, &str, &str)] = &files![
    "0001" "journal"
    "0002" "people"
    "0003" "append_only"
    "0004" "confirmations"
    "0005" "audit"
    "0006" "origin"
    "0007" "roles"
    "0008" "passwords"
    "0009" "tokens"
    "0010" "feed"
    "0011" "notices"
    "0012" "sign_in"
    "0013" "policy"
    "0014" "actions"
    "0015" "shelves"
    "0016" "imported"
    "0017" "lasting"
    "0018" "spending"
    "0019" "prompts"
    "0020" "branches"
    "0021" "files"
    "0022" "seen"
    "0023" "shares"
    "0024" "candles"
    "0025" "drawings"
    "0027" "link_makers"
    "0028" "proxy_links"
    "0029" "token_secrets"
    "0030" "proxy_linkers"
    "0031" "folders"
    "0032" "packs"
    "0033" "requests"
    "0034" "command_heads"
    "0035" "traces"
    "0036" "webhooks"
    "0037" "tool_definitions"
];

/// Brings a database up to date.
pub(crate) fn migrator() -> Migrator {
    let migrations = FILES.iter().map(|(version, name, sql)| {
        let sql = SqlStr::from_static(sql);
        let version = number(version);
        Migration::new(version, (*name).into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// True if the tables are those of this version, neither older nor newer.
pub(crate) async fn is_current(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let newest: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(connection)
        .await?;
    Ok(newest == FILES.last().map(|(version, ..)| number(version)))
}

/// The number of a file. An unreadable one would come first, which a test prevents.
fn number(version: &str) -> i64 {
    version.parse().unwrap_or_default()
}

/// The error for tables in a folder that could not be brought up to date.
pub(crate) fn outcome(done: Result<(), MigrateError>, folder: &Path) -> Result<(), Error> {
    done.map_err(|error| match error {
        MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => {
            Error::TooNew(folder.to_owned())
        }
        MigrateError::Execute(error) => error.into(),
        error => Error::Damaged(error.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::{FILES, number};

    #[test]
    fn every_file_is_embedded_in_order() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let files = std::fs::read_dir(folder).unwrap();
        let mut found: Vec<_> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        let embedded = FILES
            .iter()
            .map(|(version, name, _)| format!("{version}_{name}.sql"));
        assert_eq!(embedded.collect::<Vec<_>>(), found);
        let numbers: Vec<_> = FILES.iter().map(|(version, ..)| number(version)).collect();
        assert!(numbers.is_sorted_by(|a, b| 0 < *a && a < b), "{numbers:?}");
    }
}
