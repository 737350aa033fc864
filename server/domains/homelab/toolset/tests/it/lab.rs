//! A simulated cluster at a fixed time, and toolsets connected to it.

use std::{sync::Arc, time::Duration};

use agent::ports::{CallActor, CallOrigin, Progress, Tool, ToolCall, Toolset};
use homelab::{Config, EndpointConfig, Homelab};
use protocol::{CallId, ConversationId, ErrorBody, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};
use simlab::{ManualSimClock, SimClock, Simlab, SimlabOptions};

/// 2026-11-07T09:30:00Z.
pub(crate) const NOW: u64 = 1_794_043_800;

pub(crate) struct Lab {
    pub sim: Simlab,
    pub clock: ManualSimClock,
}

impl Lab {
    pub(crate) async fn start() -> Self {
        let clock = ManualSimClock::at(NOW);
        let options = SimlabOptions {
            auth_delay: Duration::ZERO,
            clock: Arc::new(clock.clone()),
            ..SimlabOptions::default()
        };
        let sim = simlab::start(options).await.unwrap();
        Self { sim, clock }
    }

    /// A configuration with the entry node, its fingerprint and a token. Nothing is cached.
    pub(crate) fn config(&self, token: &str) -> Config {
        let (id, secret) = token.split_once('=').unwrap();
        Config {
            endpoints: vec![self.endpoint("Home")],
            token_id: Some(id.to_owned()),
            token_secret: Some(secret.to_owned().into()),
            cache_ms: 0,
            poll_ms: 1,
            // A loaded test machine must not look like a slow cluster.
            context_ms: 30_000,
            node_macs: [("agent".to_owned(), "9c:6b:00:1a:42:14".to_owned())].into(),
            wake_address: self.sim.wake_addr(),
            protected_nodes: vec!["agent1".to_owned()],
            node_roles: [("pve".to_owned(), "compute and NAS".to_owned())].into(),
            ..Config::default()
        }
    }

    pub(crate) fn endpoint(&self, node: &str) -> EndpointConfig {
        EndpointConfig {
            url: format!("https://{}", self.sim.node_addr(node).unwrap()),
            fingerprints: vec![self.sim.node_fingerprint(node).unwrap()],
        }
    }

    pub(crate) fn connect(&self, config: Config) -> Homelab {
        let clock = self.clock.clone();
        Homelab::connect_with_clock(config, move || clock.now().as_secs().try_into().unwrap())
            .unwrap()
    }

    pub(crate) fn admin(&self) -> Homelab {
        self.connect(self.config(&self.sim.admin_token()))
    }

    pub(crate) fn auditor(&self) -> Homelab {
        self.connect(self.config(&self.sim.auditor_token()))
    }

    pub(crate) fn bare(&self) -> Homelab {
        self.connect(self.config(&self.sim.bare_token()))
    }

    /// Calls a tool on a cluster whose clock advances a second with each line of progress.
    pub(crate) async fn act(
        &self,
        homelab: &Homelab,
        tool: &str,
        input: Value,
    ) -> Result<ToolOutput, ErrorBody> {
        self.act_with(homelab, tool, input, |_| {}).await
    }

    /// Like [`Self::act`]; `seen` also gets the lines.
    pub(crate) async fn act_with(
        &self,
        homelab: &Homelab,
        tool: &str,
        input: Value,
        seen: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<ToolOutput, ErrorBody> {
        let clock = self.clock.clone();
        let progress = Progress::new(move |line| {
            seen(line);
            clock.advance(Duration::from_secs(1));
        });
        let call = tool_call(tool, input);
        let done = self::tool(homelab, tool).call(call, progress).await;
        done.map_err(|error| error.0)
    }

    /// A toolset whose clock advances a second at every reading, and is `ahead` seconds ahead of
    /// the cluster's.
    pub(crate) fn hurried(&self, ahead: i64) -> Homelab {
        let clock = self.clock.clone();
        let mut config = self.config(&self.sim.admin_token());
        config.services = [("pve".to_owned(), vec!["postfix".to_owned()])].into();
        Homelab::connect_with_clock(config, move || {
            clock.advance(Duration::from_secs(1));
            let now: i64 = clock.now().as_secs().try_into().unwrap();
            now + ahead
        })
        .unwrap()
    }

    /// Leaves two ended tasks of a running VM.
    pub(crate) async fn stop_and_start(&self, input: &Value) {
        for tool in ["stop_vm", "start_vm"] {
            let done = self.act(&self.admin(), tool, input.clone()).await;
            done.unwrap();
        }
    }

    /// The tasks since the start, as `type id exit`.
    pub(crate) fn ledger(&self) -> Vec<String> {
        let effects = self.sim.control().ledger();
        let line = |effect: simlab::ControlEffect| {
            let exit = effect.exit.unwrap_or_else(|| "running".to_owned());
            format!("{} {} {exit}", effect.kind, effect.id)
        };
        effects.into_iter().map(line).collect()
    }

    /// Number of requests that could change something.
    pub(crate) fn writes(&self) -> usize {
        let requests = self.sim.control().requests();
        requests
            .iter()
            .filter(|request| request.method != "GET" && request.path != "/access/ticket")
            .count()
    }

    /// The number of requests to a path, ignoring the query.
    pub(crate) fn asked(&self, path: &str) -> usize {
        let requests = self.sim.control().requests();
        let same = |request: &&simlab::ControlRequest| request.path.split('?').next() == Some(path);
        requests.iter().filter(same).count()
    }
}

pub(crate) async fn call(
    homelab: &Homelab,
    tool: &str,
    input: Value,
) -> Result<ToolOutput, ErrorBody> {
    let call = tool_call(tool, input);
    let tool = self::tool(homelab, tool);
    let done = tool.call(call, Progress::ignored()).await;
    done.map_err(|error| error.0)
}

/// Finds a tool by its name; fails the test if it does not exist.
pub(crate) fn tool(homelab: &Homelab, name: &str) -> Arc<dyn Tool> {
    let mut tools = homelab.tools().into_iter();
    let found = tools.find(|tool| tool.spec().name == name);
    found.unwrap_or_else(|| panic!("there is no tool {name}"))
}

/// Sends an order and dies once its task has started.
pub(crate) async fn begin_and_die(lab: &Lab, tool: &str, input: Value) {
    let (begun, mut died) = tokio::sync::watch::channel(false);
    let progress = Progress::new(move |_| {
        begun.send_replace(true);
    });
    let homelab = lab.hurried(0);
    let call = tool_call(tool, input);
    let tool = self::tool(&homelab, tool);
    tokio::select! {
        _ = tool.call(call, progress) => panic!("it ended"),
        _ = died.changed() => {}
    }
}

pub(crate) fn tool_call(tool: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(0), 1),
        name: tool.to_owned(),
        input,
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(0), 1),
            person: UserId::new(Timestamp(0), 1),
            turn: None,
            message: None,
            actor: CallActor::Model,
        },
    }
}

/// The result for the model and the card, as one value.
pub(crate) async fn seen(homelab: &Homelab, tool: &str, input: Value) -> Value {
    match call(homelab, tool, input).await {
        Ok(output) => json!({ "summary": output.summary, "data": output.data }),
        Err(error) => json!({ "error": error }),
    }
}

/// Fields whose numbers follow the simulation's curves. They are only checked to be numbers, so
/// that a better curve changes nothing here; the arithmetic is tested beside its code.
const LIVE: &[&str] = &[
    "cpu_percent",
    "disk_used_bytes",
    "free_bytes",
    "io_wait_percent",
    "load_15m",
    "load_1m",
    "load_5m",
    "memory_percent",
    "memory_used_bytes",
    "newest_size_bytes",
    "root_disk_percent",
    "root_disk_used_bytes",
    "size_bytes",
    "swap_used_bytes",
    "used_bytes",
    "used_percent",
];

/// Masks everything that depends on the simulation's curves.
pub(crate) fn steady(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| {
                let value = match value {
                    Value::Number(_) if LIVE.contains(&key.as_str()) => json!("[number]"),
                    Value::Object(map) if key == "used_percent" => map
                        .into_iter()
                        .map(|(key, _)| (key, json!("[number]")))
                        .collect(),
                    other => steady(other),
                };
                (key, value)
            })
            .collect(),
        Value::Array(rows) => rows.into_iter().map(steady).collect(),
        Value::String(text) => without_percents(&text).into(),
        other => other,
    }
}

/// Turns `CPU 5.2 %` into `CPU N %`.
fn without_percents(text: &str) -> String {
    let mut parts = text.split(" %").peekable();
    let mut out = String::new();
    while let Some(part) = parts.next() {
        if parts.peek().is_some() {
            out.push_str(part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
            out.push_str("N %");
        } else {
            out.push_str(part);
        }
    }
    out
}
