//! Details of a node, guest or storage beside its figures and charts.

use homelab_wire::{AboutPage, Detail, ServiceEntry, SnapshotEntry, TaskPart};
use protocol::{ErrorBody, Known, Timestamp};

use super::{PageSubject, backups::backups, config};
use crate::{
    api::EntryKind,
    cluster_access::{ClusterAccess, NodeEntry},
    error::ProxmoxError,
    rights::Rights,
    task::{GatheredTask, tasks},
    texts,
    wire::{GuestStatus, ServiceRow, SnapshotRow, TaskRow},
};

/// Tasks listed.
const TASKS: usize = 50;

pub(super) async fn about(
    access: &ClusterAccess,
    thing: &PageSubject,
) -> Result<AboutPage, ErrorBody> {
    let mut page = match thing {
        PageSubject::Node(name) => Box::pin(node(access, access.node(name).await?)).await,
        PageSubject::Guest { vmid, node, kind } => {
            Box::pin(guest(access, &access.node(node).await?, *kind, *vmid)).await
        }
        PageSubject::Storage { node, name, .. } => storage(access, node, name).await,
    };
    if let Some((list, lacks)) = Box::pin(backups(access, thing)).await {
        page.backups = Some(list);
        page.backups_lack = lacks;
    }
    Ok(page)
}

fn blank(access: &ClusterAccess) -> AboutPage {
    AboutPage {
        at: Timestamp(access.now().saturating_mul(1000)),
        details: Vec::new(),
        config: None,
        snapshots: None,
        backups: None,
        backups_lack: Vec::new(),
        services: None,
        tasks: None,
        tasks_lack: Vec::new(),
    }
}

fn detail(name: &str, value: Known<String>) -> Detail {
    Detail {
        name: name.to_owned(),
        value,
    }
}

fn reported(value: Option<String>) -> Known<String> {
    Known::or(value, texts::NOT_REPORTED)
}

/// Converts an answer; an error becomes the reason that it is unknown.
fn known<T>(answer: Result<T, ProxmoxError>) -> Known<T> {
    match answer {
        Ok(value) => Known::Value(value),
        Err(error) => Known::unknown(error.reason()),
    }
}

/// A part of a known whole; unknown for the same reason as the whole.
fn of<T, U>(whole: &Known<T>, part: impl FnOnce(&T) -> Known<U>) -> Known<U> {
    match whole {
        Known::Value(whole) => part(whole),
        Known::Unknown { unknown } => Known::unknown(unknown.clone()),
    }
}

async fn node(access: &ClusterAccess, node: NodeEntry) -> AboutPage {
    let name = node.name.as_str();
    let mut page = blank(access);
    let (status, services, rows, cluster, rights) = match node.silence() {
        Some(reason) => {
            let reason = || Known::unknown(reason.clone());
            let (cluster, rights) =
                futures::join!(access.api.cluster_status(), access.api.rights());
            let tasks = Known::<Vec<TaskRow>>::unknown(texts::node_is_offline(name));
            (
                reason(),
                Known::unknown(texts::node_is_offline(name)),
                tasks,
                cluster,
                rights,
            )
        }
        None => {
            let (status, services, rows, cluster, rights) = futures::join!(
                access.api.node_status(name),
                access.api.services(name),
                access.api.node_tasks(name, TASKS, false),
                access.api.cluster_status(),
                access.api.rights(),
            );
            (known(status), known(services), known(rows), cluster, rights)
        }
    };
    let cluster = known(cluster);
    page.details = vec![
        detail(
            "Address",
            of(&cluster, |rows| {
                let row = rows
                    .iter()
                    .find(|row| row.r#type == "node" && row.name.as_deref() == Some(name));
                reported(row.and_then(|row| row.ip.clone()))
            }),
        ),
        detail(
            "Processor",
            of(&status, |status| {
                reported(status.cpuinfo.as_ref().and_then(|info| info.model.clone()))
            }),
        ),
        detail(
            texts::pages::PROXMOX_VE,
            of(&status, |status| reported(status.pveversion.clone())),
        ),
        detail(
            "Kernel",
            of(&status, |status| reported(status.kversion.clone())),
        ),
        detail(
            texts::pages::CAN_BE_WOKEN,
            Known::Value(yes_no(
                access
                    .config
                    .node_macs
                    .keys()
                    .any(|known| known.eq_ignore_ascii_case(name)),
            )),
        ),
        detail(
            texts::pages::SERVICES_THAT_MAY_BE_RESTARTED,
            Known::Value(match access.config.services.get(name) {
                Some(services) if !services.is_empty() => services.join(", "),
                _ => "none".to_owned(),
            }),
        ),
    ];
    page.services = Some(of(&services, |rows| Known::Value(running(rows))));
    let lacks = rights.lacks(&format!("/nodes/{name}"), &["Sys.Audit"]);
    (page.tasks, page.tasks_lack) = listed(rows, lacks);
    page
}

fn yes_no(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

/// The services installed on the node.
fn running(rows: &[ServiceRow]) -> Vec<ServiceEntry> {
    let mut services: Vec<ServiceEntry> = rows
        .iter()
        .filter(|row| row.unit_state.as_deref() != Some("not-found"))
        .map(|row| ServiceEntry {
            name: row.service.clone(),
            state: reported(row.state.clone().or_else(|| row.active_state.clone())),
        })
        .collect();
    services.sort_by(|a, b| a.name.cmp(&b.name));
    services
}

fn listed(
    rows: Known<Vec<TaskRow>>,
    lacks: Option<String>,
) -> (Option<Known<Vec<TaskPart>>>, Vec<String>) {
    let list = match rows {
        Known::Unknown { unknown } => Known::unknown(unknown),
        Known::Value(rows) => {
            let mut tasks = tasks(rows);
            tasks.truncate(TASKS);
            match lacks.clone() {
                Some(reason) if tasks.is_empty() => Known::unknown(reason),
                _ => Known::Value(tasks.iter().map(GatheredTask::part).collect()),
            }
        }
    };
    let lacks = lacks.filter(|_| list.value().is_some());
    (
        Some(list),
        lacks
            .map(|reason| texts::only_own_tasks(&reason))
            .into_iter()
            .collect(),
    )
}

async fn guest(access: &ClusterAccess, node: &NodeEntry, kind: EntryKind, vmid: u32) -> AboutPage {
    let mut page = blank(access);
    let name = node.name.as_str();
    if let Some(reason) = node.silence() {
        page.config = Some(Known::unknown(reason.clone()));
        page.snapshots = Some(Known::unknown(reason.clone()));
        page.tasks = Some(Known::unknown(reason));
        return page;
    }
    let (status, configured, snapshots, rows, rights) = futures::join!(
        access.api.guest_status(name, kind, vmid),
        access.api.guest_settings(name, kind, vmid),
        access.api.snapshots(name, kind, vmid),
        access.api.tasks_about(name, vmid, None),
        access.api.rights(),
    );
    page.details = standing(&known(status), kind, access, vmid, &rights);
    page.config = Some(of(&known(configured), |configured| {
        Known::Value(config::entries(configured))
    }));
    page.snapshots = Some(of(&known(snapshots), |rows| Known::Value(kept(rows))));
    let lacks = rights.lacks(&format!("/nodes/{name}"), &["Sys.Audit"]);
    (page.tasks, page.tasks_lack) = listed(known(rows), lacks);
    page
}

fn standing(
    status: &Known<GuestStatus>,
    kind: EntryKind,
    access: &ClusterAccess,
    vmid: u32,
    rights: &Rights,
) -> Vec<Detail> {
    let mut details = Vec::new();
    if kind == EntryKind::Qemu {
        details.push(detail(
            "Process",
            of(status, |status| {
                let state = status.state().value().cloned();
                reported(match (state, status.pid) {
                    (Some(state), Some(pid)) => Some(texts::pages::state_with_pid(&state, pid)),
                    (state, _) => state,
                })
            }),
        ));
    }
    details.push(detail(
        texts::HIGH_AVAILABILITY,
        of(status, |status| match &status.ha {
            Some(ha) if ha.managed == Some(true) => {
                let state = ha
                    .state
                    .as_deref()
                    .unwrap_or(texts::pages::STATE_NOT_REPORTED);
                Known::Value(format!("managed, {state}"))
            }
            Some(_) => Known::Value(texts::NOT_MANAGED.to_owned()),
            None => Known::unknown(texts::NOT_REPORTED),
        }),
    ));
    let protected = access.config.protected_guests.contains(&vmid);
    details.push(detail(
        texts::pages::PROTECTED_HERE,
        Known::Value(yes_no(protected)),
    ));
    let may = rights.lacks(&format!("/vms/{vmid}"), &["VM.PowerMgmt"]);
    details.push(detail(
        texts::pages::MAY_BE_STARTED_AND_STOPPED,
        Known::Value(may.map_or_else(|| yes_no(true), |reason| format!("no: {reason}"))),
    ));
    details
}

/// Snapshots, newest first. The entry `current` is left out: it is the guest's present state.
fn kept(rows: &[SnapshotRow]) -> Vec<SnapshotEntry> {
    let mut snapshots: Vec<SnapshotEntry> = rows
        .iter()
        .filter(|row| row.name != "current")
        .map(|row| SnapshotEntry {
            name: row.name.clone(),
            at: row.snaptime.map(|at| Timestamp(at.saturating_mul(1000))),
            text: row
                .description
                .as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
            parent: row.parent.clone(),
            memory: row.vmstate,
        })
        .collect();
    snapshots.sort_by_key(|snapshot| std::cmp::Reverse(snapshot.at));
    snapshots
}

async fn storage(access: &ClusterAccess, node: &str, name: &str) -> AboutPage {
    let mut page = blank(access);
    let rows = known(access.api.storages(node).await);
    let row = |field: fn(&crate::wire::StorageRow) -> Option<String>| {
        of(&rows, |rows| {
            let row = rows.iter().find(|row| row.storage == name);
            reported(row.and_then(field))
        })
    };
    page.details = vec![
        detail("Kind", row(|row| row.r#type.clone())),
        detail(
            "For",
            row(|row| row.content.as_ref().map(|it| it.replace(',', ", "))),
        ),
        detail("Shared", row(|row| row.shared.map(yes_no))),
        detail(
            texts::pages::SWITCHED_ON,
            row(|row| row.enabled.map(yes_no)),
        ),
        detail(
            texts::pages::IN_REACH_OF_ITS_NODE,
            row(|row| row.active.map(yes_no)),
        ),
        detail(
            texts::pages::READ_THROUGH,
            Known::Value(format!("node {node}")),
        ),
    ];
    page
}
