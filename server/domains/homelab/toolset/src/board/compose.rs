//! Builds the parts of the board from the known state.

mod backups;
mod guests;
mod nights;
mod nodes;
pub(super) mod offers;
mod storages;
mod tasks;

use agent::ports::Picture;
use homelab_wire::{ClusterPart, OffersPart, Past, ReadingPart};
use protocol::{Known, Timestamp};
use serde::Serialize;

use super::{reading::BoardReading, seen::SeenTasks};
use crate::{cluster_access::ClusterAccess, error::ProxmoxError, texts};

pub(super) fn picture(access: &ClusterAccess, seen: &SeenTasks, offers: &OffersPart) -> Picture {
    let mut picture = Picture::new();
    let nodes = nodes::parts(access, seen);
    let backups = backups::gather(access, seen);
    let guests = guests::parts(seen, &backups);
    let storages = storages::parts(seen);
    let cluster = cluster(access, seen, &nodes, &guests);
    put(&mut picture, "backups".to_owned(), &backups.part);
    put(&mut picture, "reading/backups".to_owned(), &backups.reading);
    put(&mut picture, "cluster".to_owned(), &cluster);
    put(&mut picture, "offers".to_owned(), offers);
    for (name, source, reading) in [
        ("quorum", "GET /cluster/status", told(&seen.quorum)),
        ("overview", "GET /cluster/resources", told(&seen.overview)),
        ("tasks", "GET /cluster/tasks", told(&seen.tasks)),
    ] {
        let (at, trouble) = reading;
        let part = ReadingPart {
            source: source.to_owned(),
            at,
            trouble,
        };
        put(&mut picture, format!("reading/{name}"), &part);
    }
    for node in &nodes {
        put(&mut picture, format!("node/{}", node.name), node);
        if let Some(history) = nodes::history(seen, &node.name, access.now()) {
            put(&mut picture, format!("history/{}", node.name), &history);
        }
    }
    for guest in &guests {
        put(&mut picture, format!("guest/{}", guest.vmid), guest);
    }
    for (key, storage) in &storages {
        put(&mut picture, key.clone(), storage);
        if let Some(trend) = storages::trend(seen, key) {
            put(&mut picture, key.replacen("storage", "trend", 1), &trend);
        }
    }
    for task in tasks::parts(access, seen) {
        put(&mut picture, format!("task/{}", task.upid), &task);
    }
    picture
}

fn put(picture: &mut Picture, key: String, part: &impl Serialize) {
    match serde_json::to_value(part) {
        Ok(value) => {
            picture.insert(key, value);
        }
        // Serialisation fails only for maps with non-string keys, and no part has one.
        Err(error) => tracing::error!(%error, key, "a part of the board cannot be written"),
    }
}

fn stamp(seconds: i64) -> Timestamp {
    Timestamp(seconds.saturating_mul(1000))
}

/// The time of the last answer to a query, and the reason that there is no newer one.
fn told<T>(reading: &BoardReading<T>) -> (Option<Timestamp>, Option<String>) {
    let trouble = reading.trouble.as_ref().map(ProxmoxError::reason);
    (reading.at().map(stamp), trouble)
}

/// Converts a size or length; `None` if it is negative.
fn amount(value: Option<i64>) -> Option<u64> {
    value.and_then(|value| u64::try_from(value).ok())
}

fn reported<T>(value: Option<T>) -> Known<T> {
    Known::or(value, texts::NOT_REPORTED)
}

/// The privileges, missing or unknown, for which a list may lack rows. Empty until they are known.
fn lacks(seen: &SeenTasks, path: &str, privileges: &[&str]) -> Vec<String> {
    let rights = seen.rights.as_ref();
    rights.map_or_else(Vec::new, |rights| rights.lacks_below(path, privileges))
}

/// The mark of a row that is listed without current figures.
fn past(seen: &SeenTasks, key: &str, reason: String) -> Past {
    let at = seen.remembered.get(key).map(|(at, _)| stamp(*at));
    Past { at, reason }
}

/// The reason that nothing on a node has current data, if its node is offline.
fn silence(seen: &SeenTasks, node: &str) -> Option<String> {
    let row = seen.node_rows().get(node).copied()?;
    super::seen::is_offline(row).then(|| texts::board::node_does_not_answer(node))
}

fn cluster(
    access: &ClusterAccess,
    seen: &SeenTasks,
    nodes: &[homelab_wire::NodePart],
    guests: &[homelab_wire::GuestPart],
) -> ClusterPart {
    let whole = seen
        .quorum
        .value()
        .map(|rows| rows.iter().find(|row| row.r#type == "cluster"));
    let alone = texts::BELONGS_TO_NO_CLUSTER;
    let unknown = || match &seen.quorum.trouble {
        Some(error) => error.reason(),
        None => texts::board::NOT_ASKED.to_owned(),
    };
    let quorate = match whole {
        // An old answer says nothing about the quorum now.
        _ if seen.quorum.trouble.is_some() => Known::unknown(unknown()),
        None => Known::unknown(unknown()),
        Some(None) => Known::unknown(alone),
        Some(Some(row)) => reported(row.quorate),
    };
    let own = whole.flatten().and_then(|row| row.name.clone());
    let name = match (access.config.name.clone().or(own), whole) {
        (Some(name), _) => Known::Value(name),
        (None, Some(_)) => Known::unknown(alone),
        (None, None) => Known::unknown(unknown()),
    };
    let guests_lack = lacks(seen, "/vms", &["VM.Audit"]);
    let tasks_lack = seen
        .rights
        .as_ref()
        .and_then(|rights| rights.lacks("/", &["Sys.Audit"]));
    let overview = seen.overview.trouble.as_ref().map(ProxmoxError::reason);
    ClusterPart {
        name,
        quorate,
        nodes: match &overview {
            Some(reason) => Known::unknown(reason),
            None => Known::Value(nodes::counts(nodes)),
        },
        guests: match &overview {
            Some(reason) => Known::unknown(reason),
            None if guests.is_empty() && !guests_lack.is_empty() => {
                Known::unknown(guests_lack.join("; "))
            }
            None => Known::Value(guests::counts(guests)),
        },
        guarded: access.config.notices.enabled,
        storage_warning_percent: access.config.storage_warning_percent.into(),
        storage_full_percent: Some(access.config.notices.full_percent.into()),
        guests_lack,
        storages_lack: lacks(
            seen,
            "/storage",
            &["Datastore.Audit", "Datastore.AllocateSpace"],
        ),
        tasks_lack: tasks_lack
            .map(|reason| texts::only_own_tasks(&reason))
            .into_iter()
            .collect(),
    }
}
