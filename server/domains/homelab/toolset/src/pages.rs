//! Queries of the pages of nodes, guests, storages and tasks; read-only.

mod about;
mod backups;
mod charts;
mod config;
mod measured;
mod task;

use homelab_wire::ChartsPage;
use protocol::{ErrorBody, ErrorCode, PageQuery};
use serde::Serialize;
use serde_json::Value;

use crate::{api::EntryKind, cluster_access::ClusterAccess, measurements::MeasuredSubject, texts};

/// Longest name accepted; no name in a cluster is longer.
const MAX_NAME: usize = 512;

/// An entity with a page.
#[derive(Debug, Clone, PartialEq)]
enum PageSubject {
    Node(String),
    Guest {
        vmid: u32,
        node: String,
        kind: EntryKind,
    },
    Storage {
        node: String,
        name: String,
        shared: bool,
    },
}

/// Answers a page's query.
pub(crate) async fn page(access: &ClusterAccess, query: &PageQuery) -> Result<Value, ErrorBody> {
    if query.name.len() > MAX_NAME {
        return Err(nothing(&query.kind));
    }
    if query.kind == "task" {
        let from = query.part.strip_prefix("log/").map(str::parse);
        let Some(Ok(from)) = from else {
            return Err(nothing(texts::pages::PART_OF_PAGE));
        };
        return written(&Box::pin(task::log(access, &query.name, from)).await?);
    }
    let (kind, name) = (query.kind.as_str(), query.name.as_str());
    if let Some(("charts", span)) = query.part.split_once('/') {
        return written(&Box::pin(past(access, kind, name, span, charts::MAX_POINTS)).await?);
    }
    let thing = find(access, kind, name).await?;
    match query.part.as_str() {
        "about" => written(&Box::pin(about::about(access, &thing)).await?),
        _ => Err(nothing(texts::pages::PART_OF_PAGE)),
    }
}

/// The history of an entity for the charts of its page, with at most `most` points.
///
/// It is Proxmox's own where that answers. Otherwise it is what Jarvis has measured, and the source
/// says so, with the reason. A node's temperature is always Jarvis's: Proxmox records none.
pub(crate) async fn past(
    access: &ClusterAccess,
    kind: &str,
    name: &str,
    span: &str,
    most: usize,
) -> Result<ChartsPage, ErrorBody> {
    let (error, subjects) = match find(access, kind, name).await {
        Ok(thing) => match charts::charts(access, &thing, span, most).await {
            Ok(mut page) => {
                if let PageSubject::Node(node) = &thing {
                    measured::add_temperature(access, node, span, &mut page).await;
                }
                return Ok(page);
            }
            Err(error) => (error, thing.measured().into_iter().collect()),
        },
        Err(error) => (error, measured_as(kind, name)),
    };
    // A name or a span that does not exist is the caller's mistake.
    if error.code == ErrorCode::ToolInputInvalid {
        return Err(error);
    }
    let page = measured::charts(access, &subjects, span, most, &error).await;
    page.ok_or(error)
}

/// The subjects that a name may mean while Proxmox cannot be asked, in order of preference.
fn measured_as(kind: &str, name: &str) -> Vec<MeasuredSubject> {
    let subjects = match (kind, name.split_once('/')) {
        ("node", _) => [MeasuredSubject::node(name), None],
        ("guest", _) => [name.parse().ok().map(MeasuredSubject::guest), None],
        // A shared storage has no node in its name, but may be asked for on one.
        ("storage", Some((node, name))) => [
            MeasuredSubject::storage(Some(node), name),
            MeasuredSubject::storage(None, name),
        ],
        ("storage", None) => [MeasuredSubject::storage(None, name), None],
        _ => [None, None],
    };
    subjects.into_iter().flatten().collect()
}

impl PageSubject {
    /// The name under which it is measured.
    fn measured(&self) -> Option<MeasuredSubject> {
        match self {
            Self::Node(name) => MeasuredSubject::node(name),
            Self::Guest { vmid, .. } => Some(MeasuredSubject::guest(*vmid)),
            Self::Storage { node, name, shared } => {
                MeasuredSubject::storage(Some(node.as_str()).filter(|_| !shared), name)
            }
        }
    }
}

async fn find(access: &ClusterAccess, kind: &str, name: &str) -> Result<PageSubject, ErrorBody> {
    match kind {
        "node" => Ok(PageSubject::Node(access.node(name).await?.name)),
        "guest" => guest(access, name).await,
        "storage" => storage(access, name).await,
        _ => Err(nothing("page")),
    }
}

async fn guest(access: &ClusterAccess, name: &str) -> Result<PageSubject, ErrorBody> {
    let vmid: u32 = name.parse().map_err(|_| nothing("guest"))?;
    let rows = access.api.resources().await.map_err(|error| error.body())?;
    let row = rows
        .into_iter()
        .find(|row| row.vmid == Some(i64::from(vmid)));
    if let Some(row) = row
        && let Some(node) = row.node
    {
        let kind = match row.r#type.as_str() {
            "lxc" => EntryKind::Lxc,
            _ => EntryKind::Qemu,
        };
        return Ok(PageSubject::Guest { vmid, node, kind });
    }
    // A caller who may not see a guest gets the same answer as for a guest that does not exist.
    let lacks = access.api.rights().await;
    let lacks = lacks.lacks(&format!("/vms/{vmid}"), &["VM.Audit"]);
    Err(match lacks {
        Some(reason) => ErrorBody::new(
            ErrorCode::ToolPermission,
            texts::pages::guest_is_not_visible(vmid, &reason),
        ),
        None => ErrorBody::new(ErrorCode::ToolInputInvalid, texts::no_such_guest(vmid)),
    })
}

/// Finds `NODE/NAME`, or `NAME` of a shared storage.
async fn storage(access: &ClusterAccess, name: &str) -> Result<PageSubject, ErrorBody> {
    let (node, name) = match name.split_once('/') {
        Some((node, name)) => (Some(node), name),
        None => (None, name),
    };
    let rows = access.api.resources().await.map_err(|error| error.body())?;
    let mut holders: Vec<(bool, String, bool)> = rows
        .into_iter()
        .filter(|row| row.storage.as_deref() == Some(name))
        .filter(|row| match node {
            Some(node) => row.node.as_deref() == Some(node),
            None => row.shared == Some(true),
        })
        .filter_map(|row| {
            let is_away = row.status.as_deref() != Some("available");
            Some((is_away, row.node?, row.shared == Some(true)))
        })
        .collect();
    // Prefers a node on which it is available.
    holders.sort();
    let found = holders
        .into_iter()
        .next()
        .map(|(_, node, shared)| PageSubject::Storage {
            node,
            name: name.to_owned(),
            shared,
        });
    if let Some(found) = found {
        return Ok(found);
    }
    // As for a guest: the same answer whether it does not exist or may not be seen.
    let rights = access.api.rights().await;
    let needed = ["Datastore.Audit", "Datastore.AllocateSpace"];
    Err(match rights.lacks(&format!("/storage/{name}"), &needed) {
        Some(reason) => ErrorBody::new(
            ErrorCode::ToolPermission,
            texts::pages::storage_is_not_visible(&reason),
        ),
        None => nothing("storage"),
    })
}

fn nothing(what: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, texts::pages::no_such(what))
}

fn written(page: &impl Serialize) -> Result<Value, ErrorBody> {
    serde_json::to_value(page).map_err(|error| {
        ErrorBody::new(
            ErrorCode::Internal,
            texts::pages::page_cannot_be_written(&error),
        )
    })
}
