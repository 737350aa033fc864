//! Search for backups: the storages with them, the caller's privileges, and the hidden rows.

use std::collections::BTreeSet;

use futures::future::join_all;
use protocol::{ErrorBody, ErrorCode};

use crate::{
    cluster_access::{ClusterAccess, NodeEntry, each},
    error::{ProxmoxError, missing},
    rights::Rights,
    texts,
    wire::BackupRow,
};

/// A storage with backups, and a node through which it can be read.
pub(crate) struct BackupPlace {
    pub node: String,
    pub storage: String,
    pub shared: bool,
}

pub(crate) struct GatheredBackup {
    /// Index of its storage in the places.
    pub place: usize,
    pub row: BackupRow,
}

pub(crate) struct Gathered {
    pub places: Vec<BackupPlace>,
    /// The backups, newest first.
    pub backups: Vec<GatheredBackup>,
    /// Reasons why backups may be missing.
    pub incomplete: Vec<String>,
}

/// The part of the backups that was asked for.
pub(crate) struct BackupScope<'a> {
    /// True if the nodes are not all there are.
    pub one_node: bool,
    pub storage: Option<&'a str>,
    pub vmid: Option<i64>,
}

impl BackupScope<'_> {
    /// All backups of a guest on the nodes that are asked.
    pub(crate) fn of_guest(vmid: u32, one_node: bool) -> Self {
        Self {
            one_node,
            storage: None,
            vmid: Some(vmid.into()),
        }
    }
}

/// The backups on the storages that these nodes see.
///
/// # Errors
/// If no node knows the storage that was asked for as one with backups.
pub(crate) async fn gather(
    access: &ClusterAccess,
    nodes: &[NodeEntry],
    rights: &Rights,
    scope: &BackupScope<'_>,
) -> Result<Gathered, ErrorBody> {
    let vmid = scope.vmid;
    let mut known = BTreeSet::new();
    let mut incomplete =
        rights.lacks_below("/storage", &["Datastore.Audit", "Datastore.AllocateSpace"]);
    let mut places: Vec<BackupPlace> = Vec::new();
    let mut unavailable = Vec::new();
    for (node, answer) in each(nodes, |node| access.api.storages(&node.name)).await? {
        let rows = match answer {
            Ok(rows) => rows,
            Err(reason) => {
                incomplete.push(if scope.one_node {
                    reason
                } else {
                    texts::backups::unreadable_backups_not_listed(&reason)
                });
                continue;
            }
        };
        for row in rows {
            let holds_backups = row
                .content
                .as_deref()
                .is_some_and(|content| content.split(',').any(|kind| kind.trim() == "backup"));
            if !holds_backups || row.enabled == Some(false) {
                continue;
            }
            known.insert(row.storage.clone());
            if scope.storage.is_some_and(|storage| storage != row.storage) {
                continue;
            }
            if row.active == Some(false) {
                unavailable.push((node.name.clone(), row));
                continue;
            }
            let shared = row.shared == Some(true);
            if !places.iter().any(|place| shared && place.is(&row.storage)) {
                places.push(BackupPlace {
                    node: node.name.clone(),
                    storage: row.storage,
                    shared,
                });
            }
        }
    }
    if let Some(storage) = scope.storage.filter(|storage| !known.contains(*storage)) {
        return Err(no_storage(storage, &known, &incomplete));
    }
    // A shared storage that another node can read is not missing.
    for (node, row) in unavailable {
        let elsewhere =
            row.shared == Some(true) && places.iter().any(|place| place.is(&row.storage));
        if !elsewhere {
            incomplete.push(texts::backups::storage_is_not_available_on_node(
                &row.storage,
                &node,
            ));
        }
    }
    let names: Vec<&str> = places.iter().map(|place| place.storage.as_str()).collect();
    incomplete.extend(hidden_backups(&names, rights, vmid));
    let lists = join_all(
        places
            .iter()
            .map(|place| access.api.backups(&place.node, &place.storage, vmid)),
    )
    .await;
    let mut backups = Vec::new();
    for (index, list) in lists.into_iter().enumerate() {
        match list {
            Ok(rows) => backups.extend(
                rows.into_iter()
                    .map(|row| GatheredBackup { place: index, row }),
            ),
            Err(error @ ProxmoxError::Unauthorised { .. }) => return Err(error.body()),
            Err(error) => incomplete.push(format!(
                "storage {}: {}",
                places[index].storage,
                error.reason()
            )),
        }
    }
    backups.sort_by_key(|backup| std::cmp::Reverse(backup.row.ctime));
    Ok(Gathered {
        places,
        backups,
        incomplete,
    })
}

/// Backups, each with its storage, and the reasons why some may be missing.
type Found = (Vec<(String, BackupRow)>, Vec<String>);

/// The backups of a guest on all storages.
pub(crate) async fn backups_of(access: &ClusterAccess, vmid: u32) -> Result<Found, String> {
    let (nodes, rights) = futures::join!(access.nodes(), access.api.rights());
    let nodes = nodes.map_err(|error| error.reason())?;
    let gathered = gather(access, &nodes, &rights, &BackupScope::of_guest(vmid, false))
        .await
        .map_err(|error| error.message)?;
    let places = gathered.places;
    let backups = gathered.backups.into_iter();
    let backups = backups.map(|backup| (places[backup.place].storage.clone(), backup.row));
    Ok((backups.collect(), gathered.incomplete))
}

fn no_storage(storage: &str, known: &BTreeSet<String>, incomplete: &[String]) -> ErrorBody {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut message = if known.is_empty() {
        texts::backups::no_storage_with_backups_is_known(storage)
    } else {
        texts::backups::no_storage_has_backups_these_do(storage, &known.join(", "))
    };
    if !incomplete.is_empty() {
        message.push_str(&texts::backups::not_all_could_be_read(
            &incomplete.join("; "),
        ));
    }
    ErrorBody::new(ErrorCode::ToolInputInvalid, message)
        .with_help(texts::backups::GET_STORAGE_LISTS_STORAGES)
}

impl BackupPlace {
    /// Returns whether this is the shared storage of that name.
    fn is(&self, storage: &str) -> bool {
        self.shared && self.storage == storage
    }
}

/// The reasons why a list may lack backups although it came without an error: Proxmox VE drops a
/// row unless the caller may allocate space on the storage and back up the guest, or allocate the
/// storage itself.
pub(crate) fn hidden_backups(storages: &[&str], rights: &Rights, vmid: Option<i64>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let mut reasons = Vec::new();
    let mut guests_matter = false;
    for storage in storages {
        let path = format!("/storage/{storage}");
        if rights.lacks(&path, &["Datastore.Allocate"]).is_none() || paths.contains(&path) {
            continue;
        }
        guests_matter = true;
        if rights.lacks(&path, &["Datastore.AllocateSpace"]).is_some() {
            paths.push(path);
        }
    }
    if !paths.is_empty() {
        reasons.push(missing(&["Datastore.AllocateSpace"], &paths.join(", ")));
    }
    if guests_matter {
        match vmid {
            Some(vmid) => reasons.extend(rights.lacks(&format!("/vms/{vmid}"), &["VM.Backup"])),
            None => reasons.extend(rights.lacks_below("/vms", &["VM.Backup"])),
        }
    }
    reasons
}
