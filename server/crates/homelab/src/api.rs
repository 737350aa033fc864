//! One function for each endpoint that we read, typed, behind the shared cache.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::Value;

use crate::{
    Config, Error,
    cache::Cache,
    client::Client,
    error::ApiError,
    lenient,
    rights::Rights,
    wire::{
        BackupRow, ClusterRow, GuestRow, NodeRow, NodeStatus, ResourceRow, StorageRow, TaskRow,
    },
};

/// Virtual machine or container, by the API's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Qemu,
    Lxc,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Qemu => "qemu",
            Self::Lxc => "lxc",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Api {
    client: Client,
    cache: Cache,
}

impl Api {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        Ok(Self {
            client: Client::new(config)?,
            cache: Cache::new(Duration::from_millis(config.cache_ms)),
        })
    }

    pub(crate) async fn cluster_status(&self) -> Result<Vec<ClusterRow>, ApiError> {
        self.rows(&["cluster", "status"], &[]).await
    }

    pub(crate) async fn nodes(&self) -> Result<Vec<NodeRow>, ApiError> {
        self.rows(&["nodes"], &[]).await
    }

    pub(crate) async fn resources(&self) -> Result<Vec<ResourceRow>, ApiError> {
        self.rows(&["cluster", "resources"], &[]).await
    }

    pub(crate) async fn node_status(&self, node: &str) -> Result<NodeStatus, ApiError> {
        let value = self.value(&["nodes", node, "status"], &[]).await?;
        NodeStatus::deserialize(&*value).map_err(|error| ApiError::Protocol {
            endpoint: node.to_owned(),
            message: error.to_string(),
        })
    }

    pub(crate) async fn guests(&self, node: &str, kind: Kind) -> Result<Vec<GuestRow>, ApiError> {
        // Without `full` a paused VM looks like a running one.
        let query = match kind {
            Kind::Qemu => vec![("full", "1".to_owned())],
            Kind::Lxc => Vec::new(),
        };
        self.rows(&["nodes", node, kind.word()], &query).await
    }

    pub(crate) async fn storages(&self, node: &str) -> Result<Vec<StorageRow>, ApiError> {
        self.rows(&["nodes", node, "storage"], &[]).await
    }

    /// The backups on a storage as a node sees it, of one guest or of all.
    pub(crate) async fn backups(
        &self,
        node: &str,
        storage: &str,
        vmid: Option<i64>,
    ) -> Result<Vec<BackupRow>, ApiError> {
        let mut query = vec![("content", "backup".to_owned())];
        query.extend(vmid.map(|vmid| ("vmid", vmid.to_string())));
        self.rows(&["nodes", node, "storage", storage, "content"], &query)
            .await
    }

    /// Running tasks and about the last 25 finished ones of each node.
    pub(crate) async fn cluster_tasks(&self) -> Result<Vec<TaskRow>, ApiError> {
        self.rows(&["cluster", "tasks"], &[]).await
    }

    /// The newest tasks of a node, running ones included.
    pub(crate) async fn node_tasks(
        &self,
        node: &str,
        limit: usize,
        errors_only: bool,
    ) -> Result<Vec<TaskRow>, ApiError> {
        let mut query = vec![("source", "all".to_owned()), ("limit", limit.to_string())];
        if errors_only {
            query.push(("errors", "1".to_owned()));
        }
        self.rows(&["nodes", node, "tasks"], &query).await
    }

    /// What the caller may do, or why that is not known.
    pub(crate) async fn rights(&self) -> Rights {
        Rights::new(self.value(&["access", "permissions"], &[]).await.as_deref())
    }

    async fn rows<T: serde::de::DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Vec<T>, ApiError> {
        Ok(lenient::rows(&*self.value(path, query).await?))
    }

    async fn value(&self, path: &[&str], query: &[(&str, String)]) -> Result<Arc<Value>, ApiError> {
        // No name has a line break in it that could make two keys alike.
        let mut key = path.join("\n");
        for (name, value) in query {
            key.push_str(&format!("\n?{name}={value}"));
        }
        self.cache
            .get(key, || Box::pin(self.client.get(path, query)))
            .await
    }
}
