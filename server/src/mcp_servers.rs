//! MCP servers whose tools conversations may have: toolset, connection and accepted definitions of each.
//!
//! A definition is accepted beside the running server or on its page; the store is the only truth about it, and
//! is read again every few seconds.

mod review;
mod setup;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use agent::{Engine, ports::Toolset};
use anyhow::{Context, bail};
use mcp_client::{AWAY_NOTICE, OutsideRules, OutsideToolset, ReviewedTool, ServedTool, tool_name};
use mcp_connection::{
    ChildBounds, ChildRoom, ClientCredential, ClientKey, ClientSecret, CommandSettings,
    ConnectionState, HttpSettings, McpConnection, OauthSettings, SecretHeader, ServerSettings,
    ServerTransport,
};
use protocol::Timestamp;
use store::{AcceptedTool, Store, ToolReviewer};
use tokio::time::sleep;

pub(crate) use review::{accept, check, reject};

use crate::{
    config::{McpCredential, McpOauth, McpSettings, McpTransport, NoticeSettings},
    secret_file,
    tasks::Task,
    texts,
};

/// Pause between two looks at the accepted definitions.
const LOOK: Duration = Duration::from_secs(5);
/// The least bound of a message: a list of tools may be long where results are not.
const LIST_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of a message around a result.
const FRAME_BYTES: usize = 64 * 1024;

/// The MCP servers of the configuration.
#[derive(Clone, Default)]
pub(crate) struct McpServers(Arc<Vec<McpServer>>);

/// One of them. Clones are the same.
#[derive(Clone)]
pub(crate) struct McpServer {
    name: &'static str,
    setup: Vec<(&'static str, String)>,
    toolset: OutsideToolset,
    connection: McpConnection,
}

impl McpServers {
    /// Reads secrets and accepted definitions. Nothing is connected before the tasks run.
    ///
    /// # Errors
    /// A secret or a certificate cannot be used, or the database failed.
    pub(crate) async fn prepare(
        settings: &[McpSettings],
        bounds: ChildBounds,
        notices: &NoticeSettings,
        store: &Store,
    ) -> anyhow::Result<Self> {
        if settings.is_empty() {
            return Ok(Self::default());
        }
        let kept = store.accepted_tools().await?;
        let are_noticed = notices.enabled && notices.off.iter().all(|kind| kind != AWAY_NOTICE);
        let room = ChildRoom::new(bounds);
        let watched = |server: McpServer| {
            if are_noticed {
                server.guarded()
            } else {
                server
            }
        };
        let servers = settings
            .iter()
            .map(|it| McpServer::new(it, &room, &kept).map(watched));
        let servers = servers.collect::<anyhow::Result<_>>()?;
        Ok(Self(Arc::new(servers)))
    }

    pub(crate) fn toolsets(&self) -> impl Iterator<Item = Arc<dyn Toolset>> {
        let servers = self.0.iter();
        servers.map(|server| Arc::new(server.toolset.clone()) as Arc<dyn Toolset>)
    }

    /// The names of the toolsets for people, which are those of the configuration.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, String)> {
        let servers = self.0.iter();
        servers.map(|server| (server.name, server.name.to_owned()))
    }

    /// The servers that were connected, or should have been, and are not.
    pub(crate) fn away(&self) -> impl Iterator<Item = &'static str> {
        let servers = self.0.iter();
        let away = servers.filter(|it| matches!(it.connection.state(), ConnectionState::Down(_)));
        away.map(|server| server.name)
    }

    /// The tasks that keep them connected and their definitions up to date.
    pub(crate) fn tasks(&self, engine: &Engine, store: &Store) -> Vec<Task> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let connections = self.0.iter().cloned().map(|server| {
            let engine = engine.clone();
            Task::new(server.name, move |stop| async move {
                let listed = |tools| {
                    if server.toolset.list(tools) {
                        engine.tools_arrived();
                    }
                };
                server.connection.run(listed, stop).await;
            })
        });
        let mut tasks: Vec<Task> = connections.collect();
        let (servers, engine, store) = (self.clone(), engine.clone(), store.clone());
        tasks.push(Task::new("accepted tools", move |stop| async move {
            let follow = servers.follow(&store, &engine);
            stop.run_until_cancelled(follow).await;
        }));
        tasks
    }

    /// The servers, in the order of their names.
    pub(crate) fn servers(&self) -> impl Iterator<Item = &McpServer> {
        self.0.iter()
    }

    /// The row of a definition that is to be accepted; None if the tool has another one now, or cannot be
    /// accepted.
    pub(crate) fn acceptable(
        &self,
        server: &str,
        tool: &str,
        digest: &str,
        by: ToolReviewer,
        at: Timestamp,
    ) -> Option<AcceptedTool> {
        let server = self.0.iter().find(|it| it.name == server)?;
        let served = server.toolset.acceptable(tool, digest)?;
        Some(AcceptedTool {
            server: server.name.to_owned(),
            tool: tool.to_owned(),
            digest: digest.to_owned(),
            definition: served.to_definition(),
            by,
            at,
        })
    }

    async fn follow(&self, store: &Store, engine: &Engine) {
        loop {
            sleep(LOOK).await;
            // The definitions before stay in force: a tool is no more than was accepted.
            if let Err(error) = self.reload(store, engine).await {
                tracing::error!(%error, "accepted tools cannot be read");
            }
        }
    }

    /// Reads the accepted definitions again.
    pub(crate) async fn reload(&self, store: &Store, engine: &Engine) -> Result<(), store::Error> {
        let kept = store.accepted_tools().await?;
        let mut is_new = false;
        for server in self.0.iter() {
            is_new |= server.toolset.set_accepted(accepted_of(server.name, &kept));
        }
        if is_new {
            engine.tools_arrived();
        }
        Ok(())
    }
}

impl McpServer {
    fn new(
        settings: &McpSettings,
        room: &ChildRoom,
        kept: &[AcceptedTool],
    ) -> anyhow::Result<Self> {
        // The engine's names of toolsets last as long as the process, and so does the configuration.
        let name: &'static str = Box::leak(settings.name.clone().into_boxed_str());
        let connection = McpConnection::within(connection_of(settings)?, room);
        let rules = OutsideRules {
            tools: settings.tools.clone(),
            resources: settings.resources,
            prompts: settings.prompts,
            timeout: settings.call,
            result_bytes: settings.result_bytes,
        };
        let accepted = accepted_of(name, kept);
        let port = Arc::new(connection.clone());
        let toolset = OutsideToolset::new(name, rules, port, accepted.clone());
        // Until its first list it has the tools that it had: conversations that begin now have them, and
        // their calls fail at once with the reason.
        toolset.list(accepted.into_values().collect());
        Ok(Self {
            name,
            setup: setup::of(&settings.transport),
            toolset,
            connection,
        })
    }

    /// The same, with a notice while it is away.
    fn guarded(self) -> Self {
        let presence = self.connection.presence();
        Self {
            toolset: self.toolset.guarded(presence),
            ..self
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The way to it, in parts with a label each. No part is a secret.
    pub(crate) fn setup(&self) -> &[(&'static str, String)] {
        &self.setup
    }

    /// The state of its connection.
    pub(crate) fn state(&self) -> ConnectionState {
        self.connection.state()
    }

    /// The state of its sign-in, if it has one.
    pub(crate) fn sign_in(&self) -> Option<String> {
        let state = self.connection.sign_in()?;
        Some(texts::mcp_servers::sign_in(&state))
    }

    /// The newest lines of its standard error.
    pub(crate) fn log(&self) -> Vec<String> {
        self.connection.log()
    }

    /// All that it lists.
    pub(crate) fn review(&self) -> Vec<ReviewedTool> {
        self.toolset.review()
    }

    /// The names here of tools that the configuration names and the server does not list; none before it has
    /// told its list.
    pub(crate) fn lacking(&self) -> Vec<String> {
        if self.connection.state() != ConnectionState::Connected {
            return Vec::new();
        }
        let lacking = self.toolset.lacking().into_iter();
        lacking.map(|tool| tool_name(self.name, &tool)).collect()
    }
}

/// The accepted definitions of a server, by its own names.
fn accepted_of(server: &str, kept: &[AcceptedTool]) -> BTreeMap<String, ServedTool> {
    let own = kept.iter().filter(|kept| kept.server == server);
    let accepted = own.filter_map(|kept| {
        let served = ServedTool::of_definition(&kept.definition)?;
        // Whoever changed the row by hand has accepted nothing.
        let is_whole = served.digest() == kept.digest && served.name == kept.tool;
        is_whole.then(|| (kept.tool.clone(), served))
    });
    accepted.collect()
}

/// Reads the secrets of a server, and prepares the way to it.
pub(crate) fn connection_of(settings: &McpSettings) -> anyhow::Result<ServerSettings> {
    let transport = transport_of(&settings.transport);
    let cannot_start = || texts::mcp_servers::cannot_start(&settings.name);
    Ok(ServerSettings {
        name: settings.name.clone(),
        transport: transport.with_context(cannot_start)?,
        start_timeout: settings.start,
        message_bytes: (settings.result_bytes * 2 + FRAME_BYTES).max(LIST_BYTES),
    })
}

fn transport_of(transport: &McpTransport) -> anyhow::Result<ServerTransport> {
    Ok(match transport {
        McpTransport::Command {
            program,
            args,
            env,
            sandbox,
            network,
            readable,
            writable,
            limits,
        } => {
            let environment = env
                .iter()
                .filter_map(|name| Some((name.clone(), std::env::var(name).ok()?)));
            ServerTransport::Command(CommandSettings {
                program: program.clone(),
                args: args.clone(),
                environment: environment.collect(),
                sandbox: *sandbox,
                network: *network,
                readable: readable.clone(),
                writable: writable.clone(),
                limits: *limits,
            })
        }
        McpTransport::Http {
            url,
            header,
            secret_file: file,
            oauth,
            fingerprints,
            ca_file,
        } => {
            let header = match file {
                Some(file) => {
                    let value = secret_file::read(file, &file.source)?;
                    let parsed = SecretHeader::parse(header, value.trim());
                    Some(parsed.context(texts::mcp_servers::NO_HEADER)?)
                }
                None => None,
            };
            let pins = fingerprints.clone();
            let http = HttpSettings::new(url, header, pins, ca_file.as_deref())?;
            ServerTransport::Http(match oauth {
                Some(oauth) => http.with_sign_in(sign_in_of(oauth)?)?,
                None => http,
            })
        }
    })
}

/// The registration of a client, with its secret or its key.
fn sign_in_of(oauth: &McpOauth) -> anyhow::Result<OauthSettings> {
    let credential = match &oauth.credential {
        McpCredential::SecretFile(file) => secret(&secret_file::read(file, &file.source)?)?,
        McpCredential::SecretVariable(name) => secret(&std::env::var(name).unwrap_or_default())?,
        McpCredential::KeyFile { file, id, audience } => {
            let pem = secret_file::read(file, &file.source)?;
            let key = ClientKey::parse(&pem, id.clone());
            ClientCredential::Key {
                key: key.context(texts::mcp_servers::NO_CLIENT_KEY)?,
                audience: audience.clone(),
            }
        }
    };
    Ok(OauthSettings {
        client_id: oauth.client_id.clone(),
        credential,
        scope: oauth.scope.clone(),
        issuer: oauth.issuer.clone(),
        token_endpoint: oauth.token_endpoint.clone(),
        private: oauth.private,
        ca_file: oauth.ca_file.clone(),
    })
}

fn secret(text: &str) -> anyhow::Result<ClientCredential> {
    if text.trim().is_empty() {
        bail!(texts::mcp_servers::NO_CLIENT_SECRET);
    }
    Ok(ClientCredential::Secret(ClientSecret::new(text.trim())))
}
