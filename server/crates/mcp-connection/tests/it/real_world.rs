//! A server that others wrote, with a toolset, an engine, and a model that makes the test's calls.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use agent::ports::Recovery;
use mcp_client::{OutsideRules, OutsideToolRule, OutsideToolset, Presence};
use mcp_connection::{McpConnection, ServerSettings};
use protocol::{Decision, Tier, ToolOutcome};
use serde_json::Value;
use testkit::Script;
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::conversation::TestConversation;

/// The longest time for a start or a call. Interpreters are slow to start on a machine that has other work.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct RealWorld {
    conversation: TestConversation,
    running: RunningConnection,
}

/// A connection that is kept until it is stopped.
pub(crate) struct RunningConnection {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl RunningConnection {
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

/// Connects a server whose list nobody needs to know.
pub(crate) async fn is_connected(connection: &McpConnection) -> RunningConnection {
    run(connection, |_| {}).await
}

/// Connects a server, and tells every list.
pub(crate) async fn run(
    connection: &McpConnection,
    listed: impl Fn(Vec<mcp_client::ServedTool>) + Send + Sync + 'static,
) -> RunningConnection {
    let mut presence = connection.presence();
    let stop = CancellationToken::new();
    let (kept, closing) = (connection.clone(), stop.clone());
    let task = tokio::spawn(async move { kept.run(listed, closing).await });
    let settled = presence.wait_for(|now| *now != Presence::Unknown);
    let settled = *timeout(PATIENCE, settled).await.unwrap().unwrap();
    assert_eq!(
        settled,
        Presence::Connected,
        "{:?} {:#?}",
        connection.state(),
        connection.log()
    );
    RunningConnection { stop, task }
}

impl RealWorld {
    /// A connected server whose tools are accepted: these are GREEN by the configuration, and the model makes
    /// the calls one after the other.
    pub(crate) async fn connected(
        settings: ServerSettings,
        tools: &[&str],
        calls: &[(&str, Value)],
    ) -> Self {
        let green = OutsideToolRule {
            tier: Some(Tier::Green),
            recovery: Recovery::Pure,
        };
        let rules = OutsideRules {
            tools: tools.iter().map(|&tool| (tool.to_owned(), green)).collect(),
            resources: true,
            prompts: true,
            timeout: PATIENCE,
            result_bytes: 64 * 1024,
        };
        let connection = McpConnection::new(settings);
        let port = Arc::new(connection.clone());
        let toolset = OutsideToolset::new("real", rules, port, BTreeMap::new());
        let scripts = calls.iter().enumerate().map(|(index, (tool, input))| {
            let id = format!("toolu_{index}");
            Script::new().call(&id, &format!("real__{tool}"), input.clone())
        });
        let scripts = scripts.chain([Script::say("Done.")]).collect();
        let conversation = TestConversation::new(toolset.clone(), scripts);
        let running = run(&connection, conversation.listener()).await;
        for reviewed in toolset.review() {
            let is_configured = tools.contains(&reviewed.served.name.as_str());
            let accepted = toolset.accept(&reviewed.served.name, &reviewed.digest);
            assert_eq!(accepted.is_some(), is_configured, "{reviewed:#?}");
        }
        conversation.engine.tools_arrived();
        Self {
            conversation,
            running,
        }
    }

    /// The server's own names of its tools, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let tools = self.conversation.toolset.review().into_iter();
        let mut names: Vec<_> = tools.map(|tool| tool.served.name).collect();
        names.sort();
        names
    }

    /// Sends the message, and waits until its turn has ended or asks.
    pub(crate) async fn turn(&mut self) {
        self.conversation.turn("Go on.").await;
    }

    /// Decides on the only card, and waits until the turn has ended.
    pub(crate) async fn decide(&mut self, decision: Decision) {
        self.conversation.decide(decision).await;
    }

    /// The outcomes of the calls, in their order.
    pub(crate) fn outcomes(&self) -> Vec<ToolOutcome> {
        self.conversation.outcomes()
    }

    pub(crate) async fn stop(self) {
        self.conversation.engine.shutdown().await;
        self.running.stop().await;
    }
}

/// The data of those that succeeded.
pub(crate) fn answers(outcomes: &[ToolOutcome]) -> Vec<Value> {
    let answers = outcomes.iter().filter_map(|outcome| match outcome {
        ToolOutcome::Succeeded { output } => Some(output.data.clone()),
        _ => None,
    });
    answers.collect()
}
