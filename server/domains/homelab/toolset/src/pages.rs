//! Queries of the pages of nodes, guests, storages and tasks; read-only.

mod about;
mod backups;
mod charts;
mod config;
mod task;

use homelab_wire::ChartsPage;
use protocol::{ErrorBody, ErrorCode, PageQuery};
use serde::Serialize;
use serde_json::Value;

use crate::{api::EntryKind, lab::Lab, texts};

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
    },
}

/// Answers a page's query.
pub(crate) async fn page(lab: &Lab, query: &PageQuery) -> Result<Value, ErrorBody> {
    if query.name.len() > MAX_NAME {
        return Err(nothing(&query.kind));
    }
    if query.kind == "task" {
        let from = query.part.strip_prefix("log/").map(str::parse);
        let Some(Ok(from)) = from else {
            return Err(nothing(texts::pages::PART_OF_PAGE));
        };
        return written(&Box::pin(task::log(lab, &query.name, from)).await?);
    }
    let thing = find(lab, &query.kind, &query.name).await?;
    match query.part.split_once('/') {
        None if query.part == "about" => written(&Box::pin(about::about(lab, &thing)).await?),
        Some(("charts", span)) => {
            written(&Box::pin(charts::charts(lab, &thing, span, charts::MAX_POINTS)).await?)
        }
        _ => Err(nothing(texts::pages::PART_OF_PAGE)),
    }
}

/// The history of an entity for the charts of its page, with at most `most` points.
pub(crate) async fn past(
    lab: &Lab,
    kind: &str,
    name: &str,
    span: &str,
    most: usize,
) -> Result<ChartsPage, ErrorBody> {
    let thing = find(lab, kind, name).await?;
    charts::charts(lab, &thing, span, most).await
}

async fn find(lab: &Lab, kind: &str, name: &str) -> Result<PageSubject, ErrorBody> {
    match kind {
        "node" => Ok(PageSubject::Node(lab.node(name).await?.name)),
        "guest" => guest(lab, name).await,
        "storage" => storage(lab, name).await,
        _ => Err(nothing("page")),
    }
}

async fn guest(lab: &Lab, name: &str) -> Result<PageSubject, ErrorBody> {
    let vmid: u32 = name.parse().map_err(|_| nothing("guest"))?;
    let rows = lab.api.resources().await.map_err(|error| error.body())?;
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
    let lacks = lab.api.rights().await;
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
async fn storage(lab: &Lab, name: &str) -> Result<PageSubject, ErrorBody> {
    let (node, name) = match name.split_once('/') {
        Some((node, name)) => (Some(node), name),
        None => (None, name),
    };
    let rows = lab.api.resources().await.map_err(|error| error.body())?;
    let mut holders: Vec<(bool, String)> = rows
        .into_iter()
        .filter(|row| row.storage.as_deref() == Some(name))
        .filter(|row| match node {
            Some(node) => row.node.as_deref() == Some(node),
            None => row.shared == Some(true),
        })
        .filter_map(|row| Some((row.status.as_deref() != Some("available"), row.node?)))
        .collect();
    // Prefers a node on which it is available.
    holders.sort();
    let found = holders
        .into_iter()
        .next()
        .map(|(_, node)| PageSubject::Storage {
            node,
            name: name.to_owned(),
        });
    found.ok_or_else(|| ErrorBody::new(ErrorCode::ToolInputInvalid, texts::pages::NO_SUCH_STORAGE))
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
