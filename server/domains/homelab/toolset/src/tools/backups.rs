//! Tool that lists backups and their age.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FAN_OUT, about_node, output, touched};
use crate::{
    backup_search::{BackupPlace, BackupScope, Gathered, GatheredBackup, gather},
    cluster_access::{ClusterAccess, NodeEntry},
    out::{CutList, KnownValue, ROWS_BYTES, count, fit, rounded},
    rights::Rights,
    texts,
    time::{rfc3339, rough},
    wire::{BackupRow, ResourceRow, is_guest},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BackupsInput {
    /// Only the storages that this node sees. Leave out for all nodes.
    #[schemars(length(min = 1, max = 63))]
    node: Option<String>,
    /// Only the backups of this guest, such as 100.
    #[schemars(range(min = 100, max = 999_999_999))]
    vmid: Option<i64>,
    /// Only the backups on this storage, such as pbs. Leave out for all storages.
    #[schemars(length(min = 1, max = 100))]
    storage: Option<String>,
}

#[derive(Debug, Serialize)]
struct BackupsOut {
    /// One row per guest, or one per backup if a guest was requested.
    backups: KnownValue<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guests_without_backup: Option<KnownValue<Vec<Bare>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<CutList>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Bare {
    vmid: i64,
    name: KnownValue<String>,
}

#[derive(Debug, Serialize)]
struct GuestBackups {
    vmid: KnownValue<i64>,
    name: KnownValue<String>,
    count: usize,
    newest_at: KnownValue<String>,
    newest_age_hours: KnownValue<f64>,
    newest_size_bytes: KnownValue<i64>,
    newest_on: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_verification: Option<String>,
    storages: Vec<String>,
}

#[derive(Debug, Serialize)]
struct BackupOut {
    storage: String,
    /// `None` for a shared storage.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    volume: String,
    created_at: KnownValue<String>,
    age_hours: KnownValue<f64>,
    size_bytes: KnownValue<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    protected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
}

/// Notes are written for people; a few words suffice to recognise a backup.
const MAX_NOTES_CHARS: usize = 80;
/// Guests named in an error, which is a single line.
const MAX_KNOWN: usize = 40;

pub(crate) struct GetBackups(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetBackups {
    const NAME: &'static str = "get_backups";
    const DESCRIPTION: &'static str = "Lists the backups. Without `vmid`: one row for each guest with the number of its \
             backups, the time (UTC), age in hours, size in bytes and storage of the newest one, \
             and the guests that have no backup at all. With `vmid`: every backup of that guest, \
             newest first. Use it for questions such as \"Is everything backed up?\" or \"When was \
             100 last backed up?\". Whether backup runs failed is in get_recent_tasks. Backups that \
             the API token may not see are reported as unknown: never say that there are none then.";
    const TIMEOUT: Duration = FAN_OUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("When was guest 100 last backed up?"),
        ToolExample::new("Which guest has the oldest backup?"),
        ToolExample::new("Which backups are on pbs?"),
    ];
    type Input = BackupsInput;

    fn target(&self, input: &Value) -> Option<String> {
        let node = input.get("node").and_then(Value::as_str);
        if let Some(storage) = input.get("storage").and_then(Value::as_str) {
            return Some(match input.get("vmid").and_then(Value::as_i64) {
                Some(vmid) => format!("guest {vmid} on storage {storage}"),
                None => format!("storage {storage}"),
            });
        }
        match (input.get("vmid").and_then(Value::as_i64), node) {
            (Some(vmid), None) => Some(format!("guest {vmid}")),
            (Some(vmid), Some(node)) => Some(format!("guest {vmid} on node {node}")),
            (None, _) => about_node(input),
        }
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: BackupsInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_backups(&self.0, input).await
    }
}

async fn get_backups(access: &ClusterAccess, input: BackupsInput) -> Result<ToolOutput, ErrorBody> {
    let nodes = access.chosen(input.node.as_deref()).await?;
    let (resources, rights) = futures::join!(access.api.resources(), access.api.rights());
    let scope = BackupScope {
        one_node: input.node.is_some(),
        storage: input.storage.as_deref(),
        vmid: input.vmid,
    };
    let Gathered {
        places,
        backups,
        incomplete,
    } = gather(access, &nodes, &rights, &scope).await?;
    let guests: Result<Vec<ResourceRow>, String> = match resources {
        Ok(rows) => Ok(rows.into_iter().filter(|row| is_guest(&row)).collect()),
        Err(error) => Err(error.reason()),
    };
    let unseen = rights.lacks_below("/vms", &["VM.Audit"]);
    if backups.is_empty() && !incomplete.is_empty() {
        let reason = incomplete.join("; ");
        return output(
            texts::backups::backups_unknown(&reason),
            &BackupsOut {
                backups: KnownValue::unknown(reason.clone()),
                guests_without_backup: input.vmid.is_none().then(|| KnownValue::unknown(reason)),
                cut: None,
                incomplete: Vec::new(),
            },
        );
    }
    match input.vmid {
        Some(vmid) => one_guest(access, vmid, &places, backups, &guests, &unseen, incomplete),
        None => all_guests(
            access, &places, backups, &guests, unseen, &scope, incomplete,
        ),
    }
}

fn age_hours(now: i64, at: Option<i64>) -> Option<f64> {
    at.map(|at| rounded((now - at).max(0) as f64 / 3600.0))
}

fn verification(row: &BackupRow) -> Option<String> {
    row.verification
        .as_ref()
        .and_then(|verification| verification.state.clone())
}

fn newest(backups: &[GatheredBackup], now: i64) -> Option<String> {
    let at = backups.first()?.row.ctime?;
    Some(texts::backups::newest_ago(&rough(now - at)))
}

fn finish(mut summary: String, newest: Option<String>, incomplete: &[String]) -> String {
    if let Some(newest) = newest {
        summary.push_str(&format!(", {newest}"));
    }
    if !incomplete.is_empty() {
        summary.push_str(texts::LIST_INCOMPLETE);
    }
    summary
}

fn one_guest(
    access: &ClusterAccess,
    vmid: i64,
    places: &[BackupPlace],
    backups: Vec<GatheredBackup>,
    guests: &Result<Vec<ResourceRow>, String>,
    unseen: &[String],
    incomplete: Vec<String>,
) -> Result<ToolOutput, ErrorBody> {
    let now = access.now();
    if let Ok(guests) = guests
        && backups.is_empty()
        && unseen.is_empty()
        && !guests.iter().any(|row| row.vmid == Some(vmid))
    {
        return Err(no_guest(vmid, guests));
    }
    let summary = finish(
        format!(
            "{} of guest {vmid}",
            count(backups.len(), "backup", "backups")
        ),
        newest(&backups, now),
        &incomplete,
    );
    let rows = backups
        .into_iter()
        .map(|backup| {
            let place = &places[backup.place];
            BackupOut {
                storage: place.storage.clone(),
                node: (!place.shared).then(|| place.node.clone()),
                verification: verification(&backup.row),
                created_at: KnownValue::reported(backup.row.ctime.map(rfc3339)),
                age_hours: KnownValue::reported(age_hours(now, backup.row.ctime)),
                size_bytes: KnownValue::reported(backup.row.size),
                protected: backup.row.protected == Some(true),
                notes: backup
                    .row
                    .notes
                    .map(|notes| notes.chars().take(MAX_NOTES_CHARS).collect()),
                volume: backup.row.volid,
            }
        })
        .collect();
    let (rows, cut) = fit(rows, ROWS_BYTES, texts::backups::NEWEST_BACKUPS_COME_FIRST);
    output(
        summary,
        &BackupsOut {
            backups: KnownValue::Value(rows),
            guests_without_backup: None,
            cut,
            incomplete,
        },
    )
}

fn no_guest(vmid: i64, guests: &[ResourceRow]) -> ErrorBody {
    let mut known: Vec<i64> = guests.iter().filter_map(|row| row.vmid).collect();
    known.sort_unstable();
    let list: Vec<String> = known.iter().take(MAX_KNOWN).map(i64::to_string).collect();
    let more = match known.len().saturating_sub(MAX_KNOWN) {
        0 => String::new(),
        more => texts::backups::and_more(more),
    };
    ErrorBody::new(
        ErrorCode::ToolInputInvalid,
        texts::backups::no_such_guest_and_no_backup(vmid, &list.join(", "), &more),
    )
    .with_help(texts::backups::RESOURCES_LIST_GUESTS)
}

fn all_guests(
    access: &ClusterAccess,
    places: &[BackupPlace],
    backups: Vec<GatheredBackup>,
    guests: &Result<Vec<ResourceRow>, String>,
    unseen: Vec<String>,
    scope: &BackupScope<'_>,
    incomplete: Vec<String>,
) -> Result<ToolOutput, ErrorBody> {
    let now = access.now();
    let total = backups.len();
    let newest = newest(&backups, now);
    let mut by_guest: BTreeMap<Option<i64>, Vec<GatheredBackup>> = BTreeMap::new();
    for backup in backups {
        by_guest.entry(backup.row.vmid).or_default().push(backup);
    }
    let name_of = |vmid: Option<i64>| match guests {
        Ok(guests) => {
            let row = guests
                .iter()
                .find(|row| row.vmid.is_some() && row.vmid == vmid);
            KnownValue::or(
                row.and_then(|row| row.name.clone()),
                texts::backups::NO_SUCH_GUEST_NOW,
            )
        }
        Err(reason) => KnownValue::unknown(reason.clone()),
    };
    let without = match guests {
        Err(reason) => KnownValue::unknown(reason.clone()),
        Ok(_) if scope.storage.is_some() => {
            KnownValue::unknown(texts::backups::ASKED_FOR_ONE_STORAGE)
        }
        Ok(_) if scope.one_node => KnownValue::unknown(texts::backups::ASKED_FOR_ONE_NODE),
        Ok(_) if !incomplete.is_empty() => {
            KnownValue::unknown(texts::backups::LIST_OF_BACKUPS_IS_INCOMPLETE)
        }
        Ok(_) if !unseen.is_empty() => KnownValue::unknown(unseen.join("; ")),
        Ok(guests) => {
            let mut bare: Vec<Bare> = guests
                .iter()
                .filter(|row| row.template != Some(true) && !by_guest.contains_key(&row.vmid))
                .filter_map(|row| {
                    Some(Bare {
                        vmid: row.vmid?,
                        name: KnownValue::reported(row.name.clone()),
                    })
                })
                .collect();
            bare.sort_by_key(|bare| bare.vmid);
            KnownValue::Value(bare)
        }
    };
    let mut summary = format!(
        "{} of {}",
        count(total, "backup", "backups"),
        count(by_guest.len(), "guest", "guests")
    );
    if let Some(bare) = without.value().filter(|bare| !bare.is_empty()) {
        summary.push_str(&format!(
            ", {} without",
            count(bare.len(), "guest", "guests")
        ));
    }
    let summary = finish(summary, newest, &incomplete);
    let rows = by_guest
        .into_iter()
        .filter_map(|(vmid, backups)| {
            let first = backups.first()?;
            let mut storages: Vec<String> = backups
                .iter()
                .map(|backup| places[backup.place].storage.clone())
                .collect();
            storages.sort();
            storages.dedup();
            Some(GuestBackups {
                vmid: KnownValue::reported(vmid),
                name: name_of(vmid),
                count: backups.len(),
                newest_at: KnownValue::reported(first.row.ctime.map(rfc3339)),
                newest_age_hours: KnownValue::reported(age_hours(now, first.row.ctime)),
                newest_size_bytes: KnownValue::reported(first.row.size),
                newest_on: places[first.place].storage.clone(),
                newest_verification: verification(&first.row),
                storages,
            })
        })
        .collect();
    let (rows, cut) = fit(rows, ROWS_BYTES, "pass `vmid` or `node`");
    output(
        summary,
        &BackupsOut {
            backups: KnownValue::Value(rows),
            guests_without_backup: Some(without),
            cut,
            incomplete,
        },
    )
}

/// The time of a guest's newest backup on the storages that a node sees, in Unix seconds.
pub(super) async fn newest_of(
    access: &ClusterAccess,
    node: &NodeEntry,
    rights: &Rights,
    vmid: u32,
) -> Result<Option<i64>, String> {
    let nodes = std::slice::from_ref(node);
    let gathered = gather(access, nodes, rights, &BackupScope::of_guest(vmid, true))
        .await
        .map_err(|error| error.message)?;
    let times = gathered
        .backups
        .iter()
        .filter_map(|backup| backup.row.ctime);
    match times.max() {
        None if !gathered.incomplete.is_empty() => Err(gathered.incomplete.join("; ")),
        newest => Ok(newest),
    }
}
