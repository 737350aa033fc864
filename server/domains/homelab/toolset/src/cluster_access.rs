//! Shared base of all tools: the API, the operator's configuration, the time, the known nodes.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use futures::future::join_all;
use protocol::{ErrorBody, ErrorCode};

use crate::{
    Config,
    api::Api,
    error::ProxmoxError,
    measurements::OwnMeasurements,
    ssh::SshClient,
    texts,
    wire::{NodeRow, ResourceRow, is_guest},
};

pub(crate) struct ClusterAccess {
    pub api: Api,
    /// `None` if SSH is not configured.
    pub ssh: Option<SshClient>,
    pub config: Config,
    pub clock: Clock,
    /// Start times of guests as first reported, in Unix seconds; see [`crate::tools::power`].
    pub starts: Mutex<HashMap<u32, i64>>,
    /// The guests in the newest overview.
    pub guests: Mutex<Arc<[KnownGuest]>>,
    /// Empty without a store of measurements.
    pub measurements: OnceLock<Arc<OwnMeasurements>>,
}

/// A guest in the newest overview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownGuest {
    pub vmid: u32,
    pub name: Option<String>,
    pub node: Option<String>,
}

/// Source of the time in Unix seconds.
pub(crate) type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

impl fmt::Debug for ClusterAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterAccess")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// A node in the cluster's view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodeEntry {
    pub name: String,
    pub state: NodeState,
    pub row: NodeRow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeState {
    Online,
    Offline,
    Unknown,
}

impl NodeEntry {
    /// The reason that requests to this node are pointless, if there is one.
    pub(crate) fn silence(&self) -> Option<String> {
        match self.state {
            NodeState::Online | NodeState::Unknown => None,
            NodeState::Offline => Some(texts::node_is_offline(&self.name)),
        }
    }
}

impl ClusterAccess {
    pub(crate) fn now(&self) -> i64 {
        (self.clock)()
    }

    /// Jarvis's own measurements, if there is a store of them.
    pub(crate) fn measurements(&self) -> Option<&OwnMeasurements> {
        self.measurements.get().map(Arc::as_ref)
    }

    pub(crate) fn is_protected(&self, node: &str) -> bool {
        // Names of nodes match regardless of case.
        let mut names = self.config.protected_nodes.iter();
        names.any(|name| name.eq_ignore_ascii_case(node))
    }

    pub(crate) fn role(&self, node: &str) -> Option<&str> {
        self.config.node_roles.get(node).map(String::as_str)
    }

    /// The overview of the cluster's resources. Remembers each guest's name.
    pub(crate) async fn resources(&self) -> Result<Vec<ResourceRow>, ProxmoxError> {
        let rows = self.api.resources().await?;
        let guests = rows.iter().filter(is_guest).filter_map(|row| {
            Some(KnownGuest {
                vmid: u32::try_from(row.vmid?).ok()?,
                name: row.name.clone(),
                node: row.node.clone(),
            })
        });
        let guests: Arc<[_]> = guests.collect();
        *self.guests.lock().unwrap_or_else(PoisonError::into_inner) = guests;
        Ok(rows)
    }

    /// A guest in the newest overview, with its name unless another guest shares it.
    pub(crate) fn known_guest(&self, vmid: u32) -> Option<KnownGuest> {
        let guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let guests = Arc::clone(&guests);
        let found = guests.iter().find(|guest| guest.vmid == vmid)?;
        let named_so = |other: &&KnownGuest| match (&other.name, &found.name) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => false,
        };
        let is_unique = guests.iter().filter(named_so).count() == 1;
        Some(KnownGuest {
            name: found.name.clone().filter(|_| is_unique),
            ..found.clone()
        })
    }

    /// All nodes, sorted by name. Every signed-in caller may list them.
    pub(crate) async fn nodes(&self) -> Result<Vec<NodeEntry>, ProxmoxError> {
        let mut nodes: Vec<NodeEntry> = self
            .api
            .nodes()
            .await?
            .into_iter()
            .map(|row| NodeEntry {
                name: row.node.clone(),
                state: match row.status.as_deref() {
                    Some("online") => NodeState::Online,
                    Some("offline") => NodeState::Offline,
                    _ => NodeState::Unknown,
                },
                row,
            })
            .collect();
        nodes.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(nodes)
    }

    /// The node of that name, or else the only one that matches it regardless of case.
    pub(crate) async fn node(&self, name: &str) -> Result<NodeEntry, ErrorBody> {
        let nodes = self.nodes().await.map_err(|error| error.body())?;
        let exact = nodes.iter().find(|node| node.name == name);
        let found = exact.or_else(|| {
            let mut alike = nodes
                .iter()
                .filter(|node| node.name.eq_ignore_ascii_case(name));
            alike.next().filter(|_| alike.next().is_none())
        });
        found.cloned().ok_or_else(|| {
            let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
            ErrorBody::new(
                ErrorCode::ToolInputInvalid,
                texts::no_such_node(name, &known.join(", ")),
            )
        })
    }

    /// The node of that name, or all nodes.
    pub(crate) async fn chosen(&self, name: Option<&str>) -> Result<Vec<NodeEntry>, ErrorBody> {
        match name {
            Some(name) => Ok(vec![self.node(name).await?]),
            None => self.nodes().await.map_err(|error| error.body()),
        }
    }
}

/// Reasons why the operator's configuration protects something from changes.
pub(crate) mod protection {
    use crate::{Config, texts};

    pub(crate) fn guest(config: &Config, vmid: u32) -> Option<String> {
        if config.own_guest == Some(vmid) {
            return Some(texts::systems::jarvis_runs_on_guest(vmid));
        }
        config
            .protected_guests
            .contains(&vmid)
            .then(|| texts::systems::guest_is_protected(vmid))
    }

    /// The reason for a guest on a protected node.
    pub(crate) fn guest_of(vmid: u32, node: &str) -> String {
        texts::systems::guest_of_protected_node(vmid, node)
    }

    /// The reason for a protected node.
    pub(crate) fn node(name: &str) -> String {
        texts::systems::node_is_protected(name)
    }
}

/// Queries all nodes that can answer, concurrently. A node that cannot is a reason, not a failure
/// of the whole; refused credentials fail the whole.
pub(crate) async fn each<'a, T, F>(
    nodes: &'a [NodeEntry],
    ask: impl Fn(&'a NodeEntry) -> F,
) -> Result<Vec<(&'a NodeEntry, Result<T, String>)>, ErrorBody>
where
    F: Future<Output = Result<T, ProxmoxError>>,
{
    let answers = join_all(nodes.iter().map(|node| {
        let answer = node.silence().map_or_else(|| Ok(ask(node)), Err);
        async move {
            match answer {
                Err(reason) => Ok(Err(reason)),
                Ok(answer) => match answer.await {
                    Ok(value) => Ok(Ok(value)),
                    Err(error @ ProxmoxError::Unauthorised { .. }) => Err(error.body()),
                    Err(error) => Ok(Err(format!("node {}: {}", node.name, error.reason()))),
                },
            }
        }
    }))
    .await;
    nodes
        .iter()
        .zip(answers)
        .map(|(node, answer)| answer.map(|answer| (node, answer)))
        .collect()
}
