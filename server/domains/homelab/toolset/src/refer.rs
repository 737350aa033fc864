//! References to nodes, guests, storages and tasks: their form, the facts behind them, and their
//! names in texts.

use std::time::Duration;

use protocol::{Name, Reference};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    api::EntryKind,
    cluster_access::ClusterAccess,
    own_state,
    task::{Upid, tasks},
    texts,
    tools::{guest_brief, node_out, storage_brief, storages, task_out},
    wire::{ResourceRow, is_guest},
};

/// A parsed reference.
#[derive(Debug, PartialEq, Eq)]
enum ReferredThing<'a> {
    Node(&'a str),
    Guest(i64),
    Storage {
        /// `None` for a shared storage.
        node: Option<&'a str>,
        name: &'a str,
    },
    Task(Upid<'a>),
}

impl<'a> ReferredThing<'a> {
    fn of(reference: &'a Reference) -> Option<Self> {
        let id = reference.id.as_str();
        Some(match reference.kind.as_str() {
            "node" if is_name(id) => Self::Node(id),
            "guest" if id.bytes().all(|byte| byte.is_ascii_digit()) => {
                Self::Guest(id.parse().ok()?)
            }
            "storage" => match id.split_once('/') {
                Some((node, name)) if is_name(node) && is_name(name) => Self::Storage {
                    node: Some(node),
                    name,
                },
                None if is_name(id) => Self::Storage {
                    node: None,
                    name: id,
                },
                _ => return None,
            },
            "task" if id.chars().all(|c| c.is_ascii_graphic()) => Self::Task(Upid::parse(id)?),
            _ => return None,
        })
    }
}

/// Returns whether the text has only letters, digits, `-`, `_` and `.`, as names of nodes and
/// storages do.
fn is_name(text: &str) -> bool {
    (1..=100).contains(&text.len())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

pub(crate) fn refers(reference: &Reference) -> bool {
    ReferredThing::of(reference).is_some()
}

/// Describes an entity to the model: a row as the tools show it, from the same answers.
pub(crate) async fn describe(
    access: &ClusterAccess,
    reference: &Reference,
) -> Result<Value, String> {
    let thing = ReferredThing::of(reference).ok_or(texts::systems::NOT_A_CLUSTER_REFERENCE)?;
    match thing {
        ReferredThing::Node(name) => {
            let nodes = access.nodes().await.map_err(|error| error.reason())?;
            let node = nodes.iter().find(|node| node.name == name);
            value(&node_out(
                access,
                node.ok_or(texts::systems::CLUSTER_HAS_NO_SUCH_NODE)?,
            ))
        }
        ReferredThing::Guest(vmid) => {
            // The context waits for this, so a slow node must not cost the whole answer.
            let patience = Duration::from_millis(access.config.context_ms / 2);
            let rows = own_state::resources(&access.api, patience);
            let rows = rows.await.map_err(|error| error.reason())?;
            let guest = rows
                .iter()
                .filter(is_guest)
                .find(|row| row.vmid == Some(vmid));
            match guest {
                Some(row) => {
                    let mut known = value(&guest_brief(row))?;
                    known["tags"] = json!(row.tags);
                    known["locked_by"] = json!(row.lock);
                    Ok(known)
                }
                None => Err(unseen(access, "guest", "/vms", &["VM.Audit"]).await),
            }
        }
        ReferredThing::Storage { node, name } => {
            let rows = access
                .api
                .resources()
                .await
                .map_err(|error| error.reason())?;
            let known = storages(&rows);
            let storage = known
                .into_iter()
                .find(|row| row.storage.as_deref() == Some(name) && place(row) == node);
            match storage {
                Some(row) => {
                    let mut known = value(&storage_brief(row))?;
                    known["type"] = json!(row.plugintype);
                    known["content"] = json!(row.content);
                    Ok(known)
                }
                None => Err(unseen(access, "storage", "/storage", &["Datastore.Audit"]).await),
            }
        }
        ReferredThing::Task(upid) => {
            let rows = access.api.cluster_tasks().await;
            let known = tasks(rows.map_err(|error| error.reason())?);
            match known.into_iter().find(|task| task.upid == upid.text) {
                Some(task) => value(&task_out(task)),
                // The UPID alone says this much.
                None => Ok(json!({
                    "type": upid.kind,
                    "about": upid.id,
                    "node": upid.node,
                    "user": upid.user,
                    "outcome": { "unknown": texts::systems::IT_IS_NOT_AMONG_NEWEST_TASKS },
                })),
            }
        }
    }
}

/// The reason that an entity is not visible.
async fn unseen(access: &ClusterAccess, what: &str, path: &str, privileges: &[&str]) -> String {
    let lacks = access.api.rights().await.lacks_below(path, privileges);
    if lacks.is_empty() {
        texts::systems::cluster_has_no_such(what)
    } else {
        texts::systems::no_such_is_to_be_seen(what, &lacks.join("; "))
    }
}

/// The names of nodes, guests and storages in the newest overview.
pub(crate) async fn names(access: &ClusterAccess) -> Option<Vec<Name>> {
    let rows = access.resources().await.ok()?;
    let name = |name: String, kind: &str, id: String, note: String| Name {
        note,
        ..Name::new(name, Reference::new(kind, id))
    };
    let mut names = Vec::new();
    for node in rows.iter().filter(|row| row.r#type == "node") {
        names.extend(
            node.node
                .clone()
                .map(|node| name(node.clone(), "node", node, texts::context::NODE.to_owned())),
        );
    }
    for guest in rows.iter().filter(is_guest) {
        let Some(vmid) = guest.vmid else { continue };
        let noun = match guest.r#type.as_str() {
            "lxc" => EntryKind::Lxc.noun(),
            _ => EntryKind::Qemu.noun(),
        };
        let said = format!("{noun} {vmid}");
        let note = match &guest.node {
            Some(node) => format!("{said} · {node}"),
            None => said.clone(),
        };
        let named = guest.name.clone();
        names.push(name(said, "guest", vmid.to_string(), String::new()));
        names.extend(named.map(|it| name(it, "guest", vmid.to_string(), note)));
    }
    for storage in storages(&rows) {
        let Some(it) = storage.storage.clone() else {
            continue;
        };
        let (id, note) = match place(storage) {
            Some(node) => (format!("{node}/{it}"), texts::context::storage_of(node)),
            None => (it.clone(), texts::context::SHARED_STORAGE.to_owned()),
        };
        names.push(name(it, "storage", id, note));
    }
    names.retain(|name| refers(&name.of));
    Some(names)
}

/// The node of a storage that is not shared.
fn place(row: &ResourceRow) -> Option<&str> {
    row.node.as_deref().filter(|_| row.shared != Some(true))
}

fn value(known: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(known).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_a_form() {
        let upid = "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam:";
        for (kind, id, expect) in [
            ("node", "pve", true),
            ("node", "", false),
            ("node", "pve/../root", false),
            ("node", "p\u{202e}ve", false),
            ("guest", "101", true),
            ("guest", "", false),
            ("guest", "-1", false),
            ("guest", "101 or all", false),
            ("guest", "99999999999999999999", false),
            ("storage", "nas", true),
            ("storage", "pve/local-zfs", true),
            ("storage", "pve/a/b", false),
            ("task", upid, true),
            ("task", "UPID:pve:1:2", false),
            (
                "task",
                "UPID:pve:0000C530:001C9BEC:677E934A:a b:100:root@pam:",
                false,
            ),
            ("service", "pveproxy", false),
        ] {
            assert_eq!(refers(&Reference::new(kind, id)), expect, "{kind} {id}");
        }
    }
}
