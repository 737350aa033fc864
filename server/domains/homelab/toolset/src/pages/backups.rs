//! Backups of a guest, and those on a storage.

use homelab_wire::BackupEntry;
use protocol::{Known, Timestamp};

use super::PageSubject;
use crate::{
    backup_search::{backups_of, hidden_backups},
    cluster_access::ClusterAccess,
    texts,
    wire::BackupRow,
};

/// A longer list is cut; the newest count most.
const MAX_ROWS: usize = 200;
/// Notes are written for people; a few words suffice to recognise a backup.
const MAX_NOTES_CHARS: usize = 80;

/// The backups, newest first, with the reasons why some may be missing.
pub(super) async fn backups(
    access: &ClusterAccess,
    thing: &PageSubject,
) -> Option<(Known<Vec<BackupEntry>>, Vec<String>)> {
    let (rows, mut lacks) = match thing {
        PageSubject::Node(_) => return None,
        PageSubject::Guest { vmid, .. } => match backups_of(access, *vmid).await {
            Ok(found) => found,
            Err(reason) => return Some((Known::unknown(reason), Vec::new())),
        },
        PageSubject::Storage { node, name, .. } => {
            let (rows, rights) =
                futures::join!(access.api.backups(node, name, None), access.api.rights());
            match rows {
                Ok(rows) => {
                    let rows = rows.into_iter().map(|row| (name.clone(), row)).collect();
                    (rows, hidden_backups(&[name.as_str()], &rights, None))
                }
                Err(error) => return Some((Known::unknown(error.reason()), Vec::new())),
            }
        }
    };
    if rows.is_empty() && !lacks.is_empty() {
        return Some((Known::unknown(lacks.join("; ")), Vec::new()));
    }
    let mut entries: Vec<BackupEntry> = rows
        .into_iter()
        .map(|(storage, row)| entry(storage, row))
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    if entries.len() > MAX_ROWS {
        lacks.push(texts::pages::only_newest_are_listed(
            MAX_ROWS,
            entries.len(),
        ));
        entries.truncate(MAX_ROWS);
    }
    Some((Known::Value(entries), lacks))
}

fn entry(storage: String, row: BackupRow) -> BackupEntry {
    BackupEntry {
        volume: row.volid,
        storage,
        guest: row.vmid.and_then(|vmid| u64::try_from(vmid).ok()),
        at: row.ctime.map(|at| Timestamp(at.saturating_mul(1000))),
        size: row.size.and_then(|size| u64::try_from(size).ok()),
        verification: row.verification.and_then(|it| it.state),
        protected: row.protected == Some(true),
        notes: row
            .notes
            .map(|notes| notes.chars().take(MAX_NOTES_CHARS).collect()),
    }
}
