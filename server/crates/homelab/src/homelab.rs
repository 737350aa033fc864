//! The toolset.

use std::{
    sync::{Arc, Mutex},
    time::{SystemTime, UNIX_EPOCH},
};

use agent::ports::{
    Assessment, Board, ContextPart, Happenings, Preview, Progress, Reconciled, ToolCall, ToolError,
    ToolSpec, Toolset,
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Name, PageQuery, Reference, Timestamp, ToolOutput};
use serde_json::Value;

use crate::{
    Config, Error,
    api::Api,
    board::ClusterBoard,
    context,
    happenings::ClusterHappenings,
    lab::Lab,
    pages, prompt, refer,
    ssh::Ssh,
    tools::{
        self, execute_ssh,
        power::{self, Order},
        service, wake,
    },
};

/// The Proxmox cluster as tools, context and prompt. Cheap to clone; clones share the connection.
#[derive(Debug, Clone)]
pub struct Homelab {
    lab: Arc<Lab>,
    specs: Arc<[ToolSpec]>,
    board: Arc<ClusterBoard>,
    happenings: Arc<ClusterHappenings>,
}

impl Homelab {
    /// Checks the configuration and reads the CA file. Makes no request: a cluster that is down
    /// fails calls, not the start.
    pub fn connect(config: Config) -> Result<Self, Error> {
        Self::connect_with_clock(config, system_seconds)
    }

    /// The same with another clock, in Unix seconds, so that tests can fix the ages of things.
    pub fn connect_with_clock(
        config: Config,
        clock: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let lab = Lab {
            api: Api::new(&config)?,
            ssh: config.ssh.as_ref().map(Ssh::new).transpose()?,
            config,
            clock: Arc::new(clock),
            starts: Mutex::default(),
            guests: Mutex::new(Arc::default()),
        };
        let lab = Arc::new(lab);
        let board = Arc::new(ClusterBoard::new(Arc::clone(&lab))?);
        Ok(Self {
            happenings: Arc::new(ClusterHappenings::new(board.connection())),
            board,
            lab,
            specs: tools::specs().into(),
        })
    }

    /// The name to show: the configured one, else the cluster's own. None for a node that belongs
    /// to no cluster. Cached; asks at most every few seconds.
    pub async fn cluster_name(&self) -> Result<Option<String>, ErrorBody> {
        if let Some(name) = &self.lab.config.name {
            return Ok(Some(name.clone()));
        }
        let rows = self
            .lab
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
        // A clock that stands before 1970 makes everything look new, and nothing worse.
        Err(_) => 0,
    }
}

#[async_trait]
impl Toolset for Homelab {
    fn name(&self) -> &'static str {
        "homelab"
    }

    fn system_prompt(&self) -> String {
        prompt::system_prompt(&self.lab.config)
    }

    fn tools(&self) -> &[ToolSpec] {
        &self.specs
    }

    fn target(&self, tool: &str, input: &Value) -> Option<String> {
        tools::target(tool, input)
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        context::context(&self.lab).await
    }

    fn refers(&self, reference: &Reference) -> bool {
        refer::refers(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        refer::describe(&self.lab, reference).await
    }

    async fn names(&self) -> Option<Vec<Name>> {
        refer::names(&self.lab).await
    }

    fn assess(&self, tool: &ToolSpec, input: &Value) -> Assessment {
        match tool.name {
            "execute_ssh" => return execute_ssh::assess(&self.lab, input),
            "restart_service" => return service::assess(&self.lab, input),
            "wake_node" => return wake::assess(&self.lab, input),
            _ => {}
        }
        match Order::of(tool.name, input) {
            Some(Ok(order)) => order.assess(&self.lab, input),
            // What cannot be read is refused by its schema.
            Some(Err(_)) | None => Assessment::plain(tool.tier, input),
        }
    }

    fn objects(&self, tool: &str, input: &Value) -> Vec<String> {
        tools::objects(tool, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        match call.name.as_str() {
            "execute_ssh" => return execute_ssh::preview(&self.lab, &call.input),
            "restart_service" => return service::preview(&self.lab, &call.input).await,
            "wake_node" => {
                return wake::preview(&self.lab, tools::read(call.input.clone())?).await;
            }
            _ => {}
        }
        match Order::of(&call.name, &call.input) {
            Some(order) => power::preview(&self.lab, &order?).await,
            None => match Preview::of_reading(&self.specs, call) {
                Some(reading) => Ok(reading.about(self.target(&call.name, &call.input))),
                None => Err(ErrorBody::new(
                    ErrorCode::Internal,
                    format!("{} cannot say what it would do.", call.name),
                )),
            },
        }
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        if call.name == "restart_service" {
            return service::reconcile(&self.lab, &call.input, since).await;
        }
        match Order::of(&call.name, &call.input) {
            Some(Ok(order)) => power::reconcile(&self.lab, &order, since).await,
            Some(Err(_)) | None => Reconciled::Unknown("Nothing is known of it.".to_owned()),
        }
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(self.board.clone())
    }

    fn happenings(&self) -> Option<Arc<dyn Happenings>> {
        Some(self.happenings.clone())
    }

    async fn page(&self, query: &PageQuery) -> Result<Value, ErrorBody> {
        pages::page(&self.lab, query).await
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        tools::run(&self.lab, &call.name, call.input, &progress)
            .await
            .map_err(ToolError)
    }
}
