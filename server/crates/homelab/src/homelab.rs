//! The toolset.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use agent::ports::{ContextPart, Progress, ToolCall, ToolError, ToolSpec, Toolset};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use serde_json::Value;

use crate::{Config, Error, api::Api, context, lab::Lab, prompt, tools};

/// The Proxmox cluster as tools, context and prompt. Cheap to clone; clones share the connection.
#[derive(Debug, Clone)]
pub struct Homelab {
    lab: Arc<Lab>,
    specs: Arc<[ToolSpec]>,
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
            config,
            clock: Arc::new(clock),
        };
        Ok(Self {
            lab: Arc::new(lab),
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

    async fn context(&self) -> Vec<ContextPart> {
        context::context(&self.lab).await
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        tools::run(&self.lab, &call.name, call.input)
            .await
            .map_err(ToolError)
    }
}
