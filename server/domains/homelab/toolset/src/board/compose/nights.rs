//! Backups by night: what is left of each of the last nights, and what failed.

use std::collections::BTreeMap;

use homelab_wire::BackupNight;

use super::stamp;
use crate::{
    task::{GatheredTask, TaskOutcome},
    wire::BackupRow,
};

/// Nights shown.
const NIGHTS: i64 = 14;
const DAY: i64 = 86_400;

/// Counts backups and failed backup tasks by night. Backups run at night in the cluster's time zone,
/// which is not known here: from noon to noon in UTC, none is cut in two in most of them.
pub(super) fn nights<'a>(
    backups: impl Iterator<Item = &'a BackupRow>,
    tasks: &[GatheredTask],
    now: i64,
) -> Vec<BackupNight> {
    // The night that ends today: the next one says nothing yet.
    let last = now.div_euclid(DAY);
    let mut nights: BTreeMap<i64, BackupNight> = (last - NIGHTS + 1..=last)
        .map(|night| {
            let at = stamp(night * DAY);
            let counts = BackupNight {
                at,
                kept: 0,
                unverified: 0,
                failed: 0,
            };
            (night, counts)
        })
        .collect();
    for backup in backups {
        let made = backup.ctime.and_then(|at| nights.get_mut(&night(at)));
        if let Some(counts) = made {
            let verdict = backup
                .verification
                .as_ref()
                .and_then(|it| it.state.as_deref());
            counts.kept += 1;
            counts.unverified += u32::from(verdict == Some("failed"));
        }
    }
    let failed = tasks
        .iter()
        .filter(|task| task.kind == "vzdump" && matches!(task.outcome, TaskOutcome::Failed(_)));
    for task in failed {
        if let Some(counts) = nights.get_mut(&night(task.start)) {
            counts.failed += 1;
        }
    }
    nights.into_values().collect()
}

/// Returns the night of a moment, as the number of the day on which it ends.
fn night(at: i64) -> i64 {
    at.saturating_add(DAY / 2).div_euclid(DAY)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn backups_count_for_the_night_in_which_they_were_made() {
        let row = |ctime: i64, verdict: &str| {
            let row = json!({
                "volid": "nas:backup/x", "ctime": ctime, "verification": { "state": verdict },
            });
            serde_json::from_value::<BackupRow>(row).unwrap()
        };
        let now = 20 * DAY + 9 * 3600;
        let rows = [
            // Late in the evening, and early in the morning after.
            row(19 * DAY + 23 * 3600, "ok"),
            row(20 * DAY + 2 * 3600, "failed"),
            row(19 * DAY + 2 * 3600, "ok"),
            // Long ago.
            row(2 * DAY, "ok"),
        ];
        // In the afternoon the night to come is no night without backups.
        let later = nights(rows.iter(), &[], now + 6 * 3600);
        assert_eq!(later.last().map(|it| it.at), Some(stamp(20 * DAY)));
        let nights = nights(rows.iter(), &[], now);
        assert_eq!(nights, later);
        assert_eq!(nights.len(), 14);
        assert_eq!(nights[0].at, stamp(7 * DAY));
        let last: Vec<_> = nights.iter().map(|it| (it.kept, it.unverified)).collect();
        assert_eq!(last[11..], [(0, 0), (1, 0), (2, 1)]);
    }
}
