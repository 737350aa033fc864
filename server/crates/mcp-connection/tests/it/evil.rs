//! The hostile server and a connection to it.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_client::ServedTool;
use mcp_connection::{
    CommandSettings, ConnectionState, McpConnection, SandboxLimits, ServerSettings, ServerTransport,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{task::JoinHandle, time::sleep};
use tokio_util::sync::CancellationToken;

const SCRIPT: &str = include_str!("evil.sh");

/// The longest time for anything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(30);

/// The hostile server with its folder. Dropped, it is killed.
pub(crate) struct Evil {
    folder: TempDir,
    pub(crate) connection: McpConnection,
    /// The lists that were read.
    pub(crate) listed: Arc<Mutex<Vec<Vec<ServedTool>>>>,
    stop: CancellationToken,
    running: Option<JoinHandle<()>>,
}

/// A definition as the server lists it.
pub(crate) fn tool(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": { "type": "object", "properties": {} },
    })
}

/// Waits until something is so.
pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = tokio::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

impl Evil {
    /// A server that lists these tools, without a connection yet.
    pub(crate) fn new(tools: &[Value], change: impl FnOnce(&mut CommandSettings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        fs::write(path.join("tools"), json!(tools).to_string()).unwrap();
        let mut command = CommandSettings {
            program: PathBuf::from("/bin/sh"),
            args: ["-c", SCRIPT, "evil", path.to_str().unwrap()]
                .map(str::to_owned)
                .to_vec(),
            environment: BTreeMap::from([("ALLOWED".to_owned(), "yes".to_owned())]),
            sandbox: false,
            network: false,
            readable: Vec::new(),
            writable: vec![path],
            limits: SandboxLimits::default(),
        };
        change(&mut command);
        let connection = McpConnection::new(ServerSettings {
            name: "evil".to_owned(),
            transport: ServerTransport::Command(command),
            start_timeout: PATIENCE,
            message_bytes: 1024 * 1024,
        });
        Self {
            folder,
            connection,
            listed: Arc::default(),
            stop: CancellationToken::new(),
            running: None,
        }
    }

    /// Connects it, and tells every list to `listed` too.
    pub(crate) async fn run(&mut self, listed: impl Fn(Vec<ServedTool>) + Send + Sync + 'static) {
        let (connection, stop) = (self.connection.clone(), self.stop.clone());
        let noted = Arc::clone(&self.listed);
        self.running = Some(tokio::spawn(async move {
            let listed = move |tools: Vec<ServedTool>| {
                noted.lock().unwrap().push(tools.clone());
                listed(tools);
            };
            connection.run(listed, stop).await;
        }));
        let connection = &self.connection;
        until("connected", || {
            connection.state() == ConnectionState::Connected
        })
        .await;
    }

    pub(crate) async fn connected(tools: &[Value]) -> Self {
        let mut evil = Self::new(tools, |_| {});
        evil.run(|_| {}).await;
        evil
    }

    pub(crate) async fn stop(&mut self) {
        self.stop.cancel();
        self.running.take().unwrap().await.unwrap();
    }

    /// The text of a file that the server writes; empty before it does.
    pub(crate) fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// True while the process runs that its tool `fork` has started last.
    pub(crate) fn has_fork(&self) -> bool {
        let stat = format!("/proc/{}/stat", self.file("forked").trim());
        let stat = fs::read_to_string(stat).unwrap_or_default();
        // In parentheses there is the name, then the state; Z was killed and waits for its parent.
        let state = stat.rsplit(") ").next();
        state.is_some_and(|state| state.starts_with(['R', 'S', 'D']))
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }
}

impl Drop for Evil {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
