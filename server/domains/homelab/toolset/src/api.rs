//! Typed functions, one for each endpoint in use; most reads go through the shared cache.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    Config, HomelabError,
    cache::LookupCache,
    client::Client,
    error::{ProxmoxError, WriteError},
    lenient,
    rights::Rights,
    task::Upid,
    texts,
    wire::{
        BackupRow, ClusterRow, GuestConfig, GuestRow, GuestStatus, LogLine, LogRow, NodeRow,
        NodeStatus, NodeTime, ResourceRow, RrdRow, ServiceRow, SnapshotRow, StorageRow,
        StorageRrdRow, TaskRow, TaskStatus, UncoveredRow,
    },
};

/// Virtual machine or container, in the API's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Qemu,
    Lxc,
}

impl EntryKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Qemu => "qemu",
            Self::Lxc => "lxc",
        }
    }

    /// The noun before a guest's id, as in Proxmox VE's own messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Qemu => "VM",
            Self::Lxc => "CT",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Api {
    client: Client,
    cache: LookupCache,
}

impl Api {
    pub(crate) fn new(config: &Config) -> Result<Self, HomelabError> {
        Ok(Self {
            client: Client::new(config)?,
            cache: LookupCache::new(Duration::from_millis(config.cache_ms)),
        })
    }

    pub(crate) async fn cluster_status(&self) -> Result<Vec<ClusterRow>, ProxmoxError> {
        self.rows(&["cluster", "status"], &[]).await
    }

    pub(crate) async fn nodes(&self) -> Result<Vec<NodeRow>, ProxmoxError> {
        self.rows(&["nodes"], &[]).await
    }

    pub(crate) async fn resources(&self) -> Result<Vec<ResourceRow>, ProxmoxError> {
        self.rows(&["cluster", "resources"], &[]).await
    }

    pub(crate) async fn node_status(&self, node: &str) -> Result<NodeStatus, ProxmoxError> {
        let value = self.value(&["nodes", node, "status"], &[]).await?;
        typed(&value, node)
    }

    pub(crate) async fn guests(
        &self,
        node: &str,
        kind: EntryKind,
    ) -> Result<Vec<GuestRow>, ProxmoxError> {
        // Without `full` a paused VM looks like a running one.
        let query = match kind {
            EntryKind::Qemu => vec![("full", "1".to_owned())],
            EntryKind::Lxc => Vec::new(),
        };
        self.rows(&["nodes", node, kind.word()], &query).await
    }

    pub(crate) async fn storages(&self, node: &str) -> Result<Vec<StorageRow>, ProxmoxError> {
        self.rows(&["nodes", node, "storage"], &[]).await
    }

    /// The backups on a storage as seen from a node, of one guest or of all.
    pub(crate) async fn backups(
        &self,
        node: &str,
        storage: &str,
        vmid: Option<i64>,
    ) -> Result<Vec<BackupRow>, ProxmoxError> {
        let mut query = vec![("content", "backup".to_owned())];
        query.extend(vmid.map(|vmid| ("vmid", vmid.to_string())));
        self.rows(&["nodes", node, "storage", storage, "content"], &query)
            .await
    }

    /// All running tasks and about the last 25 finished ones of each node.
    pub(crate) async fn cluster_tasks(&self) -> Result<Vec<TaskRow>, ProxmoxError> {
        self.rows(&["cluster", "tasks"], &[]).await
    }

    /// The newest lines of the cluster log.
    pub(crate) async fn cluster_log(&self, limit: usize) -> Result<Vec<LogRow>, ProxmoxError> {
        let query = [("max", limit.to_string())];
        self.rows(&["cluster", "log"], &query).await
    }

    /// The newest tasks of a node, running ones included.
    pub(crate) async fn node_tasks(
        &self,
        node: &str,
        limit: usize,
        errors_only: bool,
    ) -> Result<Vec<TaskRow>, ProxmoxError> {
        let mut query = vec![("source", "all".to_owned()), ("limit", limit.to_string())];
        if errors_only {
            query.push(("errors", "1".to_owned()));
        }
        self.rows(&["nodes", node, "tasks"], &query).await
    }

    /// The caller's privileges, or the reason that they are unknown.
    pub(crate) async fn rights(&self) -> Rights {
        Rights::new(self.value(&["access", "permissions"], &[]).await.as_deref())
    }

    /// The current state of a guest.
    pub(crate) async fn guest_status(
        &self,
        node: &str,
        kind: EntryKind,
        vmid: u32,
    ) -> Result<GuestStatus, ProxmoxError> {
        let vmid = vmid.to_string();
        let path = ["nodes", node, kind.word(), &vmid, "status", "current"];
        typed(&self.client.get(&path, &[]).await?, node)
    }

    pub(crate) async fn guest_config(
        &self,
        node: &str,
        kind: EntryKind,
        vmid: u32,
    ) -> Result<GuestConfig, ProxmoxError> {
        let vmid = vmid.to_string();
        let path = ["nodes", node, kind.word(), &vmid, "config"];
        let value = self.value(&path, &[]).await?;
        typed(&value, node)
    }

    /// Sends a power command such as `shutdown` to a guest; returns the UPID of the task.
    pub(crate) async fn order(
        &self,
        node: &str,
        kind: EntryKind,
        vmid: u32,
        action: &str,
        form: &[(&str, &str)],
    ) -> Result<String, WriteError> {
        let vmid = vmid.to_string();
        let path = ["nodes", node, kind.word(), &vmid, "status", action];
        let answer = self.client.write(&path, form).await;
        self.forget();
        let value = answer?;
        let upid = value.as_str().filter(|text| {
            // A UPID of another guest would be another task.
            Upid::parse(text).is_some_and(|upid| upid.id == vmid)
        });
        upid.map(str::to_owned).ok_or_else(|| {
            WriteError::Lost(ProxmoxError::Protocol {
                endpoint: node.to_owned(),
                message: texts::client::NO_UPID_OF_THIS_GUEST.to_owned(),
            })
        })
    }

    /// The current state of a task.
    pub(crate) async fn task_status(&self, upid: &Upid<'_>) -> Result<TaskStatus, ProxmoxError> {
        let path = ["nodes", upid.node, "tasks", upid.text, "status"];
        typed(&self.client.get(&path, &[]).await?, upid.node)
    }

    /// The first lines of a task's log, up to 500.
    pub(crate) async fn task_log(&self, upid: &Upid<'_>) -> Result<Vec<String>, ProxmoxError> {
        let path = ["nodes", upid.node, "tasks", upid.text, "log"];
        let query = [("limit", "500".to_owned())];
        let rows: Vec<LogLine> = lenient::rows(&self.client.get(&path, &query).await?);
        Ok(rows.into_iter().filter_map(|row| row.t).collect())
    }

    /// The last hour of a node, in steps of one minute.
    pub(crate) async fn node_history(&self, node: &str) -> Result<Vec<RrdRow>, ProxmoxError> {
        let query = [
            ("timeframe", "hour".to_owned()),
            ("cf", "AVERAGE".to_owned()),
        ];
        self.rows(&["nodes", node, "rrddata"], &query).await
    }

    /// The last week of a storage as seen from a node, in steps of 30 minutes.
    pub(crate) async fn storage_history(
        &self,
        node: &str,
        storage: &str,
    ) -> Result<Vec<StorageRrdRow>, ProxmoxError> {
        let query = [
            ("timeframe", "week".to_owned()),
            ("cf", "AVERAGE".to_owned()),
        ];
        self.rows(&["nodes", node, "storage", storage, "rrddata"], &query)
            .await
    }

    /// The guests that no backup job covers.
    pub(crate) async fn uncovered(&self) -> Result<Vec<UncoveredRow>, ProxmoxError> {
        self.rows(&["cluster", "backup-info", "not-backed-up"], &[])
            .await
    }

    /// The raw RRD data at a path over a timeframe such as `day`.
    pub(crate) async fn history(
        &self,
        path: &[&str],
        span: &str,
    ) -> Result<Arc<Value>, ProxmoxError> {
        let query = [("timeframe", span.to_owned()), ("cf", "AVERAGE".to_owned())];
        self.value(path, &query).await
    }

    /// The raw configuration of a guest, secrets included.
    pub(crate) async fn guest_settings(
        &self,
        node: &str,
        kind: EntryKind,
        vmid: u32,
    ) -> Result<Arc<Value>, ProxmoxError> {
        let vmid = vmid.to_string();
        self.value(&["nodes", node, kind.word(), &vmid, "config"], &[])
            .await
    }

    pub(crate) async fn snapshots(
        &self,
        node: &str,
        kind: EntryKind,
        vmid: u32,
    ) -> Result<Vec<SnapshotRow>, ProxmoxError> {
        let vmid = vmid.to_string();
        self.rows(&["nodes", node, kind.word(), &vmid, "snapshot"], &[])
            .await
    }

    /// The tasks on a node that started in exactly that second.
    pub(crate) async fn tasks_at(
        &self,
        node: &str,
        start: i64,
    ) -> Result<Vec<TaskRow>, ProxmoxError> {
        let query = [
            ("source", "all".to_owned()),
            ("since", start.to_string()),
            ("until", start.to_string()),
            ("limit", "100".to_owned()),
        ];
        self.rows(&["nodes", node, "tasks"], &query).await
    }

    /// The current lines of a task's log from a line on, counted from 0. Not cached.
    pub(crate) async fn log_lines(
        &self,
        upid: &Upid<'_>,
        from: usize,
        limit: usize,
    ) -> Result<Vec<String>, ProxmoxError> {
        let path = ["nodes", upid.node, "tasks", upid.text, "log"];
        let query = [("start", from.to_string()), ("limit", limit.to_string())];
        let rows: Vec<LogLine> = lenient::rows(&self.client.get(&path, &query).await?);
        Ok(rows
            .into_iter()
            .map(|row| row.t.unwrap_or_default())
            .collect())
    }

    /// The newest tasks on a node about a guest, running ones included. Not cached. `since` is in
    /// Unix seconds of the node's clock.
    pub(crate) async fn tasks_about(
        &self,
        node: &str,
        vmid: u32,
        since: Option<i64>,
    ) -> Result<Vec<TaskRow>, ProxmoxError> {
        let mut query = vec![
            ("source", "all".to_owned()),
            ("vmid", vmid.to_string()),
            ("limit", "100".to_owned()),
        ];
        query.extend(since.map(|since| ("since", since.to_string())));
        let value = self.client.get(&["nodes", node, "tasks"], &query).await?;
        Ok(lenient::rows(&value))
    }

    /// The newest service restarts on a node, running ones included. Not cached.
    pub(crate) async fn service_restarts(&self, node: &str) -> Result<Vec<TaskRow>, ProxmoxError> {
        let query = [
            ("source", "all".to_owned()),
            ("typefilter", "srvrestart".to_owned()),
            ("limit", "50".to_owned()),
        ];
        let value = self.client.get(&["nodes", node, "tasks"], &query).await?;
        Ok(lenient::rows(&value))
    }

    /// A node's clock, in Unix seconds.
    pub(crate) async fn node_time(&self, node: &str) -> Result<Option<i64>, ProxmoxError> {
        let value = self.client.get(&["nodes", node, "time"], &[]).await?;
        typed::<NodeTime>(&value, node).map(|time| time.time)
    }

    /// Tells whether a node is online now; `None` if the cluster does not know it or its state.
    pub(crate) async fn is_online(&self, node: &str) -> Result<Option<bool>, ProxmoxError> {
        let value = self.client.get(&["nodes"], &[]).await?;
        let rows: Vec<NodeRow> = lenient::rows(&value);
        let row = rows.into_iter().find(|row| row.node == node);
        let status = row.and_then(|row| row.status);
        Ok(status.map(|status| status == "online"))
    }

    /// The current services of a node, as far as Proxmox VE knows them.
    pub(crate) async fn services(&self, node: &str) -> Result<Vec<ServiceRow>, ProxmoxError> {
        let value = self.client.get(&["nodes", node, "services"], &[]).await?;
        Ok(lenient::rows(&value))
    }

    /// The current state of a service.
    pub(crate) async fn service(
        &self,
        node: &str,
        service: &str,
    ) -> Result<ServiceRow, ProxmoxError> {
        let path = ["nodes", node, "services", service, "state"];
        typed(&self.client.get(&path, &[]).await?, node)
    }

    /// Restarts a service; returns the UPID of the task.
    pub(crate) async fn restart_service(
        &self,
        node: &str,
        service: &str,
    ) -> Result<String, WriteError> {
        let path = ["nodes", node, "services", service, "restart"];
        let answer = self.client.write(&path, &[]).await;
        self.forget();
        let value = answer?;
        let upid = value.as_str().filter(|text| {
            // A UPID of another service would be another task.
            Upid::parse(text).is_some_and(|upid| upid.id == service)
        });
        upid.map(str::to_owned).ok_or_else(|| {
            WriteError::Lost(ProxmoxError::Protocol {
                endpoint: node.to_owned(),
                message: texts::client::NO_UPID_OF_THIS_SERVICE.to_owned(),
            })
        })
    }

    /// The caller as written in UPIDs.
    pub(crate) fn caller(&self) -> &str {
        self.client.caller()
    }

    /// Clears the cache after a change.
    pub(crate) fn forget(&self) {
        self.cache.clear();
    }

    async fn rows<T: serde::de::DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Vec<T>, ProxmoxError> {
        Ok(lenient::rows(&*self.value(path, query).await?))
    }

    async fn value(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Arc<Value>, ProxmoxError> {
        // No name contains a line break, so two paths never share a key.
        let mut key = path.join("\n");
        for (name, value) in query {
            key.push_str(&format!("\n?{name}={value}"));
        }
        self.cache
            .get(key, || Box::pin(self.client.get(path, query)))
            .await
    }
}

fn typed<T: serde::de::DeserializeOwned>(value: &Value, node: &str) -> Result<T, ProxmoxError> {
    lenient::row(value).map_err(|error| {
        tracing::debug!(node, %error, "answer of another shape");
        ProxmoxError::Protocol {
            endpoint: node.to_owned(),
            message: texts::client::PART_IS_MISSING_OR_OF_ANOTHER_KIND.to_owned(),
        }
    })
}
