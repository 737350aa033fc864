//! Homelab toolset.

use std::{
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use agent::ports::{Board, ContextPart, Happenings, Tool, Toolset};
use async_trait::async_trait;
use protocol::{ErrorBody, Name, PageQuery, Reference, UserId};
use serde_json::Value;

use crate::{
    Config, HomelabError, MeasurementRecorder, MeasurementStore, api::Api, board::ClusterBoard,
    cluster_access::ClusterAccess, context, happenings::ClusterHappenings,
    measurements::OwnMeasurements, pages, prompt, refer, ssh::SshClient, tools,
};

/// The Proxmox VE cluster as tools, context and prompt. Cheap to clone; clones share the
/// connection.
#[derive(Debug, Clone)]
pub struct Homelab {
    access: Arc<ClusterAccess>,
    board: Arc<ClusterBoard>,
    happenings: Arc<ClusterHappenings>,
}

impl Homelab {
    /// Checks the configuration and reads the CA file. Makes no request: a cluster that is down
    /// fails calls, not the start.
    pub fn connect(config: Config) -> Result<Self, HomelabError> {
        Self::connect_with_clock(config, system_seconds)
    }

    /// The same with another clock, in Unix seconds, so that tests can fix ages.
    pub fn connect_with_clock(
        config: Config,
        clock: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Result<Self, HomelabError> {
        let access = ClusterAccess {
            api: Api::new(&config)?,
            ssh: config.ssh.as_ref().map(SshClient::new).transpose()?,
            config,
            clock: Arc::new(clock),
            starts: Mutex::default(),
            guests: Mutex::new(Arc::default()),
            measurements: OnceLock::new(),
        };
        let access = Arc::new(access);
        let board = Arc::new(ClusterBoard::new(Arc::clone(&access))?);
        let (api, pace) = board.connection();
        Ok(Self {
            happenings: Arc::new(ClusterHappenings::new(api, pace)),
            board,
            access,
        })
    }

    /// Keeps what the board measures in a store, and reads it where Proxmox has no answer. Returns
    /// the task that writes it. To be called once, before the board is watched.
    pub fn measured_in(&self, store: Arc<dyn MeasurementStore>) -> MeasurementRecorder {
        let own = self
            .access
            .measurements
            .get_or_init(|| Arc::new(OwnMeasurements::new(store)));
        MeasurementRecorder(Arc::clone(own))
    }

    /// The configured display name, or else the cluster's own; `None` for a node outside any
    /// cluster. Cached; requests it at most every few seconds.
    pub async fn cluster_name(&self) -> Result<Option<String>, ErrorBody> {
        if let Some(name) = &self.access.config.name {
            return Ok(Some(name.clone()));
        }
        let rows = self
            .access
            .api
            .cluster_status()
            .await
            .map_err(|error| error.body())?;
        let cluster = rows.into_iter().find(|row| row.r#type == "cluster");
        Ok(cluster.and_then(|row| row.name))
    }
}

fn system_seconds() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        // A clock before 1970 makes everything look new, which does no harm.
        Err(_) => 0,
    }
}

#[async_trait]
impl Toolset for Homelab {
    fn name(&self) -> &'static str {
        "homelab"
    }

    fn subject(&self) -> Option<&'static str> {
        Some("nodes, guests, storages, backups and services of the Proxmox cluster")
    }

    fn system_prompt(&self) -> String {
        prompt::system_prompt(&self.access.config)
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        tools::all(&self.access)
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        context::context(&self.access).await
    }

    fn context_timeout(&self) -> Option<Duration> {
        Some(context::limit(&self.access))
    }

    fn refers(&self, reference: &Reference) -> bool {
        refer::refers(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        refer::describe(&self.access, reference).await
    }

    async fn names(&self) -> Option<Vec<Name>> {
        refer::names(&self.access).await
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(self.board.clone())
    }

    fn happenings(&self) -> Option<Arc<dyn Happenings>> {
        Some(self.happenings.clone())
    }

    async fn page(&self, _person: UserId, query: &PageQuery) -> Result<Value, ErrorBody> {
        pages::page(&self.access, query).await
    }
}
