//! Backup coverage: the newest backup of each guest, and the guests without a recent one.

use std::collections::{BTreeSet, HashMap};

use homelab_wire::{BackupsPart, LastBackup, ReadingPart};
use protocol::Known;

use super::{amount, nights::nights, silence, stamp};
use crate::{
    backup_search::hidden_backups,
    board::seen::{SeenTasks, holds_backups, row_key},
    cluster_access::ClusterAccess,
    error::ProxmoxError,
    texts,
    tools::storages,
    wire::BackupRow,
};

/// The known backups on all storages.
pub(super) struct Backups<'a> {
    newest: HashMap<u64, &'a BackupRow>,
    pub part: BackupsPart,
    pub reading: ReadingPart,
    uncovered: Option<&'a BTreeSet<u64>>,
    now: i64,
}

pub(super) fn gather<'a>(access: &ClusterAccess, seen: &'a SeenTasks) -> Backups<'a> {
    let mut newest: HashMap<u64, &BackupRow> = HashMap::new();
    let (mut names, mut lacks) = (Vec::new(), Vec::new());
    let (mut at, mut trouble) = (None::<i64>, Vec::new());
    let mut count = 0_u32;
    let mut all: Vec<&BackupRow> = Vec::new();
    let rows = seen.overview.value().map_or(&[][..], Vec::as_slice);
    for row in storages(rows).into_iter().filter(|row| holds_backups(row)) {
        let (Some(key), Some(name)) = (row_key(row), row.storage.clone()) else {
            continue;
        };
        let node = row.node.as_deref().filter(|_| row.shared != Some(true));
        let place = match node {
            Some(node) => texts::storage_on(&name, node),
            None => format!("storage {name}"),
        };
        let reading = seen.backups.get(&key);
        let error = reading.and_then(|reading| reading.trouble.as_ref());
        trouble.extend(error.map(|error| format!("{place}: {}", error.reason())));
        let Some((read, backups)) = reading.and_then(|reading| reading.last.as_ref()) else {
            // The rows read before a node went silent are still in place.
            let quiet = node.and_then(|node| silence(seen, node));
            let reason = quiet.or(error.map(ProxmoxError::reason));
            lacks.push(format!(
                "{place}: {}",
                reason.as_deref().unwrap_or(texts::board::NOT_ASKED)
            ));
            continue;
        };
        at = Some(at.map_or(*read, |at| at.min(*read)));
        count = count.saturating_add(u32::try_from(backups.len()).unwrap_or(u32::MAX));
        if !names.contains(&name) {
            names.push(name);
        }
        all.extend(backups);
        for backup in backups {
            let Some(vmid) = amount(backup.vmid) else {
                continue;
            };
            let known = newest.entry(vmid).or_insert(backup);
            if backup.ctime > known.ctime {
                *known = backup;
            }
        }
    }
    if let Some(rights) = &seen.rights {
        let storages: Vec<&str> = names.iter().map(String::as_str).collect();
        lacks.extend(hidden_backups(&storages, rights, None));
    }
    if names.is_empty() && lacks.is_empty() && seen.overview.value().is_none() {
        lacks.push(texts::board::NOT_ASKED.to_owned());
    }
    Backups {
        newest,
        reading: ReadingPart {
            source: "GET /nodes/…/storage/…/content".to_owned(),
            at: at.map(stamp),
            trouble: (!trouble.is_empty()).then(|| trouble.join("; ")),
        },
        part: BackupsPart {
            warning_hours: access.config.backup_warning_hours,
            count,
            storages: names,
            lacks,
            nights: nights(
                all.into_iter(),
                seen.tasks.value().map_or(&[][..], Vec::as_slice),
                access.now(),
            ),
        },
        uncovered: seen.uncovered.value(),
        now: access.now(),
    }
}

impl Backups<'_> {
    /// The newest backup of a guest.
    pub(super) fn of(&self, vmid: u64) -> Known<LastBackup> {
        let newest = self.newest.get(&vmid);
        let at = newest.and_then(|backup| backup.ctime);
        let limit = i64::from(self.part.warning_hours) * 3_600;
        let gap = at.is_none_or(|at| self.now - at > limit);
        // A list that cannot be read may have a newer one.
        if gap && !self.part.lacks.is_empty() {
            return Known::unknown(self.part.lacks.join("; "));
        }
        let verification = newest.and_then(|backup| backup.verification.as_ref());
        Known::Value(LastBackup {
            at: at.map(stamp),
            gap,
            verification: verification.and_then(|it| it.state.clone()),
            in_job: self.uncovered.map(|uncovered| !uncovered.contains(&vmid)),
        })
    }
}
